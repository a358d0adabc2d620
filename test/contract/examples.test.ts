import type { IDataObject } from 'n8n-workflow';
import { publicContract, type Contract } from './contract';
import { recipientDigits } from '../../nodes/Messaging/phone/phone';
import { isInKnownRange } from '../../nodes/Messaging/phone/reading';
import { Summary } from '../../nodes/Messaging/report/summary';
import { START, useHarness } from '../support/harness';
import { filesIn, readText } from './files';
import { wordsIn } from './prose';

/*
 * Checks the files of examples/. test/real-n8n/nodes runs them in the real n8n, but n8n ignores parameters that do not
 * exist, so only these tests notice them.
 */

type Place = [number, number];
type ExampleNode = {
	name: string;
	type: string;
	position: Place;
	parameters: { [name: string]: unknown };
	credentials?: object;
	/** It does nothing until somebody switches it on. */
	disabled?: boolean;
};
type Links = { [node: string]: { main?: unknown[][] } | undefined };
type Example = { id: string; name: string; nodes: ExampleNode[]; connections: object };

const EXAMPLES = filesIn('examples', '.json').map((file): [string, Example] => [
	file,
	JSON.parse(readText(file)) as Example,
]);
const harness = useHarness();

const { nodes: NODES, operations: OPERATIONS } = publicContract() as { [part: string]: Contract };

const isOurs = ({ type }: ExampleNode) => type.startsWith('n8n-nodes-messaging.');
const ownNodes = EXAMPLES.flatMap(([file, { nodes }]) =>
	nodes.filter(isOurs).map((node): [string, ExampleNode] => [`${file}: ${node.name}`, node]),
);

/** The parameters of a node's operation. n8n derives the variants for agents (`Tool`, `HitlTool`) from the node. */
function parametersOf({ type, parameters: set }: ExampleNode): Contract {
	const { parameters, polling } = NODES[type.replace(/(Hitl)?Tool$/, '')] as {
		parameters: Contract;
		polling?: true;
	};
	// n8n itself adds the field for the poll interval.
	if (!('resource' in parameters)) return { ...parameters, ...(polling && { pollTimes: {} }) };
	return {
		...(OPERATIONS[`${String(set.resource)} ${String(set.operation)}`] as Contract),
		resource: parameters.resource,
		operation: parameters[`${String(set.resource)} operation`],
	};
}

const isNote = ({ type }: ExampleNode) => type.endsWith('.stickyNote');

/** The width and the height of a node on the canvas, without its name. */
const SIZE = 96;

/** Whether n8n's line between two nodes runs through a third one. Lines back to the left, around all nodes, are not looked at. */
function runsThrough(node: Place, from: Place, to: Place): boolean {
	const [x, y] = [from[0] + SIZE, from[1] + SIZE / 2];
	const [width, height] = [to[0] - x, to[1] + SIZE / 2 - y];
	if (width <= 0) return false;
	return Array.from({ length: 101 }, (_, step) => step / 100).some((t) => {
		const across = x + width * (1.5 * t * (1 - t) + t ** 3) - node[0];
		const down = y + height * (3 * t ** 2 - 2 * t ** 3) - node[1];
		return across > 0 && across < SIZE && down > 0 && down < SIZE;
	});
}

const noteOf = (nodes: ExampleNode[]) => String(nodes.find(isNote)?.parameters.content);

/** The mode of a node that sends; undefined if it has none, and so always sends. */
const modeOf = (node: ExampleNode) =>
	'sendMode' in parametersOf(node) ? (node.parameters.sendMode ?? 'send') : undefined;

/** Names of nodes that are never switched to another mode. */
const STAYS_DRY = /^(Read the numbers?|Dry run)$/;

test('the notes are short: what it sends, what to change, and where to read more', () => {
	const words = EXAMPLES.map(([file, { nodes }]) => ({ file, words: wordsIn(noteOf(nodes)) }));
	expect(words.filter((note) => note.words > 120)).toEqual([]);
	expect(words.reduce((sum, note) => sum + note.words, 0)).toBeLessThanOrEqual(2000);
	const unlinked = EXAMPLES.filter(([, { nodes }]) => !/\]\(https:[^)]+\)$/.test(noteOf(nodes)));
	expect(unlinked.map(([file]) => file)).toEqual([]);
});

