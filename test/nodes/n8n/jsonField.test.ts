import type { IDataObject } from 'n8n-workflow';
import { serve, success, withTemplates } from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { chosen, runMessaging, sending } from '../../support/runMessaging';

/* JSON fields are fixed JSON, or one expression that is the whole field. */

const harness = useHarness();

const AROUND =
	/has text around its expressions.*Write all of it as one expression, like \{\{ \{ note: \$json\.note \} \}\}\.$/;
const BRACES = /has "\{\{ \$json\.\w+ \}\}": nobody filled it in/;
const QUOTES = /Write it in quotation marks\./;
const INVALID = /is not valid JSON/;
const row = {
	name: 'Ada',
	object: { a: 1 },
	astral: 'Ada🎉 Brown',
	long: Number('7615917337495251231'),
	order: 12,
	json: '{"order": 13}',
	quoted: 'Ada "A"',
	injected: 'x"], "to": "447700900212", "y": ["',
};

test.each<[unknown, string | RegExp]>([
	['{"order": 12}', '{"order":12}'],
	['={{ { order: $json.order } }}', '{"order":12}'],
	['={{ $json.json }}', '{"order":13}'],
	['={{ $json.object }}', '{"a":1}'],
	['={{ JSON.stringify({ a: $json.quoted }) }}', '{"a":"Ada \\"A\\""}'],
	['\ufeff{ "a": 1 }\n', '{"a":1}'],
	['{ "a": "{{1}}" }', '{"a":"{{1}}"}'],
	['{ "url": "https://a.example/{{message.id}}" }', '{"url":"https://a.example/{{message.id}}"}'],
	['{ "a": 0.30000000000000004 }', '{"a":0.30000000000000004}'],
	['{ "a": "7615917337495251231" }', '{"a":"7615917337495251231"}'],
	['{ "a": "x \\" 7615917337495251231" }', '{"a":"x \\" 7615917337495251231"}'],
	['{ "a": [0, -0.5, 1.50, 1E3, 0.1] }', '{"a":[0,-0.5,1.5,1000,0.1]}'],
	['={"note": "{{ $json.quoted }}"}', AROUND],
	['={"note": "{{ $json.name }}"}', AROUND],
	['={"order": {{ $json.order }} }', AROUND],
	['=[{"to": "{{ $json.injected }}"}]', AROUND],
	['= {{ { a: 1 } }}', AROUND],
	['={{ { a: 1 } }}\n', AROUND],
	['{ "{{ $json.key }}": 1 }', BRACES],
	['{"note": "{{ $json.name }}"}', BRACES],
	['{ "a": 12345678901234567890 }', QUOTES],
	['{ "order": 7615917337495251231 }', /has the number 7615917337495251231.*quotation marks/],
	['{ "a": [{ "b": -9007199254740993 }] }', QUOTES],
	['{ "a": 1e400 }', QUOTES],
	['={{ { order: $json.long } }}', /more digits than n8n can hold/],
	['={{ { order: 0 / 0 } }}', /A number in .* is NaN/],
	['={{ { name: $json.astral.slice(0, 4) } }}', /has half a character/],
	['{ "a": "\\ud83c" }', /has half a character/],
	['{ “a”: 1 }', INVALID],
	['{ "a": NaN }', INVALID],
	["{'a': 1}", INVALID],
	['{"a": 1,}', /is not valid JSON.* no comma before \} or \]\.$/],
	['[1]', /must be a JSON object/],
])('%s', async (value, expected) => {
	for (const field of ['metadata', 'templateFields']) {
		serve(withTemplates([{ name: 'made', language: 'en', components: [] }], () => success([])));
		const template = chosen('name', 'made');
		const options = { [field]: value } as IDataObject;
		const more = { to: '447700900211', sendMode: 'dryRun', template, options };
		const parameters = sending('sendTemplate', more as IDataObject);
		const { outputs } = await runMessaging(harness, parameters, { items: [row] });
		const [{ status, reason, message }] = outputs[0].map(({ json }) => json);
		if (typeof expected !== 'string') expect(reason).toMatch(expected);
		else if (field === 'metadata')
			expect(JSON.stringify((JSON.parse(String(message)) as IDataObject).metadata)).toBe(expected);
		else expect(status).toBe('ready');
	}
});
