/*
 * The least that a trigger of a community package does, so that the benchmark can tell what n8n takes for any such
 * node from what ours takes. It writes down a number in the workflow's static data, if it is told to.
 */
class BareTrigger {
	constructor() {
		this.description = {
			displayName: 'Bare Trigger',
			name: 'bareTrigger',
			group: ['trigger'],
			version: 1,
			description: 'Starts the workflow, and does nothing else',
			defaults: { name: 'Bare Trigger' },
			inputs: [],
			outputs: ['main'],
			credentials: [{ name: 'messagingApi', required: false }],
			webhooks: [
				{
					name: 'default',
					httpMethod: 'POST',
					responseMode: 'onReceived',
					responseData: '',
					path: 'webhook',
				},
			],
			properties: [
				{ displayName: 'Writes', name: 'writes', type: 'boolean', default: false },
				{ displayName: 'Reads', name: 'reads', type: 'boolean', default: false },
			],
		};
	}

	async webhook() {
		if (this.getNodeParameter('reads', false)) await this.getCredentials('messagingApi');
		const body = this.getBodyData();
		if (this.getNodeParameter('writes', false)) {
			const data = this.getWorkflowStaticData('node');
			data.calls = (data.calls ?? 0) + 1;
		}
		return { webhookResponse: { message: 'Accepted.' }, workflowData: [[{ json: { body } }]] };
	}
}

module.exports = { BareTrigger };
