import { formatNumber } from '../../utils/text';
import { INNER, LEFT, type Part } from './page';
import { label } from './svg';
import { duration } from './words';

/** The numbers that come first. */
export function figures(
	top: number,
	report: {
		recipients: number;
		units: number;
		medianDeliverySeconds: number | null;
		pending: number;
	},
): Part {
	const { recipients, units, medianDeliverySeconds: median, pending } = report;
	const all = [
		[formatNumber(recipients), recipients === 1 ? 'recipient' : 'recipients'],
		[formatNumber(units), units === 1 ? 'unit charged' : 'units charged'],
		[median === null ? '–' : duration(median), 'median delivery'],
		[formatNumber(pending), 'pending'],
	];
	const width = INNER / all.length;
	const size = all.some(([value]) => value.length > 7) ? 20 : 26;
	const svg = all.map(([value, name], index) => {
		const x = LEFT + index * width;
		return (
			label(x, top + 24, value, { class: 'strong', 'font-size': size, 'font-weight': 650 }) +
			label(x, top + 46, name, { class: 'soft', 'font-size': 13 })
		);
	});
	return { svg: svg.join(''), height: 50 };
}
