import { UserError } from 'n8n-workflow';

const EXAMPLE_URL = 'for example https://api.example.com.';

/**
 * Returns the Base URL of the credential without a slash at the end, so that a path can follow.
 *
 * @throws UserError when it is missing, is not an http(s) address, or contains a user name, a password, a
 * query, a fragment or the path of an endpoint
 */
export function parseBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') throw invalid(`is empty. Enter the service's address, ${EXAMPLE_URL}`);
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (!url || !/^https?:$/.test(url.protocol) || !/^https?:\/\//i.test(text)) {
		throw invalid(`must be an address that begins with https:// or http://, ${EXAMPLE_URL}`);
	}
	if (url.username || url.password) {
		throw invalid('must not contain a user name or password. The API key has a field of its own.');
	}
	if (url.search || url.hash || text.includes('?') || text.includes('#')) {
		throw invalid(`must end before any "?" or "#", ${EXAMPLE_URL}`);
	}
	const endpoint = url.pathname.search(/\/api\/(public|otp)(\/|$)/);
	if (endpoint >= 0) {
		const address = url.origin + url.pathname.slice(0, endpoint);
		throw invalid(
			`has the path of an endpoint (${url.pathname.slice(endpoint)}). Enter the address alone: ${address}`,
		);
	}
	return url.href.replace(/\/+$/, '');
}

const invalid = (what: string) =>
	new UserError(`The Base URL in the Messaging API credential ${what}`);
