import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { serviceOf, type MessagingCredential } from '../n8n/connect';
import { sentenceOf } from '../n8n/nodeErrors';
import type { HttpReply } from '../service/answer';
import { getChannels } from '../service/endpoints';
import { meetsAll, type Failure } from '../service/outcomes';
import { EDITOR_LIMITS } from '../service/service';

/**
 * Tests a credential with a request for the channels (docs/development/interface.md, "Get channels"), and says what is wrong
 * in the words of an execution's errors. A request in the credential itself would have n8n show only a code, such as
 * ECONNREFUSED, when there is no connection.
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	// The only one that n8n has for this, with the options of its older HTTP client.
	const { request } = this.helpers;
	const credential = (data ?? {}) as MessagingCredential;
	try {
		const service = serviceOf(credential, async ({ url, ...options }) => {
			const headers = { apiKey: String(credential.apiKey).trim() };
			const ofOlderClient = { resolveWithFullResponse: true, simple: false, followRedirect: false };
			return (await request({ ...options, uri: url, headers, ...ofOlderClient })) as HttpReply;
		});
		const answer = await service.call(getChannels(), { ...EDITOR_LIMITS, maxRetries: 0 });
		return answer.ok
			? { status: 'OK', message: 'Connection successful!' }
			: { status: 'Error', message: explain(answer, String(credential.baseUrl)) };
	} catch (error) {
		return { status: 'Error', message: sentenceOf(error) };
	}
}

/** Says what the failure means for the key, which is what a person tests, and for a Base URL that has a path. */
function explain(failure: Failure, baseUrl: string): string {
	const { cause, outcome, message, said, httpStatus } = failure;
	const { origin, pathname, protocol } = new URL(baseUrl.trim());
	if (meetsAll(failure) && outcome !== 'notSent' && pathname !== '/') {
		return `${message} The Base URL has a path (${pathname}): if the key is right, try it without, as ${origin}.`;
	}
	// A 403 without a reason names the key, too.
	if (cause === 'keyRefused' || (cause === 'refused' && httpStatus === 403 && !said))
		return message;
	if (cause === 'noAnswer' && protocol === 'http:') {
		return `${message} If the service needs https, begin the Base URL with https://. The API key could not be checked.`;
	}
	const isWrongPath = httpStatus === 404 || httpStatus === 405 || cause === 'unreadable';
	if (isWrongPath && pathname !== '/') {
		return `${message} The Base URL has a path (${pathname}): try it without, as ${origin}. The API key could not be checked.`;
	}
	// Without words of the service, the message says so itself.
	if (httpStatus === 404 && said)
		return `${message} Check the Base URL. The API key could not be checked.`;
	return cause === 'refused'
		? `${message} Check that the API key is complete and still valid.`
		: `${message} The API key could not be checked.`;
}
