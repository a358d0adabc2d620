import type { ServiceRequest } from '../../../nodes/Messaging/service/endpoints';
import { Catalogue, channelOfSender } from '../../../nodes/Messaging/templates/catalogue';

describe('the catalogue', () => {
	const channels = [
		{ id: 'sms', phone: null },
		{ id: 'ch-1', phone: '+44 7700 900100' },
		{ id: 'ch-2', phone: '447700900200' },
	];
	const asking = () => {
		const asked: string[] = [];
		const ask = async <Payload>({ path }: ServiceRequest<Payload>) => {
			asked.push(path);
			const answer = path.endsWith('chatapp')
				? channels
				: [{ name: `of ${path.split('/').at(-2)}` }];
			return answer as Payload;
		};
		return { asked, ask };
	};

	test.each([
		['447700900100', 'ch-1'],
		['+447700900100', 'ch-1'],
		['0044 7700 900 200', 'ch-2'],
	])('the sender %j is the channel %s, whatever the format of its number', async (from, id) => {
		expect((await channelOfSender(asking().ask, from)).id).toBe(id);
	});

	test('an unknown sender is refused', async () => {
		await expect(channelOfSender(asking().ask, '1')).rejects.toThrow(
			"The account has no chat-app channel with the number 1. Choose a sender in 'From'.",
		);
	});

	test('each sender’s templates are requested once, even by parallel calls', async () => {
		const { asked, ask } = asking();
		const catalogue = new Catalogue(ask);
		const senders = ['447700900100', '447700900200', '447700900100'];
		const found = await Promise.all(
			senders.map(
				async (from, index) => await catalogue.template(from, index === 1 ? 'of ch-2' : 'of ch-1'),
			),
		);
		expect(found.map(({ name }) => name)).toEqual(['of ch-1', 'of ch-2', 'of ch-1']);
		expect(asked.filter((path) => path.endsWith('/templates'))).toHaveLength(2);
	});

	test('an unknown template is refused', async () => {
		await expect(new Catalogue(asking().ask).template('447700900100', 'x')).rejects.toThrow(
			'The channel 447700900100 has no template "x". Choose one from the list.',
		);
	});
});
