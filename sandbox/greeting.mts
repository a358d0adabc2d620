import type { Sandbox } from './server.mts';

/** @returns what a person who starts the sandbox by hand reads */
export function greeting({ url, apiKey }: Sandbox): string {
	const from = '447700900100';
	const campaign = JSON.stringify({
		from,
		messages: [{ to: '447700900555', template: { name: 'opening_hours' }, identifier: 'try-1' }],
	});
	return `The messaging sandbox is running. Nothing it takes is ever sent to anybody.

  Base URL   ${url}
  API key    ${apiKey}

Try it:
  curl -H 'apiKey: ${apiKey}' ${url}/api/public/channels/chatapp
  curl -H 'apiKey: ${apiKey}' -H 'content-type: application/json' \\
    -d '${campaign}' \\
    ${url}/api/public/chatapp/campaign
  curl -g -H 'apiKey: ${apiKey}' '${url}/api/public/logs?page[size]=5'

Be called when a campaign completes:
  curl -X PUT -H 'content-type: application/json' \\
    -d '{"url":"http://127.0.0.1:5678/webhook/<path>"}' ${url}/_sandbox/webhook

See what it took:   curl ${url}/_sandbox/counts
Make it misbehave:  sandbox/README.md, "Faults"
Stop it:            Ctrl-C
`;
}
