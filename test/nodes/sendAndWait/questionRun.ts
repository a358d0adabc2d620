import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	IWebhookResponseData,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { WebhookContext } from 'n8n-core';
import nock from 'nock';
import {
	credentials,
	serve,
	success,
	withTemplates,
	type ServiceRequest,
} from '../../support/mockService';
import type { Harness } from '../../support/harness';
import { webhookContext, WebhookResponse } from '../../support/n8n';
import { sending } from '../../support/runMessaging';
import { Execution, type Plan } from '../execution';

export const SESSION = '/api/public/conversation/text';
export const TEMPLATE = '/api/public/conversation/template';

export const THANKS = 'Thank you. Your answer has been recorded, and you can close this page.';
export const CLOSED = 'This question is no longer open, and takes no more answers.';

export const TO = '385911000001';
export const QUESTION = 'May we ship order 12?';

/** A service that accepts every message and answers as documented. */
export const accepting = ({ path }: ServiceRequest) =>
	path === SESSION
		? success({ id: 'm1', content: 'x', contentType: 'TEXT' })
		: success([{ status: 'success', response: 'p1' }]);

/** Parameters of a question to {@link TO}. */
const question = (more: INodeParameters) =>
	sending('sendAndWait', { to: TO, message: QUESTION, ...more });

/** Two buttons with these labels. */
export const approveOr = (approveLabel: string, disapproveLabel: string): INodeParameters => ({
	approvalOptions: { values: { approvalType: 'double', approveLabel, disapproveLabel } },
});

export const freeText = (options: INodeParameters = {}): INodeParameters => ({
	responseType: 'freeText',
	options,
});

/** The response to a request to a link. */
export type Page = {
	status?: number;
	html: string;
	/** The heading: on a page that asks nothing, the whole sentence. */
	heading?: string;
	headers: Record<string, string>;
	/** The answer with which the workflow continues; undefined while the question is open. */
	answer?: IDataObject;
	result: IWebhookResponseData;
};

/** An execution that sends a question, and the requests to its links, both run by n8n's engine. */
export class QuestionRun {
	private constructor(
		private readonly harness: Harness,
		private readonly execution: Execution,
		private readonly name: string,
	) {}

	static async start(
		harness: Harness,
		parameters: INodeParameters,
		{ items = [{}], node = {}, address, mode, resumeToken }: Partial<Plan> = {},
	): Promise<QuestionRun> {
		const ask = { id: 'ask-id', name: 'Ask', ...node };
		const plan = { parameters, items, credentials, node: ask, address, mode, resumeToken };
		return new QuestionRun(harness, await Execution.start(harness, plan), ask.name);
	}

	/** A person's *Retry*, after n8n was killed while it continued with the answer. */
	async retryAfter({ result }: Page): Promise<QuestionRun> {
		const retried = await this.execution.retryAfterAnswer(result.workflowData!);
		return new QuestionRun(this.harness, retried, this.name);
	}

	/** What n8n has saved of the execution. */
	private get data() {
		return this.execution.saved.data;
	}

	get isWaiting() {
		return this.data.waitTill !== undefined;
	}

	get waitTill() {
		return this.data.waitTill && new Date(this.data.waitTill);
	}

	/** The context that all nodes of the execution share. */
	get shared() {
		return this.data.executionData!.contextData.flow;
	}

	get error() {
		return this.data.resultData.error?.message;
	}

	/** The notices above the output of the node. */
	get hints() {
		return this.execution.hints;
	}

	/** The output of the node. While the execution waits, it is the output for the case that nobody answers. */
	get items(): INodeExecutionData[] {
		return this.execution.items;
	}

	/** The input of the waiting node, which n8n outputs when the time is up. */
	get unanswered(): INodeExecutionData[] {
		return this.data.executionData!.nodeExecutionStack[0].data.main[0]!;
	}

	/** Opens a link, or submits the form `sent` to it. `broken` replaces methods of n8n's context. */
	async open(link: string, sent?: unknown, broken: Partial<WebhookContext> = {}): Promise<Page> {
		const response = new WebhookResponse();
		const request = {
			method: sent === undefined ? 'GET' : 'POST',
			headers: {},
			params: {},
			query: Object.fromEntries(new URL(link).searchParams),
			body: sent === EMPTY ? undefined : sent,
		};
		const additionalData = this.harness.additionalData(credentials, {
			httpRequest: request,
			httpResponse: response,
		} as unknown as Partial<IWorkflowExecuteAdditionalData>);
		const { harness, data } = this;
		const workflow = this.execution.workflow;
		const node = workflow.getNode(this.name)!;
		const core = { WebhookContext };
		const context = webhookContext(core, workflow, node, 'manual', additionalData, data);
		Object.assign(context, broken);
		const result = await workflow.expression.withIsolate(
			async () => await harness.nodeTypes.getByNameAndVersion(node.type).webhook!.call(context),
		);
		const html = typeof response.body === 'string' ? response.body : '';
		return {
			html,
			result,
			headers: response.headers,
			...(response.answers > 0 && { status: response.statusCode }),
			heading: /<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1],
			answer: result.workflowData?.[0][0].json.data as IDataObject | undefined,
		};
	}
}

/** A POST without a body, for which n8n gives undefined. */
export const EMPTY = Symbol('empty');

/** The templates of the service: the chosen one, with the placeholders that are filled in. */
const templatesFor = ({ templateParameters }: INodeParameters) => {
	const { value } = (templateParameters ?? { value: {} }) as { value: object };
	const text = Object.keys(value).map((id) => `{{${id}}}`);
	return [{ name: 'ask', components: [{ type: 'BODY', text: `Hi. ${text.join(' ')}` }] }];
};

/**
 * Returns a function that asks. It returns the execution, the requests to the service and their links, and in `outcome` what a
 * person sees of it.
 */
export const asking =
	(harness: Harness) =>
	async (
		parameters: INodeParameters = {},
		plan: Partial<Plan> = {},
		answer: Parameters<typeof serve>[0] = accepting,
		templates: object[] = templatesFor(parameters),
	) => {
		nock.cleanAll();
		const all = serve(
			withTemplates(templates, (asked) => (typeof answer === 'function' ? answer(asked) : answer)),
		);
		const run = await QuestionRun.start(harness, question(parameters), plan);
		const asked = all.filter(({ method }) => method === 'POST');
		const links = linksIn(asked);
		const { isWaiting, error } = run;
		const outcome = { sent: asked.map(({ path }) => path), isWaiting, error };
		return { run, asked, outcome, links, link: links[0] };
	};

/** The links in a text, in order. */
export const linksIn = (value: unknown) =>
	[...JSON.stringify(value).matchAll(/https:\/\/n8n\.test\/[^\s"\\]+/g)].map(([link]) => link);

/** The text of a session message request. */
export const messageOf = ({ body }: ServiceRequest) => (body as { message: string }).message;
