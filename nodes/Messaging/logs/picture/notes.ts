import { number } from '../../host/number';
import { LEFT, type Part } from './page';
import { label } from './svg';

/** What whoever looks must know before believing the numbers; nothing when there is nothing to say. */
export function notes(top: number, report: { incomplete?: boolean; missing?: number }): Part {
	const { incomplete, missing = 0 } = report;
	const lines = [
		...(incomplete ? ['Not complete: the service did not give all of its records.'] : []),
		...(missing > 0
			? [
					`${number(missing)} of the messages asked for ${missing === 1 ? 'is' : 'are'} not in the logs.`,
				]
			: []),
	];
	const text = { class: 'warn', 'font-size': 14, 'font-weight': 600 };
	return {
		svg: lines.map((line, index) => label(LEFT, top + 14 + index * 20, line, text)).join(''),
		height: lines.length * 20,
	};
}
