import { itemsOf } from '../../../demo/n8n/rest/executions.mts';
import { until } from '../../../demo/n8n/until.mts';
import type { Installation } from './installation.mts';
import { byHand, messaging, nothing, QUESTION, type Json, type Node } from './nodes.mts';
import { acceptedBy, newPhone } from './service.mts';
import { start, succeeded, untilItWaits } from './workflows.mts';

/* Functions for a person who answers a question on the phone: read the message, open the link, press a button. */

export const linksIn = (message: string): string[] => [
	...new Set([...message.matchAll(/http:\/\/127\.0\.0\.1:\d+\/[^\s"\\]+/g)].map(([link]) => link)),
];

/** Opens a link as the preview of a chat app, a mail scanner or a browser does. */
export async function open(link: string) {
	const headers = { 'user-agent': 'WhatsApp/2.0 preview', connection: 'close' };
	const answer = await fetch(link, { headers });
	return { status: answer.status, html: await answer.text(), headers: answer.headers };
}

/** Presses a button of the page. */
export async function press(link: string, form: Record<string, string>) {
	const answer = await fetch(link, {
		method: 'POST',
		headers: { connection: 'close' },
		body: new URLSearchParams(form),
	});
	return { status: answer.status, html: await answer.text() };
}

/** Sends what is typed into the only field of n8n's form. @returns the page that comes next */
export async function fillIn(page: string, typed: string): Promise<string> {
	const form = new FormData();
	form.append('field-0', typed);
	const answer = await fetch(page, { method: 'POST', body: form });
	const { formWaitingUrl } = (await answer.json()) as { formWaitingUrl: string };
	const status = new URL(formWaitingUrl);
	status.pathname += '/n8n-execution-status';
	// As n8n's page does: before that, the address of the next page does not answer.
	await until('the next page is there', async () => {
		const { html: shown } = await open(status.href);
		return shown === 'form-waiting' ? shown : undefined;
	});
	return (await open(formWaitingUrl)).html;
}

export const limitWaitTime = (resumeAmount: number, resumeUnit = 'minutes') => ({
	limitWaitTime: { values: { limitType: 'afterTimeInterval', resumeAmount, resumeUnit } },
});

type At = Pick<Installation, 'session' | 'sandbox' | 'credential'>;

/** The nodes of a workflow that asks, after the one that starts it. */
export const asking = ({ credential }: At, parameters: Json): Node[] => [
	messaging(credential, { ...QUESTION, ...parameters }),
	nothing('After'),
];

/** Waits until an execution has asked somebody. */
export async function asked(at: At, execution: string, to: string) {
	await untilItWaits(at, execution);
	const [{ message }] = await acceptedBy(at.sandbox, to);
	const [link] = linksIn(message);
	/** Waits until the workflow has ended. @returns what the node returned */
	const outcome = async (): Promise<Json> => {
		const [{ json }] = itemsOf(await succeeded(at, execution), 'After');
		return json.data;
	};
	return { execution, to, message: message as string, link, outcome };
}

/** Asks somebody by hand. */
export async function ask(at: At, parameters: Json = {}, ...behind: Node[]) {
	const to = newPhone();
	const nodes = [byHand(), ...asking(at, { to, ...parameters }), ...behind];
	return await asked(at, await start(at, nodes), to);
}
