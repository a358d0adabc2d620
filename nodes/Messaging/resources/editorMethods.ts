import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { engines } from './operation';

type Engines = Awaited<ReturnType<typeof engines>>;

const list = (name: Extract<keyof Engines, `search${string}`>) =>
	async function (this: ILoadOptionsFunctions, filter?: string, paginationToken?: string) {
		return await (await engines())[name].call(this, filter, paginationToken);
	};

const mapper = (name: 'templatePlaceholders' | 'templatePreview') =>
	async function (this: ILoadOptionsFunctions) {
		return await (await engines())[name].call(this);
	};

/** What the editor asks the node for. It is loaded when the editor asks, as an operation's engine is when it is executed. */
export const editorMethods = {
	listSearch: {
		searchCampaigns: list('searchCampaigns'),
		searchChannels: list('searchChannels'),
		searchLanguages: list('searchLanguages'),
		searchOtpTemplates: list('searchOtpTemplates'),
		searchSenders: list('searchSenders'),
		searchTemplates: list('searchTemplates'),
	},
	resourceMapping: {
		templatePlaceholders: mapper('templatePlaceholders'),
		templatePreview: mapper('templatePreview'),
	},
};
