import type { IDataObject } from 'n8n-workflow';
import nock from 'nock';
import {
	credentials,
	failure,
	serve,
	success,
	type ServiceAnswer,
	type ServiceRequest,
} from '../../support/mockService';
import { chosen, runMessaging } from '../../support/runMessaging';
import { logTrigger } from '../logTrigger/logTriggerRun';
import { harness, search } from '../editor/editor';
import { record, records, SENT } from '../report/logService';

/* Answers that similar services give: whoever reads the logs gets the truth, or a sentence that says what is wrong. */

type Answer = (asked: ServiceRequest, nth: number) => ServiceAnswer;

const LOG = records('c1', 6);
/** Pages of two records, whatever is asked for. */
const pageOf = ({ query }: ServiceRequest, log = LOG, step = 0) =>
	log.slice(2 * (Number(query['page[number]']) - 1 + step)).slice(0, 2);
/** Answers with pages of two records and these totals. */
const pages =
	(totals: IDataObject | ((nth: number) => IDataObject), log = LOG): Answer =>
	(asked, nth) =>
		success(pageOf(asked, log), typeof totals === 'function' ? totals(nth) : totals);
const TOTALS = { count: 6, totalPage: 3 };
const good = pages(TOTALS);
/** Answers the request for page 2 otherwise: always, or once. */
const inTheMiddle = (bad: ServiceAnswer, times = Infinity): Answer => {
	let left = times;
	return (asked, nth) =>
		asked.query['page[number]'] === '2' && left-- > 0 ? bad : good(asked, nth);
};
/** Answers with the whole log in this body. */
const whole =
	(body: unknown): Answer =>
	() => ({ body });
const page = (more: IDataObject) => whole({ success: true, count: 6, totalPage: 1, ...more });

/** Reads a log in every way that a person can; an error becomes its sentence. */
async function readEverywhere(makeAnswer: () => Answer) {
	const answering = () => {
		nock.cleanAll();
		const answer = makeAnswer();
		let nth = 0;
		serve((asked) => answer(asked, ++nth));
	};
	const sentence = (error: Error) => error.message;
	answering();
	const { outputs, hints, error } = await runMessaging(harness, {
		resource: 'log',
		operation: 'getAll',
		returnAll: true,
		logFilters: { campaignId: 'c1' },
	});
	answering();
	const report = await runMessaging(harness, {
		resource: 'campaign',
		operation: 'getReport',
		campaignId: chosen('id', 'c1'),
		options: { waitForCompletion: { values: { longestWait: 0 } } },
	});
	answering();
	const { poll } = logTrigger(harness);
	const warnings: string[] = [];
	const logger = { debug() {}, info() {}, warn: (warning: string) => warnings.push(warning) };
	const polled = await poll(
		{ messagingApi: credentials.messagingApi },
		'trigger',
		(context) => void Object.defineProperty(context, 'logger', { value: logger }),
	).catch(sentence);
	answering();
	const list = await search('searchCampaigns').then(({ results: [first] }) => first.name, sentence);
	return {
		many: error?.message ?? [outputs[0].length, ...hints],
		report: report.error?.message ?? report.outputs[0][0].json.text,
		polled: polled ?? warnings.map((warning) => warning.replace(/^.*?: /, '')),
		list: list.replace(/^.* · (.*) · c1$/i, '$1'),
	};
}

describe('Answers of the logs that are read whole', () => {
	test.each<[string, () => Answer, string?]>([
		['totals as text', () => pages({ count: '6', totalPage: '3' })],
		['a count for people', () => pages({ count: '1,006', totalPage: 3 }), '6+ messages'],
		['totals with a fraction', () => pages({ count: '6.0', totalPage: '3.0' }), '1+ messages'],
		['counts of a page', () => pages({ count: 2, totalPage: 3 })],
		['a gateway that fails once', () => inTheMiddle({ status: 502, body: '<html>' }, 1)],
		['no word about success', () => whole({ count: 6, totalPage: 1, data: LOG })],
		['ids in capitals', () => page({ data: LOG.map((each) => ({ ...each, campaign_id: 'C1' })) })],
	])('%s', async (_, answer, list = '6 messages') => {
		expect(await readEverywhere(answer)).toEqual({
			many: [6],
			report: `${SENT}6 recipients: 6 delivered`,
			polled: [],
			list,
		});
	});
});

describe('Answers of the logs in which records are missing', () => {
	const missing = (given: number) =>
		`The service counts 6 records but gave only ${given}, also when asked again: ${6 - given} ${given === 5 ? 'is' : 'are'} missing.`;

	test.each<[string, number, string, () => Answer]>([
		[
			'pages that are counted from zero',
			4,
			'2+ messages',
			() => (asked) => success(pageOf(asked, LOG, 1), TOTALS),
		],
		[
			'a page that lacks a record',
			5,
			'3+ messages',
			() =>
				pages(
					TOTALS,
					LOG.map((each, index) => (index === 3 ? LOG[2] : each)),
				),
		],
	])('%s', async (_, given, listed, answer) => {
		const { report, ...others } = await readEverywhere(answer);
		expect(report).toContain('Not complete: the time was up. ');
		expect(report).toContain(missing(given));
		expect(others).toEqual({
			many: [given, missing(given)],
			polled: [expect.stringContaining(`${missing(given)} This was the first poll`)],
			list: listed,
		});
	});
});

test('Answers of the logs without totals, and the same on every page: everybody is told that records may be missing', async () => {
	const UNCLEAR = expect.stringContaining('where its logs end') as string;
	const answer = () => whole({ success: true, data: LOG, meta: TOTALS });
	expect(await readEverywhere(answer)).toEqual({
		many: [6, UNCLEAR],
		report: expect.stringMatching(
			/6 delivered\. Not complete: the time was up\. .*where its logs end/,
		),
		polled: [expect.stringMatching(/where its logs end.* This was the first poll/)],
		list: '3+ messages',
	});
});

describe('Answers of the logs that are an error, in the same sentence for everybody', () => {
	const NO_LIST = "The service's answer contains no list of log records.";

	test.each<[string, string, () => Answer]>([
		['a list in an object', NO_LIST, () => page({ data: { rows: LOG, count: 6 } })],
		['no list', NO_LIST, () => page({ count: 0 })],
		['`null` among the records', NO_LIST, () => page({ data: [...LOG, null] })],
		[
			'a failure in the middle',
			'The service refused: Busy.',
			() => inTheMiddle(failure('Busy', 200)),
		],
		[
			'a web page in the middle',
			'a web page instead of JSON',
			() => inTheMiddle({ body: '<!doctype html>' }),
		],
		['a bare list', 'JSON that is not an object', () => whole(LOG)],
		['success as text', 'whether it succeeded', () => page({ success: 'true', data: LOG })],
	])('%s', async (_, error, answer) => {
		const said = expect.stringContaining(error) as string;
		expect(await readEverywhere(answer)).toEqual({
			many: said,
			report: said,
			polled: said,
			list: said,
		});
	});
});

test('Records that come while the log is read are no loss and no duplicates', async () => {
	const growing = (): Answer => {
		let log = LOG;
		return (asked, nth) => {
			if (nth === 2 || nth === 3) log = [record('c1', 10 + nth), ...log];
			return success(pageOf(asked, log), { count: log.length, totalPage: log.length / 2 });
		};
	};
	expect(await readEverywhere(growing)).toMatchObject({
		many: [8],
		report: `${SENT}8 recipients: 8 delivered`,
		polled: [],
	});
});
