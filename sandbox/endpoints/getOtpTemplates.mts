import type { App } from '../http/app.mts';
import { endpoints } from '../interface/endpoints.mts';

/** 4.1: the OTP templates, in `body`. */
export function getOtpTemplates(app: App): void {
	app.get(
		endpoints.getOtpTemplates.path,
		{ config: { endpoint: 'getOtpTemplates' } },
		async ({ world }) => ({
			body: world.directory.otpTemplates,
			message: 'Templates fetched',
			success: true,
		}),
	);
}
