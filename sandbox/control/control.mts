import type { App } from '../http/app.mts';
import { controlAccepted } from './accepted.mts';
import { controlCampaigns } from './campaigns.mts';
import { controlFaults } from './faults.mts';
import { controlRequests } from './requests.mts';
import { controlSandbox } from './sandbox.mts';
import type { SandboxControl } from './sandbox.mts';
import { controlTemplates } from './templates.mts';
import { controlWebhook } from './webhook.mts';

/** The control API under `/_sandbox`, which is no part of the interface and takes no key. */
export function control(app: App, sandbox: SandboxControl): void {
	takeEmptyBodies(app);
	controlSandbox(app, sandbox);
	controlWebhook(app);
	controlCampaigns(app);
	controlFaults(app);
	controlAccepted(app);
	controlRequests(app);
	controlTemplates(app);
}

/** HTTP clients like to announce JSON also when they send nothing. */
function takeEmptyBodies(app: App): void {
	const parse = app.getDefaultJsonParser('error', 'error');
	app.removeContentTypeParser('application/json');
	app.addContentTypeParser<string>(
		'application/json',
		{ parseAs: 'string' },
		(request, body, done) => {
			if (body.trim() === '') done(null, undefined);
			else parse(request, body, done);
		},
	);
}
