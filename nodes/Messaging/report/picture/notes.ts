import { formatNumber } from '../../utils/text';
import { LEFT, type Part } from './page';
import { label } from './svg';

/** What whoever looks must know before believing the numbers; nothing when there is nothing to say. */
export function notes(
	top: number,
	report: { incomplete?: boolean; leftOut?: number; missing?: number },
): Part {
	const { incomplete, leftOut = 0, missing = 0 } = report;
	const lines = [
		...(incomplete ? ['Not complete: the service did not give all of its records.'] : []),
		...(leftOut > 0
			? [
					`${formatNumber(leftOut)} ${leftOut === 1 ? 'record of another campaign is' : 'records of other campaigns are'} left out.`,
				]
			: []),
		...(missing > 0
			? [
					`${formatNumber(missing)} of the messages asked for ${missing === 1 ? 'is' : 'are'} not in the logs.`,
				]
			: []),
	];
	const text = { class: 'warn', 'font-size': 14, 'font-weight': 600 };
	return {
		svg: lines.map((line, index) => label(LEFT, top + 14 + index * 20, line, text)).join(''),
		height: lines.length * 20,
	};
}
