import { Type } from 'typebox';
import { FaultRule } from './faults/rules.mts';
import { finalText } from './finalText.mts';
import type { App } from './http/app.mts';
import { Refusal } from './http/failures.mts';
import { ChannelTemplate } from './interface/records.mts';
import { IdParams } from './interface/requests.mts';
import { Settings } from './settings.mts';
import type { Directory } from './state/directory.mts';
import type { AcceptedMessage } from './state/messageStore.mts';
import { jsonCall } from './webhook/payloads.mts';
import { Registration } from './webhook/webhook.mts';
import type { World } from './world.mts';

/** Adds the control API under `/_sandbox`. It is not part of the service's interface, and needs no key. */
export function control(app: App, sandbox: SandboxControl): void {
	allowEmptyBodies(app);
	controlSandbox(app, sandbox);
	controlWebhook(app);
	controlCampaigns(app);
	controlFaults(app);
	controlAccepted(app);
	controlRequests(app);
	controlTemplates(app);
}

/** Accepts an empty body with the content type JSON, because many HTTP clients send it. */
function allowEmptyBodies(app: App): void {
	const parse = app.getDefaultJsonParser('error', 'error');
	app.removeContentTypeParser('application/json');
	app.addContentTypeParser<string>(
		'application/json',
		{ parseAs: 'string' },
		(request, body, done) => {
			if (body.trim() === '') done(null, undefined);
			else parse(request, body, done);
		},
	);
}

/** The parts of the whole sandbox that the control API uses. */
export interface SandboxControl {
	readonly apiKey: string;
	url(): string;
	reset(settings: Partial<Settings>): World;
}

const ResetBody = Type.Union([
	Type.Partial(Settings, { additionalProperties: false }),
	Type.Null(),
]);

/** `GET /_sandbox/health` and `POST /_sandbox/reset`. */
function controlSandbox(app: App, sandbox: SandboxControl): void {
	app.get('/health', async () => ({ ok: true, url: sandbox.url(), apiKey: sandbox.apiKey }));

	app.post('/reset', { schema: { body: Type.Optional(ResetBody) } }, async ({ body }) => {
		const world = sandbox.reset(body ?? {});
		return { ok: true, settings: world.settings };
	});
}

const Push = Type.Object(
	{ smsReport: Type.Optional(Type.String()), body: Type.Optional(Type.Unknown()) },
	{ additionalProperties: false },
);

/** Registers the webhook; how users of the service do that is not documented. */
function controlWebhook(app: App): void {
	app.put('/webhook', { schema: { body: Registration } }, async ({ world, body }) => {
		if (!URL.canParse(body.url)) throw new Refusal(400, '"url" is not valid');
		world.webhook.registration = body;
		return { ok: true, webhook: body };
	});

	app.get('/webhook', async ({ world }) => ({ webhook: world.webhook.registration }));

	app.delete('/webhook', async ({ world }) => {
		world.webhook.registration = null;
		return { ok: true, webhook: null };
	});

	app.get('/webhook/deliveries', async ({ world }) => world.webhook.deliveries);

	app.post('/webhook/push', { schema: { body: Push } }, async ({ world, body }) => {
		const report =
			body.smsReport === undefined ? body.body : world.directory.smsReport(body.smsReport);
		if (report === undefined) throw new Refusal(404, 'There is nothing to push');
		if (!world.webhook.push(jsonCall(report))) throw new Refusal(409, 'No webhook is registered');
		return { ok: true };
	});
}

/** The most campaigns that `GET /campaigns` lists. */
const campaignsListed = 100;

/** Lists the last campaigns, and completes one early. */
function controlCampaigns(app: App): void {
	app.get('/campaigns', async ({ world }) => world.campaigns.list(campaignsListed));

	app.post(
		'/campaigns/:id/complete',
		{ schema: { params: IdParams } },
		async ({ world, params: { id } }) => {
			const completedNow = world.campaigns.complete(id);
			if (completedNow === null) throw new Refusal(404, `There is no campaign ${id}`);
			return { ok: true, campaign_id: id, completedNow };
		},
	);
}

/** Adds, shows and removes fault rules. */
function controlFaults(app: App): void {
	app.post('/faults', { schema: { body: Type.Array(FaultRule) } }, async ({ world, body }) => {
		world.faults.add(body);
		return world.faults.list();
	});

	app.get('/faults', async ({ world }) => world.faults.list());

	app.delete('/faults', async ({ world }) => {
		world.faults.clear();
		return [];
	});
}

/** Shows the accepted messages, so that a test can prove that none was lost or sent twice. */
function controlAccepted(app: App): void {
	app.get('/counts', async ({ world }) => countsOf(world));

	app.get(
		'/accepted',
		{ schema: { querystring: Type.Object({ recipient: Type.Optional(Type.String()) }) } },
		async ({ world, query }) => acceptedIn(world, query.recipient),
	);
}

/** What has arrived, and how often each recipient and each identifier was accepted. */
export function countsOf({ traffic, messages: store, campaigns }: World) {
	const { messages, byRecipient, byIdentifier } = store.tally();
	const times = Object.values(byRecipient);
	return {
		...traffic.counts(),
		accepted: { messages, campaigns: campaigns.count, byRecipient, byIdentifier },
		maxPerRecipient: times.reduce((most, count) => Math.max(most, count), 0),
	};
}

/** The accepted messages to one recipient, or all of them, each with the text that the recipient reads. */
export const acceptedIn = ({ messages, directory }: World, recipient?: string) =>
	messages
		.acceptedBy(recipient)
		.map((message) => ({ ...shown(message), ...readBy(message, directory) }));

function shown({ id, endpoint, run, draft }: AcceptedMessage) {
	return {
		at: new Date(run.startedAt).toISOString(),
		endpoint,
		id,
		from: run.from,
		...draft,
		campaign_id: endpoint === 'sendCampaign' ? run.id : undefined,
	};
}

/** The text that the recipient reads, or in `textMissing` the reason why there is none. */
function readBy(
	{ run, draft }: AcceptedMessage,
	directory: Directory,
): { text?: string | undefined; textMissing?: string } {
	const { message, template } = draft;
	if (!template) return { text: message };
	const channel = directory.sender(run.from);
	const translations = channel
		? directory.templates(channel).filter(({ name }) => name === template.name)
		: [];
	const filled = finalText(translations, template);
	if ('text' in filled) return filled;
	return { textMissing: 'refused' in filled ? `refused: ${filled.refused}` : filled.unknown };
}

const LastQuery = Type.Object({
	last: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,3}$' })),
});

/** Shows the last requests, with the API key masked. */
function controlRequests(app: App): void {
	app.get('/requests', { schema: { querystring: LastQuery } }, async ({ world, query }) =>
		world.traffic.last(Number(query.last ?? 50)),
	);
}

/** Replaces the templates of the main channel until the next reset. */
function controlTemplates(app: App): void {
	app.put(
		'/templates',
		{ schema: { body: Type.Array(ChannelTemplate) } },
		async ({ world, body }) => {
			world.directory.replaceMainTemplates(body);
			return { ok: true, templates: body.length };
		},
	);
}
