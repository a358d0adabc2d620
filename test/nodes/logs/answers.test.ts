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
		['a count in an object', () => pages({ count: { total: 6 }, totalPage: 3 }), '6+ messages'],
		['a count of groups', () => pages({ count: [{ count: 6 }], totalPage: 3 }), '6+ messages'],
		['a count that is not known', () => pages({ count: -1, totalPage: 3 }), '6+ messages'],
		['totals with a fraction', () => pages({ count: '6.0', totalPage: '3.0' }), '1+ messages'],
		['totals of `null`', () => pages({ count: null, totalPage: null }), '1+ messages'],
		['the number of the last page, from zero', () => pages({ count: 6, totalPage: 2 })],
		[
			'a number of pages that shrinks',
			() => pages((nth) => ({ count: 6, totalPage: nth === 1 ? 3 : 1 })),
		],
		['a count that shrinks', () => pages((nth) => ({ count: 7 - nth, totalPage: 3 }))],
		['counts of a page', () => pages({ count: 2, totalPage: 3 })],
		['too many requests, once', () => inTheMiddle(failure('Slow down', 429), 1)],
		['a gateway that fails once', () => inTheMiddle({ status: 502, body: '<html>' }, 1)],
		['no word about success', () => whole({ count: 6, totalPage: 1, data: LOG })],
		['ids in capitals', () => page({ data: LOG.map((each) => ({ ...each, campaign_id: 'C1' })) })],
		['ids as numbers', () => page({ data: LOG.map((each, id) => ({ ...each, id })) })],
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
	const NONE = 'The service counts 6 log records but gave none.';

	test.each<[string, number, string, () => Answer]>([
		[
			'pages that are counted from zero',
			4,
			'2+ messages',
			() => (asked) => success(pageOf(asked, LOG, 1), TOTALS),
		],
		['the only page is page zero', 0, NONE, () => pages(TOTALS, [])],
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
		[
			'the first page again and again',
			2,
			'1+ messages',
			() => whole({ success: true, ...TOTALS, data: LOG.slice(0, 2) }),
		],
		[
			'ids with more digits than a number holds',
			1,
			'1+ messages',
			() => page({ data: LOG.map((each) => ({ ...each, id: 3319237025400370000 })) }),
		],
	])('%s', async (_, given, listed, answer) => {
		const { report, ...others } = await readEverywhere(answer);
		expect(report).toContain('Not complete: the time was up. ');
		expect(report).toContain(missing(given));
		expect(others).toEqual({
			many: [given, missing(given)],
			polled: [
				`${missing(given)} This was the first poll, so the missing records will seem new later.`,
			],
			list: listed,
		});
	});
});

test('Answers of the logs without totals, and the same on every page: everybody is told that records may be missing', async () => {
	const UNCLEAR =
		'The service does not say clearly where its logs end: log records may be missing.';
	const answer = () => whole({ success: true, data: LOG, meta: TOTALS });
	expect(await readEverywhere(answer)).toEqual({
		many: [6, UNCLEAR],
		report: `${SENT}6 recipients: 6 delivered. Not complete: the time was up. ${UNCLEAR}`,
		polled: [`${UNCLEAR} This was the first poll, so the missing records will seem new later.`],
		list: '3+ messages',
	});
});

describe('Answers of the logs that are an error, in the same sentence for everybody', () => {
	const NO_LIST = "The service's answer contains no list of log records.";
	const NO_ID =
		"The service returned a log record without an 'id', so it may count the same record twice.";
	const CHECK = 'Check the Base URL in the Messaging API credential.';

	test.each<[string, string, () => Answer]>([
		['a list in an object', NO_LIST, () => page({ data: { rows: LOG, count: 6 } })],
		['an envelope in an envelope', NO_LIST, () => page({ data: { data: LOG, ...TOTALS } })],
		['an object by id', NO_LIST, () => page({ data: { l0: LOG[0] } })],
		['one record', NO_LIST, () => page({ data: LOG[0] })],
		['JSON in text', NO_LIST, () => page({ data: JSON.stringify(LOG) })],
		['an empty text', NO_LIST, () => page({ data: '', count: 0 })],
		['an empty object', NO_LIST, () => page({ data: {}, count: 0 })],
		['no list', NO_LIST, () => page({ count: 0 })],
		['a list in the field of templates', NO_LIST, () => page({ body: LOG })],
		['`null` among the records', NO_LIST, () => page({ data: [...LOG, null] })],
		[
			'another name for the id',
			NO_ID,
			() => page({ data: [{ ...LOG[0], id: undefined, _id: 'a' }] }),
		],
		[
			'a failure in the middle',
			'The service refused: Busy.',
			() => inTheMiddle(failure('Busy', 200)),
		],
		[
			'a web page in the middle',
			`The service sent a web page instead of JSON. ${CHECK}`,
			() => inTheMiddle({ body: '<!doctype html>' }),
		],
		[
			'nothing',
			`The service sent an empty answer. ${CHECK}`,
			() => () => ({ status: 204, body: '' }),
		],
		['a bare list', `The service sent JSON that is not an object. ${CHECK}`, () => whole(LOG)],
		[
			'success as text',
			"The service's answer does not say clearly whether it succeeded.",
			() => page({ success: 'true', data: LOG }),
		],
	])('%s', async (_, error, answer) => {
		expect(await readEverywhere(answer)).toEqual({
			many: error,
			report: error,
			polled: error,
			list: error,
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
