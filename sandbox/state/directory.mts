import type { Channel, ChannelTemplate, SmsReport } from '../interface/records.mts';
import { openingHours, seedChannelTemplates } from '../seed/channelTemplates.mts';
import { seedChannels } from '../seed/channels.mts';
import { channelIds } from '../seed/ids.mts';
import { manyChannels, manyTemplates } from '../seed/many.mts';
import { seedOtpTemplates } from '../seed/otpTemplates.mts';
import { seedSmsReports } from '../seed/smsReports.mts';
import type { Settings } from '../settings.mts';

const digits = (phone: string) => phone.replace(/^\+/, '');

/** The account's channels, templates and SMS reports, which no endpoint changes. */
export class Directory {
	readonly otpTemplates = seedOtpTemplates;
	readonly #channels: readonly Channel[];
	readonly #channelsById: ReadonlyMap<string, Channel>;
	readonly #channelsByPhone: ReadonlyMap<string, Channel>;
	#mainTemplates: readonly ChannelTemplate[];
	readonly #sendable = new Map<string, ReadonlyMap<string, boolean>>();

	constructor(settings: Pick<Settings, 'channels' | 'templates'>) {
		const chatApp = seedChannels.filter(isChatApp);
		this.#channels = [...seedChannels, ...manyChannels(settings.channels - chatApp.length)];
		this.#channelsById = new Map(this.#channels.map((channel) => [channel.id, channel]));
		this.#channelsByPhone = new Map(
			this.#channels.flatMap((channel) => (channel.phone ? [[channel.phone, channel]] : [])),
		);
		const main = seedChannelTemplates.get(channelIds.main) ?? [];
		this.#mainTemplates = [...main, ...manyTemplates(settings.templates - main.length)];
	}

	chatAppChannels(): readonly Channel[] {
		return this.#channels.filter(isChatApp);
	}

	/** @returns the channel with this id, of any medium */
	channel(id: string): Channel | undefined {
		return this.#channelsById.get(id);
	}

	/** @returns the chat-app channel with this number, with or without a leading plus sign */
	sender(phone: string): Channel | undefined {
		return this.#channelsByPhone.get(digits(phone));
	}

	templates(channel: Channel): readonly ChannelTemplate[] {
		if (channel.id === channelIds.main) return this.#mainTemplates;
		return seedChannelTemplates.get(channel.id) ?? [openingHours];
	}

	replaceMainTemplates(templates: readonly ChannelTemplate[]): void {
		this.#mainTemplates = templates;
		this.#sendable.clear();
	}

	/**
	 * Whether a template may be sent through a channel. A request may name no language, so one language
	 * that was not rejected is enough.
	 */
	templateState(channel: Channel, name: string): 'sendable' | 'rejected' | 'unknown' {
		let names = this.#sendable.get(channel.id);
		if (!names) {
			const found = new Map<string, boolean>();
			for (const template of this.templates(channel)) {
				const sendable = template.rejected_reason === null;
				found.set(template.name, sendable || found.get(template.name) === true);
			}
			this.#sendable.set(channel.id, found);
			names = found;
		}
		const sendable = names.get(name);
		if (sendable === undefined) return 'unknown';
		return sendable ? 'sendable' : 'rejected';
	}

	smsReport(messageId: string): SmsReport | undefined {
		return seedSmsReports.find((report) => report.conversation.id === messageId);
	}
}

function isChatApp(channel: Channel): boolean {
	return channel.medium === 'CHATAPP';
}
