import type { Answer } from './network.mts';

interface Around {
	path: string;
	/** The key that came with the request. */
	key: string;
	/** The time by the service's clock. */
	now: number;
	choose: <T extends string | number>(question: string, candidates: readonly T[]) => T;
}

/** One way in which a request can fail. */
export interface Fault {
	name: string;
	on?: 'POST';
	/** Whether the service acts on the request. `no` only if the answer says so beyond doubt. */
	acts: 'yes' | 'no' | 'either';
	/** @param proper the answer that the request would have got */
	answer: (proper: Answer, around: Around) => Answer;
}

const envelope = (status: number, message: string, headers = {}): Answer => ({
	status,
	headers,
	body: JSON.stringify({ success: false, message, data: null }),
});

const page = (status: number): Answer => ({
	status,
	headers: { 'content-type': 'text/html' },
	body: '<html><body>Something stands in between</body></html>',
});

const status =
	(code: number) =>
	({ choose }: Around) =>
		choose('body', [0, 1]) === 0 ? envelope(code, 'It failed') : page(code);

const redirect =
	(code: number) =>
	({ path }: Around): Answer => ({
		status: code,
		headers: { location: `http://service.test${path}/moved` },
		body: '',
	});

const given = (make: (around: Around) => Answer) => (_: Answer, around: Around) => make(around);

/**
 * Every fault once. A refusal is true; after every other fault the service may have acted or not.
 */
export const FAULTS: readonly Fault[] = [
	{ name: '503', acts: 'either', answer: given(status(503)) },
	{ name: '500', acts: 'either', answer: given(status(500)) },
	{ name: '408', acts: 'either', answer: given(status(408)) },
	{ name: 'connection reset', acts: 'either', answer: (proper) => ({ ...proper, shape: 'reset' }) },
	{
		name: 'route lost',
		acts: 'either',
		answer: (proper) => ({ ...proper, shape: 'unreachable' }),
	},
	{ name: 'no answer at all', acts: 'either', answer: (proper) => ({ ...proper, shape: 'hang' }) },
	{ name: 'answer cut off', acts: 'either', answer: (proper) => ({ ...proper, shape: 'cut' }) },
	{ name: 'dripping answer', acts: 'yes', answer: (proper) => ({ ...proper, shape: 'drip' }) },
	{
		name: 'slow answer',
		acts: 'yes',
		answer: (proper, { choose }) => ({ ...proper, after: choose('slow', [900, 4000, 70_000]) }),
	},
	{ name: 'empty answer', acts: 'either', answer: given(() => ({ status: 200, body: '' })) },
	{ name: 'web page', acts: 'either', answer: given(() => page(200)) },
	{
		name: 'answer without data',
		acts: 'either',
		answer: given(() => ({ status: 200, body: '{"success":true,"message":"OK","data":null}' })),
	},
	{ name: '101', acts: 'either', answer: given(() => ({ status: 101, body: '' })) },
	{ name: '301', on: 'POST', acts: 'either', answer: given(redirect(301)) },
	{ name: '302', on: 'POST', acts: 'either', answer: given(redirect(302)) },
	{ name: '303', on: 'POST', acts: 'either', answer: given(redirect(303)) },
	{ name: '307', acts: 'no', answer: given(redirect(307)) },
	{ name: '308', acts: 'no', answer: given(redirect(308)) },
	{
		name: '429',
		acts: 'no',
		answer: given(({ choose, now }) => {
			const named: Record<string, number> = {
				'a date in 3 s': now + 3000,
				'a date 3 s ago': now - 3000,
			};
			const chosen = choose('Retry-After', [
				...['1', 'none', '0', '2.5', '-5', 'soon', '100000'],
				...[...Object.keys(named), 'an ISO date'],
			]);
			const wait =
				{
					none: '',
					'an ISO date': new Date(now + 3000).toISOString(),
				}[chosen] ?? (chosen in named ? new Date(named[chosen]).toUTCString() : chosen);
			return envelope(429, 'Too many requests', wait === '' ? {} : { 'retry-after': wait });
		}),
	},
	{ name: '401', acts: 'no', answer: given(({ key }) => envelope(401, `Invalid API Key ${key}`)) },
	{ name: '403', acts: 'no', answer: given(status(403)) },
	{ name: '400', acts: 'no', answer: given(() => envelope(400, 'This message is refused')) },
	{
		name: 'success: false',
		acts: 'no',
		answer: given(({ choose }) => envelope(choose('status', [200, 201, 422]), 'It says no')),
	},
];
