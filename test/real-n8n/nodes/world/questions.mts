import { getExecution, type Json } from '../../../../demo/n8n/rest/executions.mts';
import { until } from '../../../../demo/n8n/until.mts';
import type { Sandbox } from '../../../../sandbox/server.mts';
import type { Session } from '../../../../demo/n8n/rest/session.mts';

/* Functions for a person who answers a question on the phone: read the message, open the link, press a button. */

export async function acceptedBy(sandbox: Sandbox, recipient: string): Promise<Json[]> {
	const answer = await fetch(`${sandbox.url}/_sandbox/accepted?recipient=${recipient}`, {
		headers: { connection: 'close' },
	});
	return (await answer.json()) as Json[];
}

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

export async function isWaiting(session: Session, execution: string): Promise<boolean> {
	return (await getExecution(session, execution)).status === 'waiting';
}

export async function untilItWaits(session: Session, execution: string): Promise<void> {
	await until(`execution ${execution} waits`, async () => {
		const { status, error } = await getExecution(session, execution);
		if (status === 'error') throw new Error(error?.message);
		return status === 'waiting' ? status : undefined;
	});
}
