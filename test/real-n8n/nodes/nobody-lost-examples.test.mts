import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { outputOf } from '../../../demo/n8n/rest/executions.mts';
import { runWorkflow } from '../../../demo/n8n/rest/workflows.mts';
import { type Change, choosing, imported, live, played, withList } from '../world/examples.mts';
import { credentialFor, world } from '../world/installation.mts';
import type { Json } from '../world/nodes.mts';
import { limitWaitTime, linksIn, press } from '../world/questions.mts';
import { enterCodes } from '../world/sendByHand.mts';
import { acceptedBy, campaigns, control } from '../world/service.mts';
import { ended, errorOf, untilItWaits } from '../world/workflows.mts';

const stage = await world();

/*
 * Each example that sends to a list, with a bad row of every kind between the good ones: whoever got nothing is named in the error of the
 * execution, which a person sees who was asleep. So sent + named = rows.
 */

const START = 'When you press Execute';

type Row = { name: string; phone: string; agreed: string };
const row = (name: string, phone: string): Row => ({ name, phone, agreed: 'yes' });

/** Numbers that no other test sends to, or takes out. */
let next = 14_155_550_110;

/** Good rows, and a bad one of every kind at each gate. */
function rows(): Row[] {
	const number = () => String(next++);
	return [
		row('Ada Good', number()),
		row('Nora Empty', ''),
		row('Nils Words', 'ask her husband'),
		row('Nina Short', '12345'),
		row('Noel Code', '020 7946 0145'),
		row('', number()),
		row('null', number()),
		row('{{ $json.name }}', number()),
		row('Ben Good', number()),
	];
}

/** What a person can find a row by. */
const isNamed = (error: string, { name, phone }: Row) =>
	(name !== '' && error.includes(`${name} (`)) ||
	(phone !== '' && error.includes(`(${phone})`)) ||
	error.includes(`to ${phone}:`);

async function started(workflow: string, trigger: string) {
	const before = (await acceptedBy(stage.sandbox)).length;
	const execution = await ended(stage, await runWorkflow(stage.session, workflow, trigger));
	const accepted = (await acceptedBy(stage.sandbox)).slice(before);
	return { execution, accepted, error: errorOf(execution) };
}

