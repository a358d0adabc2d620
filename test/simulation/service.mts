import { misbehaviourOf } from '../../sandbox/faults/misbehaviour.mts';
import { type Endpoint, endpoints } from '../../sandbox/interface/endpoints.mts';
import { messageRecord } from '../../sandbox/interface/records.mts';
import type { ChannelTemplate, TemplateComponent } from '../../sandbox/interface/records.mts';
import { finalText } from '../../sandbox/finalText.mts';
import { seedChannels } from '../../sandbox/seed/channels.mts';
import { Job, type NodeRun } from '../support/n8n/installation.mts';
import type { Owner } from '../support/n8n/owners.mts';
import { type Fault, FAULTS, KEY_OF_REQUEST } from './faults.mts';
import { Log } from './log.mts';
import type { Answer, Arrival, Exchange, Passage } from './network.mts';
import type { World } from './world.mts';

/** The API key. It is like no other text, so a key in an output or a log is a leak. */
export const KEY = 'key-that-nobody-may-see';
export const ADDRESS = 'http://service.test';

/** The sender of all messages: the sandbox's first channel. */
const [CHANNEL] = seedChannels;
export const SENDER = CHANNEL.phone!;

const template = (name: string, ...components: TemplateComponent[]): ChannelTemplate => ({
	category: 'ALERT_UPDATE',
	components,
	language: 'en_US',
	name,
	namespace: 'bakery',
	rejected_reason: null,
	status: 'submitted',
});

/** Templates whose placeholders are not in the order of their numbers, as a translator may write them. */
export const TEMPLATES: readonly ChannelTemplate[] = [
	template('opening_hours', { type: 'BODY', text: 'We are open from 7 to 18.' }),
	template(
		'order_ready',
		{ type: 'HEADER', format: 'TEXT', text: 'For {{1}}' },
		{ type: 'BODY', text: 'Order {{2}} is ready, {{1}}.' },
	),
	template('order_named', { type: 'BODY', text: 'Order {{order}} is ready, {{name}}.' }),
];

/** A message that the service has accepted, whatever it answered. */
export interface Accepted {
	id: string;
	at: number;
	request: number;
	endpoint: 'sendText' | 'sendTemplate' | 'sendCampaign';
	/** The number as it was sent. */
	to: string;
	digits: string;
	identifier: string | undefined;
	campaignId: string;
	externalId: string;
	/** The text that the recipient reads; undefined if the provider's rule is unknown. */
	text: string | undefined;
	/** The message as it was sent, as JSON. */
	sent: string;
	/** The execution that sent it. */
	owner: Owner | undefined;
	/** The run of the node that sent it. */
	run: NodeRun | undefined;
	/** Its place in the request. */
	index: number;
	/** From this moment on the logs show it. */
	loggedAt: number;
}

/** A message that arrived, accepted or not. */
export type Attempt = Pick<
	Accepted,
	'request' | 'digits' | 'identifier' | 'sent' | 'owner' | 'run'
>;

type Json = Record<string, any>;

export const digitsOf = (phone: unknown): string => String(phone).replace(/\D/g, '');

/**
 * The messaging service, as its interface describes it. It may accept a message and lose the answer.
 */
export class Service {
	readonly accepted: Accepted[] = [];

	/** All messages that arrived, accepted or not. */
	readonly attempts: Attempt[] = [];

	/** Each request that arrived, without its headers: the address and the body. */
	readonly sent: string[] = [];

	readonly #world: World;

	#left = 0;

	#requests = 0;

	/** ms that the service's clock is ahead of n8n's. */
	readonly #skew: number;

	readonly log: Log;

	/** At least one request has failed. */
	hasTroubled = false;

	/** The probability that a request fails. */
	trouble: number;

	/** No request gets there. */
	isAway = false;

