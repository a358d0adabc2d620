import type { SendOperation } from '../../sending/sendOperation';
import { getLogs } from '../../service/endpoints';

/**
 * Looks for a campaign without an answer in the logs (docs/development/interface.md, "Get logs"), by the identifiers of some of its
 * messages.
 *
 * A generated identifier depends on everything that decides the request, so one record with it proves that the service
 * accepted the whole campaign. Identifiers of the user's own prove nothing, because people use them again.
 */
export const findCampaign: NonNullable<SendOperation<never>['lookUp']> = async (
	service,
	messages,
	options,
) => {
	const generated = messages.filter(({ isGenerated }) => isGenerated);
	const isProof = generated.length > 0;
	for (const { identifier } of samplesOf(isProof ? generated : messages)) {
		const answer = await service.call(getLogs({ identifier }), options);
		if (!answer.ok) return undefined;
		const record = answer.payload.records.find(
			(each) => each.identifier === identifier && each.campaign_id,
		);
		if (record) return { campaignId: record.campaign_id, isProof };
	}
	return undefined;
};

/** Several messages are looked up, because the service may have refused one of them. */
const samplesOf = <Message>(messages: Message[]): Message[] => [
	...new Set([messages[0], messages[messages.length >> 1], messages[messages.length - 1]]),
];
