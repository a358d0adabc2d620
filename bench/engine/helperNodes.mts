import type { IDataObject, IExecuteFunctions, IHttpRequestOptions, INodeType } from 'n8n-workflow';

const CREDENTIAL = 'messagingApi';

type Send = (request: IHttpRequestOptions) => Promise<unknown>;

/** Sends a message per item through one of n8n's helpers, so many at once, and checks no answer. */
const looping = (
	name: string,
	url: string,
	concurrency: number,
	options: Partial<IHttpRequestOptions>,
	sendWith: (context: IExecuteFunctions) => Send | Promise<Send>,
): INodeType => ({
	description: {
		displayName: name,
		name,
		version: 1,
		group: ['output'],
		description: '',
		defaults: {},
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: CREDENTIAL }],
		properties: [],
	},
	async execute(this: IExecuteFunctions) {
		const items = this.getInputData();
		const send = await sendWith(this);
		const output = new Array<{ json: IDataObject; pairedItem: { item: number } }>(items.length);
		let next = 0;
		const worker = async () => {
			while (next < items.length) {
				const item = next++;
				const { phone, text } = items[item].json;
				const answer = (await send({
					method: 'POST',
					url: `${url}/api/public/conversation/text`,
					body: { from: '385910000000', to: phone, message: text },
					json: true,
					...options,
				})) as { body?: { data: IDataObject }; data: IDataObject };
				output[item] = { json: (answer.body ?? answer).data, pairedItem: { item } };
			}
		};
		await Promise.all(Array.from({ length: concurrency }, worker));
		return [output];
	},
});

/** What keeps n8n's helper from work that nobody needs here, and from following redirects. */
const LEAN: Partial<IHttpRequestOptions> = {
	timeout: 60_000,
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
};

const withKey =
	({ helpers }: IExecuteFunctions): Send =>
	async (request) =>
		await helpers.httpRequest({ ...request, headers: { apiKey: 'key' } });

/**
 * n8n's helpers in a loop and nothing else: no parameter, no check of an answer. By the type they have in
 * this benchmark.
 */
export const helperNodes = (url: string, concurrency: number): Record<string, INodeType> => ({
	'bench.helper': looping('Helper', url, concurrency, {}, withKey),
	'bench.helperLean': looping('Helper, lean', url, concurrency, LEAN, withKey),
	'bench.helperCredential': looping(
		'Helper, credential',
		url,
		concurrency,
		LEAN,
		async (context) => {
			const data = await context.getCredentials(CREDENTIAL);
			const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL, data };
			const { httpRequestWithAuthentication } = context.helpers;
			return async (request) =>
				await httpRequestWithAuthentication.call(context, CREDENTIAL, request, {
					credentialsDecrypted,
				});
		},
	),
});