describe('the examples, with bad rows of every kind', () => {
	afterEach(async () => {
		await control(stage.sandbox, 'DELETE', '/faults');
	});

	/** What the service does with the campaign. */
	const FAULTS: Array<[what: string, faults: Json[]]> = [
		['accepts it', []],
		[
			'refuses it',
			[{ match: { endpoint: 'sendCampaign' }, fault: { kind: 'status', status: 422 } }],
		],
		[
			'does not answer',
			[
				{ match: { endpoint: 'sendCampaign' }, fault: { kind: 'reset' }, act: true },
				{ match: { endpoint: 'getLogs' }, fault: { kind: 'status', status: 404 }, times: 0 },
			],
		],
	];

	/** A list that is open at all hours, in a table of its own. */
	const ready =
		(table: string): Change =>
		(parameters, node) => {
			const always = { fromHour: 0, untilHour: 24 };
			if (node === 'When') parameters.jsonOutput = JSON.stringify({ ...always, notBefore: '' });
			if (node === 'Zones')
				parameters.jsonOutput = JSON.stringify({ ...always, zones: { '+1': ['UTC'] } });
			if (node === 'Table') parameters.tableName = table;
			if (node === 'Read the numbers') parameters.options = {};
		};

	/** What docs/first-campaign.md tells people to switch on in the node of their list. */
	const alwaysOutput: Change = (_, node, { nodes }) => {
		if (node !== 'One item per person') return;
		nodes.find(({ name }: Json) => name === node).alwaysOutputData = true;
	};

	/** An example with this list, and with a campaign that it may read. */
	async function prepared(name: string, list: string, all: Row[]): Promise<string> {
		const known = row('Zoe Reached', '12025550199');
		const numbers = all.map(({ phone }) => phone).filter((phone) => /^14155550/.test(phone));
		const reached = name === 'remind-unread' && all.length > 0 ? numbers : [known.phone];
		const [campaign] = await campaigns(stage.sandbox, 1, reached);
		await control(stage.sandbox, 'POST', `/campaigns/${campaign}/complete`);
		const isKnown = name === 'send-to-the-rest' && all[0]?.agreed === 'yes';
		const people = isKnown ? [known, ...all] : all;
		return await imported(
			stage,
			name,
			...[live, choosing(campaign), withList(list, people), ready(`Nobody lost ${next}`)],
			...(name === 'first-campaign' ? [alwaysOutput] : []),
		);
	}

	for (const [name, list, trigger = START] of [
		['weekly-to-new-rows', 'Customers', 'Every Monday at 10'],
		['quiet-hours-by-zone', 'Customers', 'Every hour'],
		['remind-unread', 'People'],
		['send-to-the-rest', 'People'],
		['opt-out-page', 'People'],
	]) {
		for (const [what, faults] of FAULTS) {
			it(`${name}, the service ${what}: sent + named = rows`, async () => {
				const all = rows();
				const workflow = await prepared(name, list, all);
				await enterCodes(stage, workflow, trigger);
				// These two read the logs themselves, before they send.
				const readsLogs = /^(remind-unread|send-to-the-rest)$/.test(name);
				await control(stage.sandbox, 'POST', '/faults', readsLogs ? faults.slice(0, 1) : faults);
				const { execution, accepted, error = '' } = await started(workflow, trigger);
				assert.equal(execution.status, 'error');
				const sent = accepted.map((each) => String(each.to));
				const lost = all.filter((each) => !sent.includes(each.phone) && !isNamed(error, each));
				assert.deepEqual(lost, [], `${error}; sent to ${sent.join()}`);
				if (what === 'accepts it') assert.deepEqual(sent, [all[0].phone, all.at(-1)!.phone]);
			});
		}
	}

	for (const name of ['first-campaign', 'send-between-9-and-18']) {
		it(`${name}: with bad rows nothing is sent, and the error says so`, async () => {
			const workflow = await prepared(name, 'People', rows());
			const { accepted, error } = await played(stage, workflow);
			assert.match(error ?? '', /^Nothing was sent\. 7 of 9 rows cannot be sent/);
			assert.deepEqual(accepted, []);
		});
	}

	for (const [name, list, trigger = START] of [
		['weekly-to-new-rows', 'Customers', 'Every Monday at 10'],
		['quiet-hours-by-zone', 'Customers', 'Every hour'],
		...[
			...['first-campaign', 'send-between-9-and-18', 'approval-before-a-campaign'],
			...['opt-out-page', 'remind-unread', 'send-to-the-rest'],
		].map((each) => [each, 'People']),
	]) {
		it(`${name}: nobody gets it when the column of consent has another name, or other words, or the list is empty, and the error says so`, async () => {
			const others: Json[][] = [
				rows().map(({ agreed, ...good }) => ({ ...good, consent: agreed })),
				rows().map((good) => ({ ...good, agreed: 'ja' })),
				[],
			];
			for (const other of others) {
				const workflow = await prepared(name, list, other as Row[]);
				const { accepted, error } = await started(workflow, trigger);
				assert.match(
					error ?? 'The execution is green',
					/^Nothing was sent: no row of the list has yes, true, 1 or x in its column 'agreed'/,
				);
				assert.deepEqual(accepted, []);
			}
		});
	}

	for (const [name, list] of [
		['otp-template-by-language', 'Requests'],
		['text-or-template', 'People'],
		['send-and-wait-approval', 'Requests'],
	]) {
		it(`${name}: with an empty list the execution is red and says so`, async () => {
			const workflow = await imported(stage, name, live, withList(list, []));
			const { accepted, error } = await started(workflow, START);
			assert.equal(error, 'Nothing was sent: the list is empty.');
			assert.deepEqual(accepted, []);
		});
	}

	/* Its node outputs nothing then, so nothing behind it runs. */
	for (const [name, list, sends, trigger = START] of [
		['weekly-to-new-rows', 'Customers', 'Send campaign', 'Every Monday at 10'],
		['quiet-hours-by-zone', 'Customers', 'Send campaign', 'Every hour'],
		['remind-unread', 'People', 'Send the reminder'],
		['send-to-the-rest', 'People', 'Send to the rest'],
		['opt-out-page', 'People', 'Send campaign'],
	]) {
		it(`${name}: by hand without the code, the execution is red and says that nothing was sent`, async () => {
			const workflow = await prepared(name, list, rows());
			const { accepted, error } = await started(workflow, trigger);
			assert.equal(error, `Nothing was sent. Open '${sends}': the line above its output says why.`);
			assert.deepEqual(accepted, []);
		});
	}

	for (const [sends, phones, sent] of [
		['Send text', ['12025550111', '12025550112'], 0],
		['Send template', ['12025550111', '12025550124', '12125550124'], 1],
	] as const) {
		it(`text-or-template: by hand without the code of ${sends}, the execution is red and says so`, async () => {
			const people = phones.map((phone) => ({ name: 'Ada', phone }));
			const workflow = await imported(stage, 'text-or-template', live, withList('People', people));
			if (sent > 0) await enterCodes(stage, workflow, START);
			const { accepted, error } = await started(workflow, START);
			assert.match(
				error ?? 'The execution is green',
				/^Somebody got no message\. Open 'Send text'/,
			);
			assert.equal(accepted.length, sent);
		});
	}

	it('remind-unread: who is not in the campaign, or whose message failed in it, is named', async () => {
		const [reached, failed, other] = [
			row('Ada Waits', String(next++)),
			row('Fay Failed', '12125550101'),
			row('Olga Other', String(next++)),
		];
		const [campaign] = await campaigns(stage.sandbox, 1, [reached.phone, failed.phone]);
		await control(stage.sandbox, 'POST', `/campaigns/${campaign}/complete`);
		const workflow = await imported(
			stage,
			'remind-unread',
			...[live, choosing(campaign), withList('People', [reached, failed, other])],
		);
		await enterCodes(stage, workflow, START);
		const { accepted, error = 'The execution is green' } = await started(workflow, START);
		assert.deepEqual(
			accepted.map(({ to }) => to),
			[reached.phone],
		);
		assert.match(
			error,
			/^Not everybody got the message: Fay Failed \(12125550101\): The campaign says 'failed': only those/,
		);
		assert.match(
			error,
			new RegExp(`Olga Other \\(${other.phone}\\): The campaign has no message to this number`),
		);
	});

	it('quiet-hours-by-zone: whose country has no hour that is day in all of its zones is named', async () => {
		const all = [row('Igor', String(next++))];
		for (const zones of [
			{ fromHour: 9, untilHour: 18, zones: { '+1': ['Europe/Kaliningrad', 'Asia/Kamchatka'] } },
			{ fromHour: 22, untilHour: 6, zones: { '+1': ['UTC'] } },
		]) {
			const workflow = await imported(
				stage,
				'quiet-hours-by-zone',
				...[live, withList('Customers', all)],
				(parameters, node) => {
					if (node === 'Zones') parameters.jsonOutput = JSON.stringify(zones);
				},
			);
			const { accepted, error } = await started(workflow, 'Every hour');
			assert.match(
				error ?? 'The execution is green',
				/: Igor \(.*or no hour when it is day in all/,
			);
			assert.deepEqual(accepted, []);
		}
	});

	it('send-between-9-and-18: hours or a date that never come are an error, and nothing is sent', async () => {
		const wrong = [
			{ fromHour: 22, untilHour: 6, notBefore: '' },
			{ fromHour: 0, untilHour: 24, notBefore: 'tomorrow' },
		];
		for (const when of wrong) {
			const workflow = await imported(stage, 'send-between-9-and-18', live, (parameters, node) => {
				if (node === 'When') parameters.jsonOutput = JSON.stringify(when);
			});
			const { accepted, error } = await started(workflow, START);
			assert.match(error ?? 'The execution is green', /^Nothing was sent: in 'When'/);
			assert.deepEqual(accepted, []);
		}
	});

	it('approval-before-a-campaign: when nobody answers in time, the execution is red and nothing is sent', async () => {
		const workflow = await imported(
			stage,
			'approval-before-a-campaign',
			live,
			(parameters, node) => {
				if (node === 'Ask for approval') parameters.options = limitWaitTime(0.05);
			},
		);
		const { accepted, error } = await started(workflow, START);
		assert.match(error ?? 'The execution is green', /^Nothing was sent: nobody approved/);
		assert.deepEqual(
			accepted.map(({ to }) => to),
			['12025550181'],
		);
	});

	it('approval-before-a-campaign: after the yes, those who cannot be sent to are named', async () => {
		const all = rows();
		const workflow = await imported(stage, 'approval-before-a-campaign', withList('People', all));
		const id = await runWorkflow(stage.session, workflow, START);
		await untilItWaits(stage, id);
		const { message } = (await acceptedBy(stage.sandbox, '12025550181')).at(-1)!;
		assert.match(message, /\? 2 messages; 7 rows of the list are left out/);
		await press(linksIn(message)[0], { decision: 'approve' });
		const execution = await ended(stage, id);
		const would = outputOf(execution, 'Send campaign').map((each) => String(each.to));
		const error = errorOf(execution) ?? '';
		const lost = all.filter((each) => !would.includes(each.phone) && !isNamed(error, each));
		assert.deepEqual([lost, would.length], [[], 2], error);
	});

	it('send-and-wait-approval: somebody who cannot be asked is named, the others are asked', async () => {
		const request = (order: string, manager: string) => ({
			order,
			customer: 'Ada',
			amount: '1',
			manager,
		});
		const requests = [request('1', 'nobody'), request('2', '12025550182'), request('3', '')];
		const workflow = await imported(
			stage,
			'send-and-wait-approval',
			withList('Requests', requests),
		);
		const id = await runWorkflow(stage.session, workflow, START);
		await untilItWaits(stage, id);
		const { message } = (await acceptedBy(stage.sandbox, '12025550182')).at(-1)!;
		await press(linksIn(message)[0], { decision: 'approve' });
		const execution = await ended(stage, id);
		assert.match(
			errorOf(execution) ?? '',
			/^Not everybody answered: order 1 \(nobody\): .* order 3 \(/,
		);
		assert.doesNotMatch(errorOf(execution) ?? '', /undefined/);
		assert.deepEqual(outputOf(execution, 'Approved?').map(({ order }) => order).length, 1);
	});

	it('send-and-wait-approval: a request without its order, customer, amount or manager is asked to nobody, and named', async () => {
		const good = { order: '1', customer: 'Ada', amount: '1 EUR', manager: '12025550183' };
		const { manager: _, ...unaddressed } = good;
		const requests = [
			{ ...good, amount: '' },
			{ ...good, customer: ' ', order: '2' },
			{ ...good, order: '' },
			{ ...unaddressed, order: '4' },
			{},
		];
		const workflow = await imported(
			stage,
			'send-and-wait-approval',
			withList('Requests', requests),
		);
		const { accepted, error = 'The execution is green' } = await started(workflow, START);
		assert.deepEqual(accepted, []);
		const empty = 'nobody was asked, because the order, the customer or the amount is empty\\.';
		assert.match(
			error,
			new RegExp(
				[
					`^Not everybody answered: order 1 \\(12025550183\\): ${empty}`,
					`order 2 \\(12025550183\\): ${empty}`,
					`order without a number \\(12025550183\\): ${empty}`,
					'order 4 \\(no phone number\\): .*recipient is empty.*',
					`order without a number \\(no phone number\\): ${empty}$`,
				].join(' '),
			),
		);
	});

	it('send-and-wait-approval: somebody who does not answer in time is named', async () => {
		const workflow = await imported(stage, 'send-and-wait-approval', (parameters, node) => {
			if (node === 'Ask the manager') parameters.options = limitWaitTime(0.05);
		});
		const { execution, error } = await started(workflow, START);
		assert.match(
			error ?? 'The execution is green',
			/^Not everybody answered: order 1041 \(12025550111\): there was no answer in time\. order 1057/,
		);
		assert.deepEqual(outputOf(execution, 'Approved?', 1), []);
	});

	it('text-or-template: somebody without a name gets nothing, and is named by the number', async () => {
		const people = [{ name: ' ', phone: '12025550111' }, {}, { name: 'Ben', phone: '12025550112' }];
		const workflow = await imported(stage, 'text-or-template', live, withList('People', people));
		const { accepted, error } = await played(stage, workflow);
		assert.match(
			error ?? 'The execution is green',
			/^Not everybody got a message: .* \(12025550111\): The name is empty\. Without a name \(no number\): The name is empty\.$/,
		);
		assert.deepEqual(
			accepted.map(({ to }) => to),
			['12025550112'],
		);
	});

	it('text-or-template: a number that is in the list twice gets one message, as text or as template', async () => {
		const phones = ['12025550111', '+1 202 555 0111', '12025550124', '12025550124'];
		const people = phones.map((phone) => ({ name: 'Ada', phone }));
		const workflow = await imported(stage, 'text-or-template', live, withList('People', people));
		const { accepted, execution } = await played(stage, workflow);
		assert.equal(execution.status, 'success');
		assert.deepEqual(
			accepted.map(({ to }) => to),
			['12025550111', '12025550124'],
		);
	});

	it('otp-template-by-language: without a code, or without any template, nothing is sent, and the execution is red', async () => {
		const request = { phone: '12025550111', language: 'en' };
		const withCode = { ...request, code: '482913' };
		for (const [row, answer] of [
			[{ ...request, code: '' }, undefined],
			[{ ...request, code: ' ' }, undefined],
			[withCode, { success: true, message: 'OK', body: [] }],
		] as const) {
			const fault = { kind: 'status', status: 200, body: answer };
			const match = { endpoint: 'getOtpTemplates' };
			if (answer) await control(stage.sandbox, 'POST', '/faults', [{ match, fault, times: 0 }]);
			const workflow = await imported(
				stage,
				'otp-template-by-language',
				...[live, withList('Requests', [row])],
			);
			const { accepted, error } = await started(workflow, START);
			assert.match(error ?? 'The execution is green', /\(12025550111\): 'Message' is empty/);
			assert.deepEqual(accepted, []);
		}
	});

	it('take-out-refused: an empty reason takes out nobody', async () => {
		const [campaign] = await campaigns(stage.sandbox, 1, ['12025550102', '12025550101']);
		await control(stage.sandbox, 'POST', `/campaigns/${campaign}/complete`);
		const workflow = await imported(
			stage,
			'take-out-refused',
			choosing(campaign),
			(parameters, node) => {
				if (node === 'For good') parameters.jsonOutput = '{ "reasons": ["opted out", " ", ""] }';
			},
		);
		const { execution } = await started(workflow, START);
		assert.deepEqual(outputOf(execution, 'Write it down'), []);
		assert.equal(outputOf(execution, 'Other reasons')[0].reasons.length, 1);
	});

	it('otp-template-by-language: with bad rows nothing is sent, and the error says so', async () => {
		const request = (phone: string, code: string) => ({ phone, language: 'en', code });
		const requests = [request('12025550111', '1'), request('', '2'), request('ask', '3')];
		const workflow = await imported(
			stage,
			'otp-template-by-language',
			live,
			withList('Requests', requests),
		);
		const { accepted, error } = await played(stage, workflow);
		assert.match(error ?? '', /^Nothing was sent\. 2 of 3 rows cannot be sent/);
		assert.deepEqual(accepted, []);
	});
});

/*
 * Examples that write to one person by nature: with whatever is wrong with this person or the account, nothing leaves and the execution is
 * red, with a sentence that names the person or the account.
 */
describe('the examples with one person, and something wrong', async () => {
	/** Replaces fields of the example's one row. */
	const withRow =
		(row: Json): Change =>
		(parameters, node) => {
			if (node !== 'Code' && node !== 'Order') return;
			parameters.jsonOutput = JSON.stringify({ ...JSON.parse(parameters.jsonOutput), ...row });
		};

	const withoutText: Change = (parameters) => {
		if ('message' in parameters) parameters.message = '={{ $json.nothing }}';
	};

	const refused = await credentialFor(stage, { apiKey: 'wrong' });
	const withRefusedKey: Change = (_, name, { nodes }) => {
		const { credentials } = nodes.find((each: Json) => each.name === name);
		if (credentials?.messagingApi) credentials.messagingApi = refused;
	};

	const NUMBER = /^Nothing was sent\. Item 1 \(ask him\): This is not a phone number/;
	const KEY = /^Nothing was sent\. .*The service refused the API key/;
	const INCOMPLETE =
		/^Nothing was sent: the name or the number of the order is empty \(12025550111\)/;
	for (const [name, what, change, sentence] of [
		['login-code-template', 'a number that is none', withRow({ phone: 'ask him' }), NUMBER],
		['login-code-template', 'no number', withRow({ phone: '' }), /The recipient is empty/],
		[
			'login-code-template',
			'no code',
			withRow({ code: '' }),
			/\(12025550111\): Placeholder 1 is empty/,
		],
		['login-code-template', 'a refused key', withRefusedKey, KEY],
		['ask-with-a-form', 'a number that is none', withRow({ phone: 'ask him' }), NUMBER],
		['ask-with-a-form', 'no number', withRow({ phone: '' }), /The recipient is empty/],
		['ask-with-a-form', 'no name', withRow({ name: ' ' }), INCOMPLETE],
		['ask-with-a-form', 'no order', withRow({ order: '' }), INCOMPLETE],
		['ask-with-a-form', 'no text', withoutText, /\(12025550111\): 'Message' is empty/],
		['ask-with-a-form', 'a refused key', withRefusedKey, KEY],
	] as const) {
		it(`${name}, ${what}: the execution is red and says so`, async () => {
			const workflow = await imported(stage, name, live, change);
			const { execution, accepted, error } = await started(workflow, START);
			assert.match(error ?? `The execution is ${execution.status}`, sentence);
			assert.deepEqual(accepted, []);
		});
	}

	it('ask-with-a-form: when nobody fills it in in time, the execution is red and names the person', async () => {
		const workflow = await imported(stage, 'ask-with-a-form', (parameters, node) => {
			if (node === 'Wait for the form')
				Object.assign(parameters, { resumeAmount: 2, resumeUnit: 'seconds' });
		});
		const { error } = await started(workflow, START);
		assert.match(
			error ?? 'The execution is green',
			/^Order A-1042: Ada Brown \(12025550111\) has not filled in the form in time/,
		);
	});
});
