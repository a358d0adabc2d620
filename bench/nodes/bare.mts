import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { setTimeout as sleep } from 'timers/promises';
import { SENDER, TEMPLATE } from '../service/answers.mts';

/*
 * Nodes of this benchmark. Each does the least that any node must do for the same work: a request through n8n's helper, the
 * mapping of a campaign's recipients. None of them checks anything.
 */

const CREDENTIAL = 'messagingApi';

const description = (name: string): INodeTypeDescription => ({
	displayName: name,
	name,
	version: 1,
	group: ['output'],
	description: '',
	defaults: {},
	inputs: ['main'],
	outputs: ['main'],
	properties: [],
	credentials: [{ name: CREDENTIAL }],
});

/** Requests in flight; of our node, too (ours.mts). */
const AT_ONCE = 50;

/** The options of our own requests. */
const OUR_OPTIONS: Partial<IHttpRequestOptions> = {
	timeout: 60_000,
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
};

const post = async ({ helpers }: IExecuteFunctions, request: IHttpRequestOptions) =>
	(await helpers.httpRequest({
		method: 'POST',
		json: true,
		headers: { apiKey: 'key' },
		...request,
	})) as IDataObject & { body?: IDataObject };

/** Posts with the API key of the credential, which is read once. */
async function posterOf(context: IExecuteFunctions): Promise<typeof post> {
	const data = await context.getCredentials(CREDENTIAL);
	const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL, data };
	return async ({ helpers }, request) =>
		(await helpers.httpRequestWithAuthentication.call(
			context,
			CREDENTIAL,
			{ method: 'POST', json: true, ...request },
			{ credentialsDecrypted },
		)) as IDataObject & { body?: IDataObject };
}

/** Sends one message per item, with some requests in flight. */
const helper = (
	name: string,
	url: string,
	concurrency: number,
	hasCredential = false,
): INodeType => ({
	description: description(name),
	async execute(this: IExecuteFunctions) {
		const items = this.getInputData();
		const send = hasCredential ? await posterOf(this) : post;
		const output = new Array<INodeExecutionData>(items.length);
		let next = 0;
		const worker = async () => {
			while (next < items.length) {
				const item = next++;
				const { phone, text } = items[item].json;
				const answer = await send(this, {
					url: `${url}/api/public/conversation/text`,
					body: { from: SENDER, to: phone, message: text },
					...OUR_OPTIONS,
				});
				const { data } = answer.body!;
				output[item] = { json: data as IDataObject, pairedItem: { item } };
			}
		};
		await Promise.all(Array.from({ length: concurrency }, worker));
		return [output];
	},
});

/** Maps the recipients to the body of Campaign Send, sends it, and outputs an item per recipient. */
const campaign = (url: string): INodeType => ({
	description: description('Bare campaign'),
	async execute(this: IExecuteFunctions) {
		const items = this.getInputData();
		const messages = items.map(({ json: { phone, order } }) => ({
			to: phone,
			template: { name: TEMPLATE },
			identifier: order,
		}));
		const { data } = await post(this, {
			url: `${url}/api/public/chatapp/campaign`,
			body: { from: SENDER, messages },
		});
		return [
			messages.map(({ to, identifier }, item) => ({
				json: { to, identifier, ...(data as IDataObject) } as IDataObject,
				pairedItem: { item },
			})),
		];
	},
});

/**
 * Outputs as many items as it gets, or a fixed number. Its pauses keep apart what n8n itself does in one piece.
 *
 * @param count of the items of logs, where the input is one item
 */
const onlyItems = (name: string, count?: number): INodeType => ({
	description: description(name),
	async execute(this: IExecuteFunctions) {
		await sleep(0);
		const { length } = this.getInputData();
		const items = Array.from({ length: count ?? length }, (_, index) => ({
			json: { index },
			pairedItem: { item: 0 },
		}));
		await sleep(0);
		return [items];
	},
});

/** The nodes by their type. */
export const bareNodes = (url: string): Record<string, INodeType> => ({
	'bench.helper': helper('Helper', url, AT_ONCE),
	'bench.helperCredential': helper('Helper, credential', url, AT_ONCE, true),
	'bench.serial': helper('Serial', url, 1),
	'bench.bareCampaign': campaign(url),
	'bench.n8nAlone': onlyItems('Only items'),
	'bench.n8nAloneLogs': onlyItems('Only items of logs', 300_000),
});
