/** The ids of the seed data, for examples and tests. */

const id = (kind: string, number: number) =>
	`${kind}000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;

/** @returns the id of the n-th generated chat-app channel (see `many.mts`) */
export const manyChannelId = (number: number) => id('c9', number);

export const firmId = id('f1', 1);
export const providerConfigId = id('b1', 1);

export const channelIds = {
	main: id('c1', 1),
	german: id('c1', 2),
	inactive: id('c1', 3),
	pending: id('c1', 4),
	sms: id('c1', 5),
} as const;

export const otpTemplateIds = {
	english: id('a1', 1),
	british: id('a1', 2),
	ownFirm: id('a1', 3),
} as const;

export const smsMessageIds = {
	delivered: id('d1', 1),
	undelivered: id('d1', 2),
} as const;
