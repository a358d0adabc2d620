import { sleep } from 'n8n-workflow';
import { writeLong } from '../../../nodes/Messaging/n8n/longBody';

const body = (count: number) => ({
	from: '€ 385910000000',
	messages: Array.from({ length: count }, (_, index) => ({
		to: `38591${index}`,
		template: { name: 'größe', text: `"€, ${index}]}` },
		identifier: index % 2 ? undefined : `order-${index}`,
	})),
});

test.each([250, 251, 500, 501, 1001])(
	'a long body of %d messages has the same bytes as JSON in one piece',
	async (count) => {
		const whole = body(count);
		expect((await writeLong(whole)).toString()).toBe(JSON.stringify(whole));
	},
);

test('while a long body is written, n8n can do other work', async () => {
	const order: string[] = [];
	void sleep(0).then(() => order.push('n8n'));
	await writeLong(body(5000));
	order.push('written');
	expect(order).toEqual(['n8n', 'written']);
});
