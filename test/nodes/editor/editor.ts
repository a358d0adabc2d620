import type {
	IDataObject,
	INode,
	INodeListSearchResult,
	INodeParameters,
	INodeType,
	ResourceMapperFields,
} from 'n8n-workflow';
import { LoadOptionsContext } from 'n8n-core';
import {
	credentials,
	failure,
	listing,
	serve,
	success,
	type ServiceRequest,
} from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { chosen, SENDER } from '../../support/runMessaging';
import { pageOf as logPage, record } from '../report/logService';

/* Calls the node's list and resource mapper methods as the editor does. The test chooses the data of the service. */

export const harness = useHarness();

export const LISTS = [
	'searchCampaigns',
	'searchSenders',
	'searchChannels',
	'searchOtpTemplates',
	'searchTemplates',
] as const;
export type List = (typeof LISTS)[number];

/** The parameters of a node with a selected sender and template. */
export const CHOSEN = { from: chosen('list', SENDER), template: chosen('list', 'order_update') };

/** Calls a method of the node as the editor's backend does. */
async function call<T>(
	kind: 'listSearch' | 'resourceMapping',
	method: string,
	parameters: IDataObject,
	args: unknown[] = [],
	own = credentials,
	more: Partial<INode> = {},
): Promise<T> {
	const currentNodeParameters = parameters as INodeParameters;
	const workflow = harness.workflow([harness.node('messaging', currentNodeParameters, more)]);
	const [node] = Object.values(workflow.nodes);
	const additionalData = harness.additionalData(own, { currentNodeParameters });
	const context = new LoadOptionsContext(workflow, node, additionalData, 'parameters.x');
	const { methods } = harness.nodeTypes.getByNameAndVersion(node.type) as INodeType;
	const all = methods![kind] as Record<string, (...args: unknown[]) => Promise<T>>;
	return await workflow.expression.withIsolate(async () => await all[method].apply(context, args));
}

/** Opens a list, or with `token` its next page. */
export const search = async (
	list: List | 'searchLanguages',
	{
		filter,
		token,
		parameters = CHOSEN,
		credentials: own = credentials,
	}: {
		filter?: string;
		token?: string;
		parameters?: IDataObject;
		credentials?: typeof credentials;
	} = {},
) => await call<INodeListSearchResult>('listSearch', list, parameters, [filter, token], own);

const mapper =
	(method: string) =>
	async (parameters: IDataObject = CHOSEN, more?: Partial<INode>) =>
		await call<ResourceMapperFields>('resourceMapping', method, parameters, [], credentials, more);

/** Loads the fields of *Placeholders*. */
export const placeholders = mapper('templatePlaceholders');

/** Loads the notice below the template list. */
export const preview = mapper('templatePreview');

export const channel = (index: number, more: IDataObject = {}): IDataObject => ({
	id: `channel-${index}`,
	name: `Shop ${index}`,
	phone: `44770090${String(index).padStart(4, '0')}`,
	medium: 'CHATAPP',
	status: 'ACTIVE',
	...more,
});
export const SHOP = channel(100, { phone: `+${SENDER}`, name: 'Shop' });

export const template = (name: string, more: IDataObject = {}): IDataObject => ({
	name,
	language: 'en_GB',
	category: 'ALERT_UPDATE',
	status: 'submitted',
	namespace: 'n',
	rejected_reason: null,
	components: [
		{
			type: 'BODY',
			text: 'Hello {{1}}, order {{2}} is here. {{1}}!',
			example: { body_text: [['Ana', '12']] },
		},
	],
	...more,
});

export const otpTemplate = (index: number, more: IDataObject = {}): IDataObject => ({
	id: `otp-${index}`,
	name: `otp_${index}`,
	locale: 'en',
	status: 'approved',
	body: '{{otp}} is your code for {{firm}}, valid {{minutes}} minutes.',
	...more,
});

/** A log record of the campaign with this number; the larger the number, the newer. */
export const logRecord = (campaign: number, more: IDataObject = {}): IDataObject => ({
	...record(`campaign-${campaign}`, campaign),
	createdAt: new Date(Date.UTC(2026, 0, 1, 9, campaign)).toISOString(),
	...more,
});

/** The data of the account at the service. */
export type Account = {
	channels?: IDataObject[];
	templates?: IDataObject[];
	otpTemplates?: IDataObject[];
	logs?: IDataObject[];
};

/** Answers like the service for this account. */
export const answering =
	({
		channels = [SHOP],
		templates = [template('order_update')],
		otpTemplates = [otpTemplate(1)],
		logs = [logRecord(1)],
	}: Account = {}) =>
	(asked: ServiceRequest) => {
		const { path } = asked;
		if (path === '/api/public/logs') return logPage(logs, asked);
		if (path === '/api/public/channels/chatapp') return success(channels);
		if (path === '/api/otp/templates') return listing(otpTemplates);
		return path === '/api/public/channel/channel-100/templates'
			? listing(templates)
			: failure('Not found', 404);
	};

export const serving = (account?: Account) => serve(answering(account));

export const many = <Element>(count: number, make: (index: number) => Element) =>
	Array.from({ length: count }, (_, index) => make(index));

/** The values of the listed entries. */
export const values = ({ results }: INodeListSearchResult) => results.map(({ value }) => value);
