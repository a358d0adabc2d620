import { useHarness } from '../../support/harness';
import { rowsOf } from '../../support/share';
import { Hook, SECRET, withLogs, type Delivery, type Logs, type Outcome } from './hook';
import { SHAPES, type Kind, type Shape } from './shapes';

// Before its second request to the logs the trigger waits. Here the clock jumps ahead instead.
jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);

const harness = useHarness();
type Authentication = {
	name: string;
	/** The secret in the credential. */
	secret: string;
	add: (delivery: Delivery) => Delivery;
	isLetIn: boolean;
};

const inQuery =
	(secret: unknown) =>
	(delivery: Delivery): Delivery => ({
		...delivery,
		query: { ...delivery.query, secret: secret as string },
	});
const inHeader =
	(secret: unknown) =>
	(delivery: Delivery): Delivery => ({
		...delivery,
		headers: { ...delivery.headers, 'x-webhook-secret': secret as string },
	});
const asItIs = (delivery: Delivery) => delivery;
const UNICODE = 'geheim-äß漢字😀';

const AUTHENTICATIONS: Authentication[] = [
	{ name: 'no secret set', secret: '', add: asItIs, isLetIn: true },
	{ name: 'none set, one given', secret: '', add: inQuery(SECRET), isLetIn: true },
	{ name: 'right in the query', secret: SECRET, add: inQuery(SECRET), isLetIn: true },
	{ name: 'right in the header', secret: SECRET, add: inHeader(SECRET), isLetIn: true },
	{
		name: 'right in the query, wrong in the header',
		secret: SECRET,
		add: (delivery) => inHeader('')(inQuery(SECRET)(delivery)),
		isLetIn: true,
	},
	{ name: 'unicode in the query', secret: UNICODE, add: inQuery(UNICODE), isLetIn: true },
	{
		name: 'unicode in the header, as HTTP hands it over',
		secret: UNICODE,
		add: inHeader(Buffer.from(UNICODE, 'utf8').toString('latin1')),
		isLetIn: true,
	},
	{ name: 'missing', secret: SECRET, add: asItIs, isLetIn: false },
	{ name: 'wrong', secret: SECRET, add: inQuery('wrong'), isLetIn: false },
	{ name: 'empty', secret: SECRET, add: inQuery(''), isLetIn: false },
	{ name: 'a beginning of it', secret: SECRET, add: inHeader(SECRET.slice(0, -1)), isLetIn: false },
	{ name: 'given twice', secret: SECRET, add: inQuery([SECRET, SECRET]), isLetIn: false },
	{ name: 'as an object', secret: SECRET, add: inQuery({ a: SECRET }), isLetIn: false },
	{ name: 'as a header of several', secret: SECRET, add: inHeader([SECRET]), isLetIn: false },
	{ name: 'huge', secret: SECRET, add: inQuery(SECRET.repeat(50_000)), isLetIn: false },
	{ name: 'half a character', secret: SECRET, add: inQuery('\ud800'), isLetIn: false },
	{
		name: 'under another name',
		secret: SECRET,
		add: (delivery) => ({
			...delivery,
			query: { ...delivery.query, Secret: SECRET },
			headers: { ...delivery.headers, authorization: `Bearer ${SECRET}` },
		}),
		isLetIn: false,
	},
];

type Settings = {
	isChosen: boolean;
	confirm: boolean;
	deduplicate: boolean;
	isTest: boolean;
};

const both = [true, false];
const SETTINGS: Settings[] = both.flatMap((isChosen) =>
	both.flatMap((confirm) =>
		both.flatMap((deduplicate) =>
			both.map((isTest) => ({ isChosen, confirm, deduplicate, isTest })),
		),
	),
);
const DEFAULTS: Settings = { isChosen: true, confirm: true, deduplicate: true, isTest: false };
const LOGS: Logs[] = ['known', 'unknown', 'unavailable', 'keyRefused'];

type Expected = { status: number; message: RegExp; items: number };

