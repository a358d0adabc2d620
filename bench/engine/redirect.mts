import { registerHooks } from 'node:module';

/** Fixed addresses in n8n's own nodes, and where in n8n they are written. */
const HOSTS = [
	{ file: /n8n-nodes-base\/dist\/nodes\/Twilio\//, host: 'https://api.twilio.com' },
	{ file: /n8n-nodes-base\/dist\/nodes\/WhatsApp\//, host: 'https://graph.facebook.com' },
];

/**
 * Lets n8n's own nodes for other services talk to the benchmark's: their addresses are fixed in their
 * sources, so that text, and nothing else, is another when n8n loads them. What runs is n8n's code, over
 * the same protocol as everything else.
 */
export function redirectFixedHosts(url: string): void {
	registerHooks({
		load(file, context, nextLoad) {
			const loaded = nextLoad(file, context);
			const found = HOSTS.find((fixed) => fixed.file.test(file));
			if (!found || loaded.source === undefined || loaded.source === null) return loaded;
			return { ...loaded, source: String(loaded.source).replaceAll(found.host, url) };
		},
	});
}
