import type { IDataObject } from 'n8n-workflow';
import { readFileSync } from 'fs';
import { useHarness } from '../../support/harness';
import { Hook, withLogs, type Delivery } from './hook';

/*
 * Calls of comparable services, one in each line of payloads.jsonl: as public documents and bug reports show them (`source`), or
 * made up in their style. Most were judged by somebody who had not read the rule. `starts` says what starts a workflow:
 * `by itself`: the small rule knows it; `told`: with these entries in the options; `never`: it is no completed campaign.
 */

type Row = {
	name: string;
	starts: 'by itself' | 'told' | 'never';
	call: Delivery;
	/** The campaign's. */
	id?: string;
	told?: { id: string; when: Array<[field: string, value: string]> };
	/** The hint of a test event proposes exactly these entries. */
	isProposed?: boolean;
};

const harness = useHarness();
const lines = readFileSync(require.resolve('./payloads.jsonl'), 'utf8').trim().split('\n');
const rows = lines.map((line) => JSON.parse(line) as Row);
const of = (starts: Row['starts']) =>
	rows.filter((row) => row.starts === starts).map((row): [string, Row] => [row.name, row]);

const optionsOf = ({ id, when }: NonNullable<Row['told']>): IDataObject => ({
	...(id && { campaignIdField: id }),
	completedWhen: { conditions: when.map(([field, value]) => ({ field, value })) },
});

let workflows = 0;
async function deliver(call: Delivery, options: IDataObject = {}, mode: Hook['mode'] = 'webhook') {
	const parameters = { events: ['campaignCompleted'], options };
	const hook = new Hook(harness, { mode, workflowId: `payload-${++workflows}`, parameters });
	withLogs(hook, 'known');
	return (await hook.deliver(call)).items ?? [];
}
const startedBy = async (call: Delivery, options?: IDataObject) =>
	(await deliver(call, options)).map(({ campaign_id }) => campaign_id);
const hintOf = async (call: Delivery, options?: IDataObject) =>
	String((await deliver(call, options, 'manual'))[0].hint);

const STARTS = 'The published workflow would start.';

test.each(of('by itself'))('Messaging Trigger: starts by itself: %s', async (_, { call, id }) => {
	expect(await startedBy(call)).toEqual([id]);
	expect(await hintOf(call)).toBe(STARTS);
});

test.each(of('told'))('Messaging Trigger: starts when told: %s', async (_, row) => {
	const { call, id, told, isProposed } = row as Row & Required<Pick<Row, 'told'>>;
	expect(await startedBy(call)).toEqual([]);
	expect(await startedBy(call, optionsOf(told))).toEqual([id]);
	expect(await hintOf(call, optionsOf(told))).toBe(STARTS);
	const another = {
		...told,
		when: told.when.map(([field]): [string, string] => [field, 'x-started']),
	};
	expect(await startedBy(call, optionsOf(another))).toEqual([]);
	const [[field, value]] = told.when;
	const idField = told.id && `'Campaign ID Field' ${told.id}, and `;
	const proposal = `set under 'Options': ${idField}'Completed When' with the field ${field} and the value ${value}.`;
	expect((await hintOf(call)).includes(proposal)).toBe(isProposed === true);
});

test.each(of('never'))('Messaging Trigger: never starts by itself: %s', async (_, { call }) => {
	expect(await startedBy(call)).toEqual([]);
	expect(await hintOf(call)).toContain('The published workflow would ignore this call.');
});
