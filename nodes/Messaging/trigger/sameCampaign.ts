/** A field of a log record. What is neither text nor a number names no campaign: "null" is one's id. */
const idOf = (value: unknown) =>
	typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

type Record = { campaign_id?: unknown };

/** Does a log record say that it is of this campaign? */
export const isOfCampaign = ({ campaign_id }: Record, campaignId: string) =>
	idOf(campaign_id) === campaignId;