test('there are examples, and their ids and names are unique', () => {
	expect(EXAMPLES.length).toBeGreaterThanOrEqual(8);
	for (const field of ['id', 'name'] as const) {
		const all = EXAMPLES.map(([, example]) => example[field]);
		expect(all).toEqual([...new Set(all)]);
	}
});

test('nodes find a data table by its id, because by name n8n finds any table whose name contains it', () => {
	const isTable = ({ type }: ExampleNode) => type === 'n8n-nodes-base.dataTable';
	const names = EXAMPLES.flatMap(([, { nodes }]) => {
		const makers = nodes.filter(({ parameters }) => parameters.tableName !== undefined);
		const byId = makers.map(({ name }) => `={{ $('${name}').first().json.id }}`);
		const used = nodes.filter(isTable).flatMap(({ parameters }) => parameters.dataTableId ?? []);
		for (const table of used as Contract[]) expect(byId).toContain(table.value);
		// There n8n knows only "equals", and takes every other condition for it.
		for (const { parameters } of nodes.filter(
			(node) => node.parameters.operation === 'rowNotExists',
		))
			expect(JSON.stringify(parameters)).not.toMatch(/"condition":"(?!eq")/);
		expect(used.map((table) => (table as Contract).mode)).toEqual(used.map(() => 'id'));
		return makers.map(({ parameters }) => parameters.tableName as string);
	});
	// Several nodes may make the same table.
	const different = [...new Set(names)];
	expect(different.length).toBeGreaterThan(3);
	const alike = (name: string) => different.filter((other) => other.includes(name));
	expect(different.map(alike)).toEqual(different.map((name) => [name]));
});

test('the page for opting out fills the table that every campaign with "Has not opted out" reads', () => {
	const nodes = EXAMPLES.flatMap(([, example]) => example.nodes);
	const tables = nodes.filter(({ name }) => ['Opt-outs', 'Table of numbers'].includes(name));
	expect(tables.length).toBe(7);
	expect([...new Set(tables.map(({ parameters }) => parameters.tableName))]).toHaveLength(1);
	const reads = nodes.filter(({ name }) => name === 'Has not opted out');
	const ids = reads.map(({ parameters }) => (parameters.dataTableId as Contract).value);
	expect(ids).toEqual(Array(5).fill("={{ $('Opt-outs').first().json.id }}"));
});

