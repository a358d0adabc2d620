import type { INodeParameters } from 'n8n-workflow';
import { LOG_RECORDS_PER_PAGE, SENDER } from '../service/answers.mts';
import { ALL_IN_ONE, credentialOf, EXPRESSIONS, nodeOf } from './scenario.mts';
import { NOTHING, ONE_EACH, PLAIN, READS, type Scenario } from './scenario.mts';

const bare = (name: string, title: string, expected: Pick<Scenario, 'expected'>): Scenario => ({
	name,
	title,
	...expected,
	node: () => nodeOf(`bench.${name}`, {}),
});

/** The least with which each work can be done (bare.mts). */
const bareScenarios = [
	bare('helper', "n8n's helper", ONE_EACH),
	bare('serial', 'a node that waits for each answer', ONE_EACH),
	bare('helperCredential', "n8n's helper with a credential", ONE_EACH),
	bare('bareCampaign', 'the same body by a bare function', ALL_IN_ONE),
	bare('n8nAlone', 'n8n alone: a node that only outputs as many items', NOTHING),
	bare('n8nAloneLogs', 'n8n alone: a node that only outputs as many items', NOTHING),
];

const httpRequest = (
	name: string,
	title: string,
	parameters: (url: string) => INodeParameters,
	expected: Pick<Scenario, 'expected'>,
): Scenario => ({
	name,
	title: `HTTP Request: ${title}`,
	...expected,
	node: (url) => ({
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.5,
		credentials: credentialOf('httpHeaderAuth'),
		parameters: {
			authentication: 'genericCredentialType',
			genericAuthType: 'httpHeaderAuth',
			...parameters(url),
		},
	}),
});

const text =
	({ to, message }: typeof PLAIN) =>
	(url: string): INodeParameters => ({
		method: 'POST',
		url: `${url}/api/public/conversation/text`,
		sendBody: true,
		contentType: 'json',
		specifyBody: 'keypair',
		bodyParameters: {
			parameters: [
				{ name: 'from', value: SENDER },
				{ name: 'to', value: to },
				{ name: 'message', value: message },
			],
		},
		options: {},
	});

const allPages = (url: string): INodeParameters => ({
	method: 'GET',
	url: `${url}/api/public/logs`,
	sendQuery: true,
	specifyQuery: 'keypair',
	queryParameters: { parameters: [{ name: 'page[size]', value: `${LOG_RECORDS_PER_PAGE}` }] },
	options: {
		pagination: {
			pagination: {
				paginationMode: 'updateAParameterInEachRequest',
				parameters: {
					parameters: [{ type: 'qs', name: 'page[number]', value: '={{ $pageCount + 1 }}' }],
				},
				paginationCompleteWhen: 'other',
				completeExpression: '={{ $response.body.currentPage >= $response.body.totalPage }}',
				limitPagesFetched: false,
				requestInterval: 0,
			},
		},
	},
});

export const theirScenarios: Scenario[] = [
	...bareScenarios,
	httpRequest('httpRequest', 'default', text(PLAIN), ONE_EACH),
	httpRequest(
		'httpRequestExpressions',
		'two real expressions per item',
		text(EXPRESSIONS),
		ONE_EACH,
	),
	httpRequest('pagination', 'Pagination, all pages of the logs', allPages, READS),
];
