import type { IDataObject } from 'n8n-workflow';
import { readText } from '../../contract/files';
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
	/** What the hint of a test event says: what to enter; its words and IDs; that it is about a person; or which paths to copy. */
	hint?: keyof typeof HINTS;
};

const HINTS = {
	ready: "If this ends the whole campaign, set under 'Options': ",
	named: 'It says: ',
	person: 'This call seems to be about one message or person: ',
	paths: 'No word in it says an end. ',
};

const harness = useHarness();
const lines = readText('test/nodes/trigger/payloads.jsonl').trim().split('\n');
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

const STARTS = /^The published workflow would start: ./;
const IGNORES = 'The published workflow would ignore this call. ';

test.each(of('by itself'))('Messaging Trigger: starts by itself: %s', async (_, { call, id }) => {
	expect(await startedBy(call)).toEqual([id]);
	expect(await hintOf(call)).toMatch(STARTS);
});

test.each(of('told'))('Messaging Trigger: starts when told: %s', async (_, row) => {
	const { call, id, told } = row as Row & Required<Pick<Row, 'told'>>;
	expect(await startedBy(call)).toEqual([]);
	expect(await startedBy(call, optionsOf(told))).toEqual([id]);
	expect(await hintOf(call, optionsOf(told))).toMatch(STARTS);
	const another = {
		...told,
		when: told.when.map(([field]): [string, string] => [field, 'x-started']),
	};
	expect(await startedBy(call, optionsOf(another))).toEqual([]);
	const hint = await hintOf(call);
	expect(hint).toContain(IGNORES + HINTS[row.hint!]);
	if (row.hint !== 'ready') return;
	const entries = proposed(hint);
	// Of several IDs, a person chooses one.
	if (entries.id === '' && told.id !== '') expect(hint).toContain(`${told.id} (`);
	entries.id ||= told.id;
	expect(await startedBy(call, optionsOf(entries))).toEqual([id]);
});

test.each(of('never'))('Messaging Trigger: never starts by itself: %s', async (_, row) => {
	expect(await startedBy(row.call)).toEqual([]);
	expect(await hintOf(row.call)).toContain(IGNORES + HINTS[row.hint!]);
});

/** Reads from a hint what a person would enter. */
function proposed(hint: string): NonNullable<Row['told']> {
	const [, id = ''] = /'Campaign ID Field' (\S+), 'Completed/.exec(hint) ?? [];
	const rows = hint.matchAll(/(?:with|and) field (\S+), value (.+?)(?=, and field|\.(?: |$))/g);
	return { id, when: [...rows].map(([, field, value]) => [field, value]) };
}
