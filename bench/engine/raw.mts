import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { recipientItem } from './job.mts';
import type { Job, Report } from './job.mts';
import { measured } from './meters.mts';

/* The limit of the machine: Node's http client with keep-alive, in a process without n8n. */

const report = (message: Report) => process.send!(message);

async function work({ url, items: count, concurrency }: Job) {
	const items = Array.from({ length: count }, (_, index) => recipientItem(index));
	const secure = url.startsWith('https:');
	const agent = new (secure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: concurrency });
	const send = secure ? httpsRequest : httpRequest;
	const target = `${url}/api/public/conversation/text`;
	const post = async (body: string) =>
		await new Promise<unknown>((resolve, reject) => {
			const headers = {
				apiKey: 'key',
				'content-type': 'application/json',
				'content-length': Buffer.byteLength(body),
			};
			const request = send(target, { method: 'POST', agent, headers }, (response) => {
				const chunks: Buffer[] = [];
				response.on('data', (chunk: Buffer) => chunks.push(chunk));
				response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
			});
			request.on('error', reject);
			request.end(body);
		});

	report({ ready: true });
	await new Promise((resolve) => process.once('message', resolve));
	const { cost, result } = await measured(async () => {
		const output = new Array<unknown>(count);
		let next = 0;
		const worker = async () => {
			while (next < count) {
				const item = next++;
				const { phone, text } = items[item];
				output[item] = await post(
					JSON.stringify({ from: '385910000000', to: phone, message: text }),
				);
			}
		};
		await Promise.all(Array.from({ length: concurrency }, worker));
		return output;
	});
	agent.destroy();
	report({ figures: { ...cost, expressions: 0, decryptions: 0, outputItems: result.length } });
}

process.once('message', (job: Job) => {
	work(job)
		.catch((error: unknown) => report({ failed: String((error as Error).stack ?? error) }))
		.finally(() => process.disconnect());
});
process.on('disconnect', () => process.exit());
