import { outputOf, type Execution } from '../n8n/rest/executions.mts';
import { owner } from '../n8n/owner.mts';
import { nodeNames } from './examples.mts';
import { table, tally } from './table.mts';

export interface Outcome {
	n8nUrl: string;
	campaignId: string;
	sent: Execution;
	completed: Execution;
	/** The text that the first person of the list received. */
	text: string | undefined;
}

/** The result for the user: who got the message, and links to the executions in the editor. */
export function describe({ n8nUrl, campaignId, sent, completed, text }: Outcome): string {
	const people = outputOf(sent, nodeNames.people);
	const logged = new Map(
		outputOf(completed, nodeNames.messages).map((record) => [record.to as string, record]),
	);
	const rows = people.map(({ name, phone }, index) => {
		const record = logged.get(phone);
		return [
			String(index + 1).padStart(2),
			name,
			phone,
			record?.status ?? 'not in the log',
			record?.reason ?? '',
		];
	});
	const link = ({ workflowId, id }: Execution) =>
		`${n8nUrl}/workflow/${workflowId}/executions/${id}`;

	return [
		table([' #', 'Recipient', 'Phone', 'Status', 'Reason'], rows),
		'',
		`  ${people.length} recipients: ${tally(rows.map((row) => row[3]))}`,
		'',
		`  First message  ${text ?? 'no text: the provider would refuse the message'}`,
		`  Campaign       ${campaignId}`,
		`  Sent in        ${link(sent)}`,
		`  Completed in   ${link(completed)}`,
		`  Log in with    ${owner.email}  ${owner.password}`,
	].join('\n');
}

/** The number of the first person of the list. */
export const firstPhone = (sent: Execution) => outputOf(sent, nodeNames.people)[0].phone as string;

/** The phones of the list that are not in the service's logs. */
export function missingFrom({ sent, completed }: Outcome): string[] {
	const logged = outputOf(completed, nodeNames.messages).map((record) => record.to as string);
	return outputOf(sent, nodeNames.people)
		.map(({ phone }) => phone as string)
		.filter((phone) => !logged.includes(phone));
}
