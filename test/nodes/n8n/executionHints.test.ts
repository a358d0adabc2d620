import { type IExecuteFunctions, UnexpectedError } from 'n8n-workflow';
import { noteCampaign } from '../../../nodes/Messaging/n8n/executionHints';
import { useHarness } from '../../support/harness';
import { credentials, serve, success } from '../../support/mockService';
import { chosen, plainTemplate, sending } from '../../support/runMessaging';

/* n8n's list of executions can be filtered by what a node has noted in the execution (*Highlighted data*). */

const harness = useHarness();

const SEND = sending('send', plainTemplate('opening_hours'));
const REPORT = { resource: 'campaign', operation: 'getReport', campaignId: chosen('id', 'c-1') };

test.each([
	['Campaign → Send', SEND, success({ campaign_id: 'c-1' })],
	['Campaign → Get Report', REPORT, success([{ id: '1', campaign_id: 'c-1' }], { count: 1 })],
])('%s notes the campaign in the execution', async (_, parameters, answer) => {
	serve(answer);
	const items = [{ to: '447700900221' }];
	const { metadata, error } = await harness.run('messaging', parameters, { items, credentials });
	expect([error, metadata]).toEqual([undefined, { campaign_id: 'c-1' }]);
});

/** The output of a campaign, noted where n8n takes notes in this way. */
const noted = (campaign_id: unknown, customData?: object) => {
	const outputs = [[{ json: { to: '1' } }, { json: { to: '2', campaign_id } }]] as never;
	return noteCampaign({ customData } as IExecuteFunctions, outputs);
};

const refuses = {
	set: () => {
		throw new UnexpectedError('No.');
	},
};

test.each([
	['n8n has no custom data', undefined],
	['n8n refuses the value', refuses],
])('the output is the same when %s', (_, customData) => {
	expect(noted('c-1', customData)[0][1].json.campaign_id).toBe('c-1');
});

test('an id is noted as text, and a long one is cut, so that n8n does not complain in its log', () => {
	const set = jest.fn();
	noted(12, { set });
	noted('x'.repeat(300), { set });
	expect(set).toHaveBeenCalledWith('campaign_id', '12');
	expect(set).toHaveBeenCalledWith('campaign_id', 'x'.repeat(255));
});
