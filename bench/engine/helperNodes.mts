import type { IDataObject, IExecuteFunctions, INodeType } from 'n8n-workflow';

/**
 * The limit of the platform: n8n's bare `httpRequest` helper, called with what costs least, so many
 * times at once; no parameter, no credential, no check of the answer.
 */
export const bareHelper = (url: string, concurrency: number): INodeType => ({
	description: {
		displayName: 'Bare Helper',
		name: 'bareHelper',
		version: 1,
		group: ['output'],
		description: '',
		defaults: {},
		inputs: ['main'],
		outputs: ['main'],
		properties: [],
	},
	async execute(this: IExecuteFunctions) {
		const items = this.getInputData();
		const output = new Array<{ json: IDataObject; pairedItem: { item: number } }>(items.length);
		let next = 0;
		const worker = async () => {
			while (next < items.length) {
				const item = next++;
				const { phone, text } = items[item].json;
				const { body } = (await this.helpers.httpRequest({
					method: 'POST',
					url: `${url}/api/public/conversation/text`,
					headers: { apiKey: 'key' },
					body: { from: '385910000000', to: phone, message: text },
					timeout: 60_000,
					json: true,
					returnFullResponse: true,
					ignoreHttpStatusErrors: true,
					disableFollowRedirect: true,
				})) as { body: { data: IDataObject } };
				output[item] = { json: body.data, pairedItem: { item } };
			}
		};
		await Promise.all(Array.from({ length: concurrency }, worker));
		return [output];
	},
});
