import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';

/** A mail server that takes every mail and passes none on. */
export async function startMailServer() {
	/** The mails as they were sent, with their headers. */
	const mails: string[] = [];
	const server = createServer((socket) => {
		let received = '';
		let inMail = false;
		const answer = (text: string) => socket.write(`${text}\r\n`);
		socket.on('error', () => socket.destroy());
		socket.on('data', (chunk) => {
			received += chunk.toString('utf8');
			for (;;) {
				const end = inMail ? '\r\n.\r\n' : '\r\n';
				const at = received.indexOf(end);
				if (at < 0) return;
				const part = received.slice(0, at);
				received = received.slice(at + end.length);
				if (inMail) {
					mails.push(part);
					inMail = false;
					answer('250 Accepted');
				} else if (/^DATA/i.test(part)) {
					inMail = true;
					answer('354 Go on');
				} else {
					answer(/^QUIT/i.test(part) ? '221 Bye' : '250 OK');
				}
			}
		});
		answer('220 mail.test');
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		mails,
		/** What n8n's SMTP credential needs. */
		account: { host: '127.0.0.1', port, secure: false, disableStartTls: true },
		close: () => void server.close(),
	};
}
