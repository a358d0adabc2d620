import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { HOST } from '../../demo/ports.mjs';
import { Trouble } from '../../demo/setup/trouble.mjs';

export interface Certificate {
	key: string;
	cert: string;
}

/** Makes a self-signed certificate for the loopback address, valid for a day, in the folder. */
export function makeCertificate(folder: string): Certificate {
	const files = { key: join(folder, 'key.pem'), cert: join(folder, 'certificate.pem') };
	const subject = ['-subj', '/CN=loopback', '-addext', `subjectAltName=IP:${HOST}`];
	const out = ['-keyout', files.key, '-out', files.cert];
	try {
		execFileSync(
			'openssl',
			['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...subject, ...out],
			{ stdio: 'pipe' },
		);
	} catch (error) {
		throw new Trouble(
			`The benchmark needs the command openssl, for the certificate of its service: ${String(error)}`,
		);
	}
	return files;
}