describe.each(EXAMPLES)('%s', (file, { id, nodes, connections, ...rest }) => {
	const [, name] = /([\w-]+)\.json$/.exec(file)!;

	test('has a sticky note that explains it', () => {
		expect(nodes.filter(isNote)).toHaveLength(1);
		expect(noteOf(nodes)).toMatch(/^## .+\n\n.{100}/s);
		const { position, parameters } = nodes.find(isNote)!;
		const highest = Math.min(
			...nodes.filter((node) => !isNote(node)).map((node) => node.position[1]),
		);
		// It lies above all nodes, and covers none.
		expect(position[1] + Number(parameters.height)).toBeLessThanOrEqual(highest - 40);
		// A small screen shows it whole.
		expect(parameters.width).toBeLessThanOrEqual(1000);
	});

	test('on the canvas, no node covers another, and no line runs behind a node', () => {
		const shown = nodes.filter((node) => !isNote(node));
		const near = shown.flatMap(({ name: one, position: [x, y] }, nth) =>
			shown
				.slice(nth + 1)
				.filter(
					({ position }) => Math.abs(position[0] - x) < 200 && Math.abs(position[1] - y) < 140,
				)
				.map((other) => `${one}, ${other.name}`),
		);
		expect(near).toEqual([]);
		const lines = Object.entries(connections as Links).flatMap(([from, links]) =>
			(links?.main?.flat() ?? []).map((link) => [from, (link as { node: string }).node]),
		);
		const hidden = lines.flatMap((line) => {
			const [from, to] = line.map((each) => shown.find((node) => node.name === each)!);
			return shown
				.filter((node) => node !== from && node !== to)
				.filter(({ position }) => runsThrough(position, from.position, to.position))
				.map((node) => `${line.join(' → ')}: ${node.name}`);
		});
		expect(hidden).toEqual([]);
		// To a node right below, the line runs around both.
		const below = lines.filter((line) => {
			const [from, to] = line.map((each) => shown.find((node) => node.name === each)!.position[0]);
			return Math.abs(to - from) < 200;
		});
		expect(below).toEqual([]);
	});

	const own = nodes.filter(isOurs);
	const sending = own.filter(
		({ parameters: { operation }, disabled }) => /^send/.test(String(operation)) && !disabled,
	);
	const [first, ...others] = noteOf(nodes).split('\n\n').slice(1);

	test('its note begins with whether it sends, and what it costs; it starts in Dry Run if it can', () => {
		const modes = sending.map((node) => [node, modeOf(node)] as const);
		if (sending.length === 0) {
			expect(first).toMatch(/^\*\*Sends (nothing|no message to your customers).* costs nothing/);
		} else if (modes.every(([, mode]) => mode === 'dryRun')) {
			expect(first).toMatch(/^\*\*Starts in \*Dry Run\*: it sends nothing until/);
		} else {
			expect(first).toMatch(
				/^\*\*(This workflow sends|Sends a message|Asks one person by a message)/,
			);
			expect(first).toMatch(/Change the|\(change the/);
		}
		if (sending.length > 0) expect(first).toContain('charge');
		// Every node that has to be switched is named, the others are left as they are.
		const toSwitch = modes.filter(([{ name: sender }, mode]) => mode && !STAYS_DRY.test(sender));
		for (const [{ name: sender }, mode] of toSwitch)
			if (mode === 'dryRun') expect(first).toContain(`*${sender}*`);
	});

	test('what asks about an item of this node asks its status: a row that cannot be sent has no error in a dry run', () => {
		const text = JSON.stringify(nodes.filter((node) => !isNote(node)));
		expect(text.match(/\$json\.(error|skipped|timedOut|details\?)\b(?!\?)/g) ?? []).toEqual([]);
		expect(text).not.toContain('Only a dry run');
	});

	/* A node that does nothing ends a branch, and the execution is green. */
	test('nobody who gets no message is lost at a node that does nothing', () => {
		if (sending.length === 0) return;
		const ends = nodes
			.filter(({ type, name: end }) => /noOp|merge/.test(type) && !(end in connections))
			.map(({ name: end }) => end);
		// They got the message, or get it later, or the approver said no.
		expect(ends.filter((end) => !/^(Sent as|Later|Not approved)/.test(end))).toEqual([]);
	});

	test('nobody is lost at an If whose no leads nowhere', () => {
		if (sending.length === 0) return;
		const open = nodes
			.filter(({ type }) => type === 'n8n-nodes-base.if')
			.map(({ name: asks }) => asks)
			.filter((asks) => !(connections as Links)[asks]?.main?.[1]?.length);
		// Behind it, a person's own workflow begins.
		expect(open.filter((asks) => asks !== 'Approved?')).toEqual([]);
	});

	test('its note says what to change, and in which nodes', () => {
		const change = others.find((part) => part.startsWith('**Change:**')) ?? '';
		for (const { name: changed, parameters } of own) {
			expect(change).toContain(`**${changed}**`);
			for (const field of ['from', 'template'].filter((each) => each in parameters))
				expect(change).toContain(field === 'from' ? 'sender' : field);
		}
		expect(change).toContain('credential');
	});

	// Otherwise the numbers of somebody else's list go to strangers in that country.
	test('its note names each default country code, and the node that has it', () => {
		const change = others.find((part) => part.startsWith('**Change:**')) ?? '';
		for (const { name: reader, parameters } of own) {
			const { defaultCountryCode: code } = (parameters.options ?? {}) as { [name: string]: string };
			if (code !== undefined) {
				expect(change).toContain(`**${reader}**`);
				expect(change).toContain(`*Default Country Code* (${code})`);
			}
		}
	});

	test('can be imported: a valid id, links between its own nodes, no data of a run', () => {
		expect(id).toMatch(/^\w{1,21}$/);
		const names = nodes.map((node) => node.name);
		const linked = [...JSON.stringify(connections).matchAll(/"node":"([^"]+)"/g)].map(
			([, node]) => node,
		);
		expect(
			[...Object.keys(connections), ...linked].filter((each) => !names.includes(each)),
		).toEqual([]);
		expect(Object.keys(rest).sort()).toEqual(['name', 'settings']);
	});

	test('is run in the end-to-end tests, and listed in examples/README.md', () => {
		const runs = [...filesIn('test/real-n8n/nodes', '.mts'), 'demo/story/examples.mts'].filter(
			(tests) => new RegExp(`['"/]${name}(\\.json)?['"]`).test(readText(tests)),
		);
		expect(runs).not.toEqual([]);
		expect(readText('examples/README.md')).toContain(`(${name}.json)`);
	});
});

describe.each(ownNodes)('%s', (_, node) => {
	test('has only parameters and values that exist', () => {
		const known = parametersOf(node);
		expect(Object.keys(node.parameters).filter((name) => !(name in known))).toEqual([]);
		const isExpression = (value: unknown) => typeof value === 'string' && value.startsWith('=');
		for (const [name, value] of Object.entries(node.parameters)) {
			const { values } = known[name] as { values?: unknown[] };
			if (values && !isExpression(value)) {
				for (const chosen of [value].flat()) expect(values).toContain(chosen);
			}
		}
		const options = Object.keys((node.parameters.options ?? {}) as object);
		expect(options.filter((name) => !(`options › ${name}` in known))).toEqual([]);
	});

	test('a sender and a campaign are chosen as the editor saves them, a template by its name', () => {
		const { from, template, campaignId } = node.parameters as { [name: string]: Contract };
		if (from) expect(from).toMatchObject({ mode: 'list', cachedResultName: expect.any(String) });
		// The list of another account has not chosen it, and choosing it there empties *Placeholders*.
		if (template) expect(template).toEqual({ __rl: true, mode: 'name', value: expect.any(String) });
		if (campaignId)
			expect(campaignId).toMatchObject({ __rl: true, mode: expect.stringMatching(/^(id|list)$/) });
	});

	test('values are not sent with another template than the one for which they were entered', () => {
		const { template, templateParameters } = node.parameters as { [name: string]: Contract };
		if (!templateParameters) return;
		const fields = templateParameters.schema as Contract[];
		const ids = fields.map(({ id }) => String(id));
		expect(ids).toEqual([
			...Object.keys(templateParameters.value as Contract),
			`template:${String(template.value)}`,
		]);
	});

	test('is as the editor saves it: otherwise n8n runs it again, before a node behind it, once it was opened', () => {
		const mapper = node.parameters.templateParameters as Contract | undefined;
		if (!mapper) return;
		const parameter = parametersOf(node).templateParameters as Contract;
		const { value, schema } = mapper;
		const field = { type: 'string', required: false, defaultMatch: false, canBeUsedToMatch: false };
		const fields = (schema as Contract[]).map(({ id, displayName, display }) => ({
			...field,
			...{ id, displayName, display, removed: false },
		}));
		expect(mapper).toEqual({ ...(parameter.default as Contract), value, schema: fields });
	});

	test('has the credential of the sandbox, and no other', () => {
		expect(node.credentials).toEqual({
			messagingApi: { id: 'messagingSandbox', name: 'Messaging sandbox' },
		});
	});
});

/** The expressions of an example's node, each without its equals sign. */
function expressionsOf(example: string, node: string): string[] {
	const [, { nodes }] = EXAMPLES.find(([, { id }]) => id === example)!;
	const { parameters } = nodes.find(({ name }) => name === node)!;
	const found: string[] = [];
	JSON.stringify(parameters, (_, value: unknown) => {
		if (typeof value === 'string' && value.startsWith('={{')) found.push(value.slice(1));
		return value;
	});
	return found;
}

/** What n8n makes of an expression with each of these items. */
function evaluated(expression: string, items: IDataObject[]): unknown[] {
	const workflow = harness.workflow([START]);
	const input = items.map((json) => ({ json }));
	return input.map((_, item) =>
		workflow.expression.getParameterValue(
			...(['=' + expression, null, 0, item, START.name, input, 'manual', {}] as const),
		),
	);
}

describe('what the expressions of the examples give', () => {
	test('consent is yes, Yes, true, 1, x or a checked box, and nothing else', () => {
		const filters = EXAMPLES.filter(([, { nodes }]) =>
			nodes.some(({ name }) => name === 'Only those who agreed'),
		).flatMap(([, { id }]) => expressionsOf(id, 'Only those who agreed'));
		expect(filters.length).toBeGreaterThan(5);
		expect([...new Set(filters)]).toHaveLength(1);
		const yes = ['yes', 'Yes', ' YES ', true, 'true', 'TRUE', 1, '1', 'x', 'X'];
		const no = ['no', '', ' ', false, 'false', 0, '0', null, 'not yet', 'yes?', 'unknown', 2];
		const given = (agreed: unknown) => ({ agreed }) as IDataObject;
		const items = [...yes.map(given), ...no.map(given), {}];
		expect(evaluated(filters[0], items)).toEqual([
			...yes.map(() => true),
			...no.map(() => false),
			false,
		]);
	});

	test('opt-out-page: a number counts only with + or 00 in front, because another one can be a stranger of another country', () => {
		const [noted] = expressionsOf('optOutPage', 'Was it a number?');
		const standIn = noted.replaceAll("$('Opt-out page').first().json", '$json');
		const whole = ['+1 202 555 0126', '0012025550126', ' (+1) 202-555-0126', 'tel:+12025550126'];
		const incomplete = ['(202) 555-0126', '12025550126', '0202 555 0126', '2+1', ''];
		const items = [...whole, ...incomplete].map((Phone) => ({ status: 'ready', Phone }));
		expect(evaluated(standIn, [...items, { status: 'invalid', Phone: '+1' }])).toEqual([
			...whole.map(() => true),
			...incomplete.map(() => false),
			false,
		]);
	});

	test('send-between-9-and-18: the next time within the hours, on or after the date', () => {
		const [next] = expressionsOf('sendBetween9And18', 'Next time');
		const rows = [
			['2026-11-27T08:59', '', '2026-11-27T09:00'],
			['2026-11-27T09:00', '', '2026-11-27T09:00'],
			['2026-11-27T17:59', '', '2026-11-27T17:59'],
			['2026-11-27T18:00', '', '2026-11-28T09:00'],
			['2026-11-27T23:30', '', '2026-11-28T09:00'],
			['2026-11-27T12:00', '2026-11-01', '2026-11-27T12:00'],
			['2026-11-27T12:00', '2026-12-24', '2026-12-24T09:00'],
			['2026-11-27T12:00', '2026-12-24T10:30', '2026-12-24T10:30'],
			['2026-11-27T12:00', '2026-12-24T20:00', '2026-12-25T09:00'],
			['2026-12-31T19:00', '', '2027-01-01T09:00'],
			// The clock is changed in this night.
			['2026-10-31T20:00', '', '2026-11-01T09:00'],
			['2026-11-27T12:00', 'tomorrow', 'null'],
		];
		const standIn = next
			.replaceAll('$now', 'DateTime.fromISO($json.now)')
			.replaceAll("$('When').first().json", '$json');
		const items = rows.map(([now, notBefore]) => ({ now, notBefore, fromHour: 9, untilHour: 18 }));
		const results = evaluated(standIn, items).map((at) => String(at).slice(0, 16));
		expect(results).toEqual(rows.map(([, , at]) => at));
	});

	test('quiet-hours-by-zone: it is day when it is day in all zones of the country', () => {
		const [known] = expressionsOf('quietHoursByZone', 'Is it ever day there?');
		const [day] = expressionsOf('quietHoursByZone', 'Is it day there?');
		const zones = { '+1': ['America/New_York', 'America/Los_Angeles'], '+44': ['Europe/London'] };
		const rows: Array<[time: string, country: string, isDay: boolean]> = [
			['2026-11-30T08:59Z', '+44', false],
			['2026-11-30T09:00Z', '+44', true],
			['2026-11-30T17:59Z', '+44', true],
			['2026-11-30T18:00Z', '+44', false],
			// Nine in New York, and six in Los Angeles.
			['2026-11-30T14:00Z', '+1', false],
			['2026-11-30T17:00Z', '+1', true],
			['2026-11-30T22:59Z', '+1', true],
			['2026-11-30T23:00Z', '+1', false],
			// In summer London is an hour ahead.
			['2026-07-01T08:00Z', '+44', true],
		];
		const standIn = (expression: string) =>
			expression
				.replaceAll('$now', 'DateTime.fromISO($json.now)')
				.replaceAll("$('Zones').first().json", '$json');
		const items = rows.map(([now, country]) => ({
			now,
			country,
			zones,
			fromHour: 9,
			untilHour: 18,
		}));
		expect(evaluated(standIn(day), items)).toEqual(rows.map(([, , isDay]) => isDay));
		const unknown = [
			{ country: '+44', zones },
			{ country: '+39', zones },
			{ country: '+39', zones: { '+39': ['Europe/Rom'] } },
			{ country: '+39', zones: { '+39': [] } },
			{ country: '+7', zones: { '+7': ['Europe/Kaliningrad', 'Asia/Kamchatka'] } },
			{ country: '+44', zones, fromHour: 18, untilHour: 9 },
			{ country: '+44', zones, fromHour: undefined },
		].map((row) => ({ fromHour: 9, untilHour: 18, ...row, now: '2026-11-30T19:00Z' }));
		expect(evaluated(standIn(known), unknown as unknown as IDataObject[])).toEqual([
			true,
			...unknown.slice(1).map(() => false),
		]);
	});

	test('alert-when-a-workflow-fails: its texts are short, have one line, and are never empty', () => {
		const [workflow, reason] = expressionsOf('alertOnFailure', 'One line');
		const failed = (message: unknown) => ({
			workflow: { id: 'w', name: 'News\nletter' },
			execution: { error: { message } },
		});
		const items = [
			failed('Bad\r\n\r\n\trow:     5'),
			failed('long '.repeat(200)),
			failed(''),
			{ workflow: { id: 'w', name: 'Shop' }, trigger: { error: { message: 'Not listening' } } },
			{},
		] as IDataObject[];
		expect(evaluated(workflow, items)).toEqual([
			...['News letter', 'News letter', 'News letter', 'Shop', 'without a name'],
		]);
		const reasons = evaluated(reason, items) as string[];
		expect(reasons.map((text) => text.slice(0, 23))).toEqual([
			'Bad row: 5',
			'long long long long lon',
			'no reason was given.',
			'Not listening',
			'no reason was given.',
		]);
		expect(reasons[1].length).toBeLessThanOrEqual(300);
	});
});

test('approval-before-a-campaign: the dry run, which is approved, has the settings of the node that sends', () => {
	const [, { nodes }] = EXAMPLES.find(([, { id }]) => id === 'approveCampaign')!;
	const [approved, sent] = ['Dry run', 'Send campaign'].map((node) => {
		const { parameters } = nodes.find(({ name }) => name === node)!;
		return { ...parameters, sendMode: undefined };
	});
	expect(sent).toEqual(approved);
});

test('completed-report-alert: counts what has failed by any name, and no delivered message with a reason', () => {
	const [failures, unknown] = expressionsOf('completedReportAlert', 'Failed, or not known?');
	const summary = new Summary();
	const record = { createdAt: '2026-01-01T00:00:00Z', units: 1 };
	for (const [status, reason, delivered] of [
		['delivered', 'Message delivered', '2026-01-01T00:00:01Z'],
		['delivered', 'Message delivered', '2026-01-01T00:00:01Z'],
		['failed', 'No such number', null],
		['NOT_DELIVERED', 'Blocked', null],
		['sent', null, null],
	]) {
		summary.add({ ...record, status, reason, delivered_time: delivered } as never);
	}
	expect(
		evaluated(failures, [summary.result('c-1', 5, {}, String) as unknown as IDataObject]),
	).toEqual([2]);
	const summaries = [
		{ complete: true },
		{ complete: false, pending: 1 },
		{ complete: true, warning: 'Records are missing.' },
	];
	expect(evaluated(unknown, summaries)).toEqual([false, true, true]);
});

/* Otherwise the first dry run of somebody new doubts the numbers of our own list. */
test('all numbers of the examples and of the sandbox are in a known range, and reserved for fiction', () => {
	const files = [
		...filesIn('examples', '.json'),
		...filesIn('demo/story', '.json'),
		...filesIn('sandbox/seed', '.mts'),
	];
	const numbers = files.flatMap((file) =>
		(readText(file).match(/(?<![\w.-])\+?\d[\d ()-]{8,}\d(?![\w.-])/g) ?? []).map((written) => ({
			file,
			written,
			digits: recipientDigits(written),
		})),
	);
	expect(numbers.length).toBeGreaterThan(100);
	const reserved = /^1(202|212|303)55501\d\d$/;
	// A sender in Germany, a number that is refused because it has no country code, and a day.
	const others = ['491713920020', '020 7946 0145', '2000-01-01'];
	const wrong = numbers.filter(
		({ written, digits }) =>
			!others.includes(written) && !(reserved.test(digits) && isInKnownRange(digits)),
	);
	expect(wrong).toEqual([]);
});
