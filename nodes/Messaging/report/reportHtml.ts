import { meaningOf } from '../service/status';
import { duration, escapeMarkup, formatNumber, percent, timesIn } from '../utils/text';
import { withRead, type Summary } from './summary';

/** The most rows of a table; all others share the last one. */
const MOST_ROWS = 10;

/** Shades for statuses that seem to say that the message arrived, that it failed, or neither. */
const GREENS = ['#1f9d61', '#a8d65c', '#2b9eb3'];
const REDS = ['#d64545', '#e99a9a', '#e08a2c'];
const BLUES = ['#3b7ddd', '#9db9ea', '#8460cf', '#c0aee6'];
const GREY = '#b4bcc8';

type TableRow = { name: string; count: number; colour?: string };

/** Returns a summary as HTML for an e-mail: its styles are inline, and it loads nothing. Every text is escaped. */
export function reportHtml(result: ReturnType<Summary['result']>, timezone: string): string {
	const written = timesIn(timezone);
	const momentOf = (time: string) => `${written(Date.parse(time))} (${timezone})`;
	const facts = [
		`Campaign ${result.campaign_id}`,
		...(result.firstCreatedAt ? [`First message: ${momentOf(result.firstCreatedAt)}`] : []),
		...(result.lastDeliveredAt ? [`Last delivery: ${momentOf(result.lastDeliveredAt)}`] : []),
		...(result.medianDeliverySeconds === null
			? []
			: [`Median delivery: ${duration(result.medianDeliverySeconds)}`]),
		`Units charged: ${formatNumber(result.units)}`,
		`Pending: ${formatNumber(result.pending)}`,
	];
	const statuses = mostFrequent(statusRows(result), 'other statuses');
	const reasons = result.reasons.map(({ reason, count }) => ({ name: reason, count }));
	return [
		'<div style="font-family:Arial,sans-serif;font-size:14px;line-height:1.5">',
		`<p style="font-size:16px"><b>${escapeMarkup(result.text)}</b></p>`,
		bar(statuses),
		table(['Status', 'Recipients', 'Share'], statuses),
		table(['Reason', 'Recipients'], mostFrequent(reasons, 'other reasons')),
		`<p>${facts.map(escapeMarkup).join('<br>')}</p>`,
		'</div>',
	].join('');
}

/**
 * Returns the statuses with their colours, most frequent first, without those that mean *read*: they are among the
 * delivered ones. Recipients without a record come last.
 */
function statusRows({ statuses, read, missing = 0 }: ReturnType<Summary['result']>): TableRow[] {
	const used = new Map<string[], number>();
	const colourOf = (status: string) => {
		const meaning = meaningOf(status);
		const shades = meaning === 'failed' ? REDS : meaning === 'delivered' ? GREENS : BLUES;
		const index = used.get(shades) ?? 0;
		used.set(shades, index + 1);
		return shades[index % shades.length];
	};
	// JavaScript puts numeric names first in an object, however frequent they are.
	const rows = Object.entries(statuses)
		.filter(([status]) => meaningOf(status) !== 'read')
		.sort(([, a], [, b]) => b - a)
		.map(([status, count]): TableRow => {
			return { name: withRead(status, read), count, colour: colourOf(status) };
		});
	if (missing > 0) rows.push({ name: 'not in the logs', count: missing, colour: GREY });
	return rows;
}

/** Returns the first rows, and the others together in one row. */
function mostFrequent(rows: TableRow[], others: string): TableRow[] {
	if (rows.length <= MOST_ROWS) return rows;
	const rest = rows.slice(MOST_ROWS - 1);
	const name = `${formatNumber(rest.length)} ${others}`;
	const last = { name, count: sumOf(rest), colour: rows[0].colour && GREY };
	return [...rows.slice(0, MOST_ROWS - 1), last];
}

/** Draws the share of each status in one bar: a table, because mail programs show no SVG. */
function bar(rows: TableRow[]): string {
	const total = sumOf(rows);
	if (total === 0) return '';
	// Also the rarest status can be seen; browsers make the others narrower.
	const cells = rows.map(
		({ count, colour }) =>
			`<td width="${Math.max(1, Math.round((100 * count) / total))}%" height="18" bgcolor="${colour}"></td>`,
	);
	return `<table width="100%" cellpadding="0" cellspacing="0" style="max-width:600px"><tr>${cells.join('')}</tr></table>`;
}

/** @param heads with a third one, the table has a column of shares */
function table(heads: string[], rows: TableRow[]): string {
	if (rows.length === 0) return '';
	const total = sumOf(rows);
	const line = (cells: string[], tag: 'th' | 'td') =>
		`<tr>${cells
			.slice(0, heads.length)
			.map((cell, index) => {
				const side = index === 0 ? 'left' : 'right';
				return `<${tag} align="${side}" style="padding:2px 16px 2px 0">${cell}</${tag}>`;
			})
			.join('')}</tr>`;
	const lines = rows.map(({ name, count, colour }) => {
		const mark = colour ? `<span style="color:${colour}">&#9632;</span> ` : '';
		return line([mark + escapeMarkup(name), formatNumber(count), percent(count / total)], 'td');
	});
	return `<table style="border-collapse:collapse;font-size:14px;margin:12px 0">${line(heads, 'th')}${lines.join('')}</table>`;
}

const sumOf = (rows: TableRow[]) => rows.reduce((sum, { count }) => sum + count, 0);
