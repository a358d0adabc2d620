import type { Summary } from '../logs/summary';
import { escapeMarkup, formatNumber } from '../utils/text';
import { Clock, duration, percent } from '../utils/formatting';

/** The most rows of a table; all others share the last one. */
const MOST_ROWS = 10;

type Row = [name: string, count: number];

/** Returns a summary as HTML for an e-mail: its styles are inline, and it loads nothing. Every text is escaped. */
export function reportHtml(result: ReturnType<Summary['result']>, timezone: string): string {
	const { recipients, statuses, reasons, missing = 0 } = result;
	// JavaScript puts numeric names first in an object, however frequent they are.
	const byFrequency = Object.entries(statuses).sort(([, a], [, b]) => b - a);
	const clock = new Clock(timezone);
	const momentOf = (time: string) =>
		`${clock.date(Date.parse(time))}, ${clock.minute(Date.parse(time))} (${clock.zone})`;
	const facts = [
		...(result.firstCreatedAt ? [`First message: ${momentOf(result.firstCreatedAt)}`] : []),
		...(result.lastDeliveredAt ? [`Last delivery: ${momentOf(result.lastDeliveredAt)}`] : []),
		...(result.medianDeliverySeconds === null
			? []
			: [`Median delivery: ${duration(result.medianDeliverySeconds)}`]),
		`Units charged: ${formatNumber(result.units)}`,
		`Pending: ${formatNumber(result.pending)}`,
		...(missing > 0 ? [`Not in the logs: ${formatNumber(missing)}`] : []),
	];
	return [
		'<div style="font-family:Arial,sans-serif;font-size:14px;line-height:1.5">',
		`<p style="font-size:16px"><b>${escapeMarkup(result.text)}</b></p>`,
		table(['Status', 'Recipients'], byFrequency, 'other statuses', recipients),
		table(
			['Reason', 'Recipients'],
			reasons.map(({ reason, count }): Row => [reason, count]),
			'other reasons',
		),
		`<p>${[`Campaign ${result.campaign_id}`, ...facts].map(escapeMarkup).join('<br>')}</p>`,
		'</div>',
	].join('');
}

/** @param total the count that is 100 %; without it there is no column of shares */
function table(heads: [string, string], all: Row[], others: string, total?: number): string {
	if (all.length === 0) return '';
	const rows = all.slice(0, all.length > MOST_ROWS ? MOST_ROWS - 1 : MOST_ROWS);
	const rest = all.slice(rows.length);
	if (rest.length > 0) {
		const count = rest.reduce((sum, [, each]) => sum + each, 0);
		rows.push([`${formatNumber(rest.length)} ${others}`, count]);
	}
	const line = (cells: string[], tag: 'th' | 'td') =>
		`<tr>${cells
			.map((cell, index) => {
				const side = index === 0 ? 'left' : 'right';
				return `<${tag} style="text-align:${side};padding:2px 16px 2px 0">${escapeMarkup(cell)}</${tag}>`;
			})
			.join('')}</tr>`;
	const shares = total === undefined ? [] : ['Share'];
	return `<table style="border-collapse:collapse;font-size:14px;margin:12px 0">${line([...heads, ...shares], 'th')}${rows
		.map(([name, count]) =>
			line(
				[name, formatNumber(count), ...(total === undefined ? [] : [percent(count / total)])],
				'td',
			),
		)
		.join('')}</table>`;
}
