import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { onDemand } from './operation';

type OnDemand = Awaited<ReturnType<typeof onDemand>>;

const list = (name: Extract<keyof OnDemand, `search${string}`>) =>
	async function (this: ILoadOptionsFunctions, filter?: string, paginationToken?: string) {
		return await (await onDemand())[name].call(this, filter, paginationToken);
	};

const mapper = (name: 'templatePlaceholders' | 'templatePreview') =>
	async function (this: ILoadOptionsFunctions) {
		return await (await onDemand())[name].call(this);
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