	constructor(world: World) {
		this.#world = world;
		const { choices } = world;
		this.#skew = choices.oneOf('service/clock ahead by', [0, 0, 0, 2000, -2000, 90_000, -90_000]);
		this.log = new Log(world, this.#skew);
		this.trouble = choices.oneOf('service/trouble', [0, 0.1, 0.3, 0.6]);
	}

	get now(): number {
		return this.#world.clock.now + this.#skew;
	}

	/** Decides, when a request leaves, whether it arrives. */
	passageOf({ method, path }: Exchange): Passage {
		const { choices } = this.#world;
		const question = `connection ${++this.#left}`;
		const after = choices.int(`${question}/ms`, 1, 40);
		if (this.isAway || choices.chance(`${question}/refused`, this.trouble / 5)) {
			this.hasTroubled = true;
			const code = choices.oneOf(`${question}/why`, ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);
			this.#world.tell(`${method} ${path} does not get there (${code})`);
			return { refusedAfter: after, code };
		}
		return { arrivesAfter: after };
	}

	/** Accepts a request, or does not, and returns the answer. */
	arrive(request: Omit<Arrival, 'number'>): Answer {
		const arrival = { ...request, number: ++this.#requests };
		this.sent.push(`${request.path}?${String(request.query)} ${JSON.stringify(request.body)}`);
		if (request.path === '/api/public/chatapp/campaign') {
			const { messages } = request.body as { messages: Json[] };
			for (const message of messages) {
				const { to, identifier } = message;
				const sent = JSON.stringify(message);
				const { number, owner } = arrival;
				const digits = digitsOf(to);
				const run = runOf(owner);
				this.attempts.push({ request: number, digits, identifier, sent, owner, run });
			}
		}
		const fault = this.#faultFor(arrival);
		if (fault) this.hasTroubled = true;
		const acts = !fault || this.#acts(fault, arrival.number);
		const proper = acts ? this.#serve(arrival) : undefined;
		const answer = fault ? this.#failed(fault, arrival, proper) : proper!;
		const { choices } = this.#world;
		const after = answer.after ?? choices.int(`request ${arrival.number}/ms`, 1, 60);
		this.#tell(arrival, fault, acts, answer);
		const isFault = fault !== undefined;
		return { ...answer, after, isFault, headers: { ...HEADERS, ...answer.headers } };
	}

	#faultFor({ method, number }: Arrival): Fault | undefined {
		const { choices } = this.#world;
		if (!choices.chance(`request ${number}/trouble`, this.trouble)) return undefined;
		const candidates = FAULTS.filter(({ on }) => on !== 'POST' || method === 'POST');
		const name = choices.oneOf(`request ${number}/fault`, [
			'none',
			...candidates.map((f) => f.name),
		]);
		return candidates.find((fault) => fault.name === name);
	}

	#acts({ acts }: Fault, number: number): boolean {
		if (acts !== 'either') return acts === 'yes';
		return this.#world.choices.chance(`request ${number}/accepts all the same`, 0.5);
	}

