/** A field of a log record. What is neither text nor a number names no campaign: "null" is one's id. */
const idOf = (value: unknown) =>
	typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

type Record = { campaign_id?: unknown };

/** What tells campaigns apart: a UUID is the same in upper and lower case. */
export const plainId = (id: string) => id.trim().toLowerCase();

/** Does a log record say that it is of this campaign? */
export const isOfCampaign = ({ campaign_id }: Record, campaignId: string) =>
	plainId(idOf(campaign_id) ?? '') === plainId(campaignId);
