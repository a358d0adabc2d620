import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { withSameFields } from '../../../nodes/Messaging/n8n/sameFields';

/* n8n's table shows a missing or an empty field in red, like an error. */

const sent = { to: '1', id: 'a' };
const skipped = { to: '2', skipped: true, reason: 'Twice.' };
const failed = { to: '3', error: 'Not sent.', details: { outcome: 'rejected' } };

const run = async (rows: IDataObject[], onError?: string, others?: IDataObject) => {
	const context = { getNode: () => ({ onError }) } as unknown as IExecuteFunctions;
	const items = rows.map((json) => ({ json }));
	return (await withSameFields(context, items, others)).map(({ json }) => json);
};

test('a field that an item has no value for is false', async () => {
	const none = { id: false, skipped: false, reason: false, error: false, details: false };
	expect(await run([sent, skipped, failed], 'continueRegularOutput')).toEqual([
		{ ...none, ...sent },
		{ ...none, ...skipped },
		{ ...none, ...failed },
	]);
});

test('fields keep the order in which they first occur', async () => {
	const [, second] = await run([sent, skipped]);
	expect(Object.keys(second)).toEqual(['to', 'id', 'skipped', 'reason']);
});

test('an item for the error output keeps its fields, by which n8n recognises it', async () => {
	const { error, details } = failed;
	expect(await run([sent, { error, details }], 'continueErrorOutput')).toEqual([
		sent,
		{ error, details },
	]);
});

test('a value that is null stays null, and another value than false can be given', async () => {
	const rows = [{ dryRun: true, status: null }, { to: '2' }];
	expect(await run(rows, undefined, { dryRun: true })).toEqual([
		{ dryRun: true, status: null, to: false },
		{ dryRun: true, status: false, to: '2' },
	]);
});