/** The answer that the documentation promises. The first rule that fits decides. */
function expected(shape: Shape, isLetIn: boolean, logs: Logs, settings: Settings): Expected {
	if (!isLetIn) return { status: 401, message: /^Refused/, items: 0 };
	if (shape.kind === 'unreadable') return { status: 400, message: /^Unreadable/, items: 0 };
	const accepted = { status: 200, message: /^Accepted/, items: shape.events ?? 1 };
	// The editor shows every call, with a hint where production would not start.
	if (settings.isTest) return accepted;
	if (!settings.isChosen) return { status: 200, message: /^Ignored/, items: 0 };
	if (shape.kind !== 'campaignCompleted' || !settings.confirm || logs === 'known') return accepted;
	return logs === 'unknown'
		? { status: 200, message: /^Ignored/, items: 0 }
		: { status: 503, message: /again/, items: 0 };
}

function expectedAgain(first: Expected, { deduplicate, isTest }: Settings): Expected {
	return first.items > 0 && deduplicate && !isTest
		? { status: 200, message: /^Duplicate/, items: 0 }
		: first;
}

let rows = 0;

/** Delivers a call twice, and compares both answers with the promised ones. */
async function check(
	shape: Shape,
	{ secret, add, isLetIn }: Authentication,
	logs: Logs,
	settings: Settings,
) {
	const id = `c${String(++rows).padStart(8, '0')}`;
	const delivery = add(shape.make(id));
	const hook = new Hook(harness, {
		parameters: {
			events: chosen(shape.kind, settings.isChosen),
			confirm: settings.confirm,
			deduplicate: settings.deduplicate,
		},
		mode: settings.isTest ? 'manual' : 'webhook',
		workflowId: id,
	});
	hook.credential.webhookSecret = secret;
	withLogs(hook, logs);

	const first = expected(shape, isLetIn, logs, settings);
	const outcomes = [await hook.deliver(delivery), await hook.deliver(delivery)];
	compare(outcomes[0], first, shape);
	compare(outcomes[1], expectedAgain(first, settings), shape);
	for (const secretText of [secret, encodeURIComponent(secret)].filter(Boolean)) {
		expect(JSON.stringify(outcomes)).not.toContain(JSON.stringify(secretText).slice(1, -1));
	}
}

const ALL: Kind[] = ['campaignCompleted', 'smsDeliveryReport', 'other'];
const chosen = (kind: Kind, isChosen: boolean) =>
	isChosen ? [...ALL] : ALL.filter((event) => event !== kind);

function compare(outcome: Outcome, { status, message, items }: Expected, shape: Shape) {
	expect(outcome).toMatchObject({ status, answers: 1 });
	expect(outcome.message).toMatch(message);
	// One execution, however many events. Without an event the trigger returns no items at all.
	expect(outcome.items?.map(({ event }) => event)).toEqual(
		items === 0 ? undefined : Array.from({ length: items }, () => shape.kind),
	);
}

describe('every shape of a call, with every way to authenticate', () => {
	const cases = SHAPES.flatMap((shape) =>
		AUTHENTICATIONS.map((authentication) => ({
			shape,
			authentication,
			title: `${shape.kind}: ${shape.name}; secret: ${authentication.name}`,
		})),
	);
	test.each(rowsOf(cases))('$title', async ({ shape, authentication }) => {
		await check(shape, authentication, 'known', DEFAULTS);
	});
});

describe('every shape of a call, with every setting and every answer of the logs', () => {
	const [open, , secured] = AUTHENTICATIONS;
	const cases = SHAPES.flatMap((shape) =>
		LOGS.flatMap((logs) =>
			SETTINGS.filter(({ isChosen }) => isChosen || shape.kind !== 'unreadable').map(
				(settings, index) => ({
					shape,
					logs,
					settings,
					authentication: index % 2 ? open : secured,
					title: `${shape.kind}: ${shape.name}; logs: ${logs}; ${JSON.stringify(settings)}`,
				}),
			),
		),
	);
	test.each(rowsOf(cases))('$title', async ({ shape, logs, settings, authentication }) => {
		await check(shape, authentication, logs, settings);
	});
});