	/** Returns what comes back because of a fault; `proper` is the answer of a service that has acted. */
	#failed({ failure }: Fault, { number, path, headers }: Arrival, proper?: Answer): Answer {
		const { choices } = this.#world;
		const variants = typeof failure === 'function' ? failure(this.now) : { only: failure };
		const chosen = variants[choices.oneOf(`request ${number}/which`, Object.keys(variants))];
		const answer = proper ?? success(null);
		if (chosen.kind === 'upgrade') return { status: 101, body: '' };
		if (chosen.kind === 'cut' || chosen.kind === 'drip' || chosen.kind === 'unreachable')
			return { ...answer, shape: chosen.kind };
		const reply = misbehaviourOf(chosen, endpointOf(path), proper?.body ?? null);
		if (reply.kind === 'delay') return { ...answer, after: reply.ms };
		if (reply.kind !== 'answer') return { ...answer, shape: reply.kind };
		return { ...reply, body: reply.body.replace(KEY_OF_REQUEST, headers.apikey ?? '') };
	}

	#tell(
		{ number, method, path, body, owner }: Arrival,
		fault: Fault | undefined,
		acts: boolean,
		answer: Answer,
	) {
		const count = (body as Json | undefined)?.messages?.length;
		const what = `request ${number}: ${method} ${path}${count ? ` with ${count} messages` : ''} from ${String(owner)}`;
		const fate = method === 'GET' ? '' : acts && answer.status ? ', accepted' : ', not accepted';
		const shape = answer.shape && answer.shape !== 'whole' ? ` (${answer.shape})` : '';
		const line = `${what}${fault ? `${fate}, ${fault.name}${shape}` : ` → ${answer.status}`}`;
		this.#world.tell(line, fault ? undefined : `${method} ${path} → ${answer.status}`);
	}

	#serve(arrival: Arrival): Answer {
		const { method, path, headers, query } = arrival;
		if (headers.apikey !== KEY) return refusal(401, 'Invalid API Key');
		if (method === 'POST') return this.#take(arrival);
		if (path === endpoints.getChannels.path) return success([CHANNEL]);
		if (path === ofChannel(endpoints.getChannel)) return success(CHANNEL);
		if (path === ofChannel(endpoints.getChannelTemplates)) {
			return json({ success: true, message: 'OK', body: TEMPLATES });
		}
		if (path === endpoints.getLogs.path) {
			return json(this.log.page(query));
		}
		return refusal(404, 'No such path');
	}

	#take(arrival: Arrival): Answer {
		const body = arrival.body as Json;
		if (digitsOf(body.from) !== SENDER) return refusal(422, 'Unknown sender');
		if (arrival.path === endpoints.sendText.path) {
			const [message] = this.#accept(arrival, 'sendText', [
				{ to: body.to, text: body.message, sent: JSON.stringify(body) },
			]);
			const { id, externalId, at } = message;
			const sender = CHANNEL.name;
			return success(
				messageRecord({ id, externalId, conversationId: id, text: body.message, sender, at }),
			);
		}
		const messages = body.messages as Json[];
		const drafts: Draft[] = [];
		for (const message of messages) {
			const { to, template, identifier } = message;
			if (!template?.name) return refusal(400, '"template" is required');
			const found = TEMPLATES.find(({ name }) => name === template.name);
			if (!found) return refusal(422, 'No such template');
			const text = textRead(found, template);
			drafts.push({ to, identifier, text, sent: JSON.stringify(message) });
		}
		if (arrival.path === endpoints.sendTemplate.path) {
			const taken = this.#accept(arrival, 'sendTemplate', drafts);
			return success(taken.map(({ externalId }) => ({ status: 'success', response: externalId })));
		}
		const [{ campaignId }] = this.#accept(arrival, 'sendCampaign', drafts);
		return success({ campaign_id: campaignId });
	}

	#accept(
		{ number, owner }: Pick<Arrival, 'number' | 'owner'>,
		endpoint: Accepted['endpoint'],
		drafts: Draft[],
	): Accepted[] {
		const { choices, clock } = this.#world;
		const lag = choices.oneOf(`request ${number}/logged after`, [0, 500, 2500, 8000, 60_000]);
		const taken = drafts.map(
			(draft, index): Accepted => ({
				id: idOf('a', number, index),
				index,
				at: clock.now,
				request: number,
				endpoint,
				to: draft.to,
				digits: digitsOf(draft.to),
				identifier: draft.identifier,
				campaignId: idOf('c', number, endpoint === 'sendCampaign' ? 0 : index),
				externalId: `chat-${number}-${index}`,
				text: draft.text,
				sent: draft.sent,
				owner,
				run: runOf(owner),
				loggedAt: clock.now + lag,
			}),
		);
		this.accepted.push(...taken);
		return taken;
	}

	/** Accepts messages that somebody else sends, such as another workflow. @returns the messages */
	takeFromElsewhere(count: number): Accepted[] {
		const number = ++this.#requests;
		const drafts = Array.from({ length: count }, (_, index) => ({
			to: `38591500${String(1000 + index)}`,
			text: undefined,
			sent: '',
			identifier: `elsewhere-${number}-${index}`,
		}));
		return this.#accept({ number, owner: undefined }, 'sendCampaign', drafts);
	}
}

/** The run of a node that sends now: n8n runs the nodes of an execution one after the other. */
const runOf = (owner: Owner | undefined) => (owner instanceof Job ? owner.runs.at(-1) : undefined);

const HEADERS = { 'content-type': 'application/json; charset=utf-8' };

interface Draft {
	to: string;
	text: string | undefined;
	sent: string;
	identifier?: string;
}

const json = (body: object, status = 200): Answer => ({ status, body: JSON.stringify(body) });

const success = (data: unknown): Answer => json({ success: true, message: 'OK', data });

const refusal = (status: number, message: string): Answer =>
	json({ success: false, message, data: null }, status);

const idOf = (kind: string, request: number, index: number) =>
	`${kind}${String(request).padStart(7, '0')}-0000-4000-8000-${String(index).padStart(12, '0')}`;

const ofChannel = ({ path }: Endpoint) => path.replace(':id', CHANNEL.id);

const endpointOf = (path: string): Endpoint =>
	Object.values(endpoints).find((endpoint) => ofChannel(endpoint) === path) ?? endpoints.sendText;

/** Returns the text that the recipient reads; undefined if the provider's rule for this format is unknown. */
function textRead(found: ChannelTemplate, sent: Json): string | undefined {
	const filled = finalText([found], sent);
	if ('text' in filled) return filled.text;
	return 'refused' in filled ? `(nothing: the provider finds that ${filled.refused})` : undefined;
}
