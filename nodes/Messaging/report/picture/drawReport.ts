import { TIME_WAS_UP } from '../../logs/summary';
import { escapeMarkup, formatNumber } from '../../utils/text';
import { STYLE } from './colours';
import { Clock, duration } from '../../utils/formatting';
import { statusBar } from './statusBar';
import { element, INNER, label, LEFT, RIGHT, shortened, WIDTH, type Part } from './svg';
import { timeline } from './timeline';

/** The most rows of reasons; all others share the last one. */
const MOST_REASONS = 5;

/** What the picture shows: the summary, and the time of every delivery. */
export type Report = {
	campaign_id: string;
	recipients: number;
	units: number;
	firstCreatedAt: string | null;
	lastDeliveredAt: string | null;
	medianDeliverySeconds: number | null;
	pending: number;
	/** Messages of the input that are not in the logs. */
	missing?: number;
	/** Whether the campaign was complete when *Wait for Completion* ended. */
	complete?: boolean;
	/** The service did not return all records. */
	incomplete?: boolean;
	/** Records of other campaigns that the service returned; they are not counted. */
	leftOut?: number;
	/** Most frequent first. */
	statuses: Array<[name: string, count: number]>;
	/** Most frequent first. */
	reasons?: Array<{ reason: string; count: number }>;
	/** In ms since 1970, in any order. */
	deliveredAt: number[];
	/** Name of the time zone in which times are written. */
	timezone: string;
};

/**
 * Draws a campaign's report as an SVG that loads nothing else: as wide as an e-mail, and light or dark as the
 * reader prefers. Every text in it is escaped.
 */
export function drawReport(report: Report): string {
	const clock = new Clock(report.timezone);
	const parts: string[] = [];
	let y = 36;
	const put = ({ svg, height }: Part, space: number) => {
		parts.push(svg);
		y += height + space;
	};
	put(heading(y, clock, report), 8);
	put(notes(y, report), 20);
	put(figures(y, report), 36);
	put(subtitle(y, 'Status'), 16);
	put(statusBar(y, report.statuses), 34);
	if (report.reasons?.length) {
		put(subtitle(y, 'Reasons'), 8);
		put(reasonRows(y, report.reasons), 30);
	}
	put(subtitle(y, 'Deliveries over time'), 10);
	put(timeline(y, clock, report.deliveredAt), 28);

	const ground = element('rect', {
		x: 0.5,
		y: 0.5,
		width: WIDTH - 1,
		height: y - 1,
		rx: 12,
		class: 'ground',
	});
	const [most] = report.statuses;
	const description = `Campaign ${report.campaign_id}: ${formatNumber(report.recipients)} recipients${
		most ? `, most of them "${most[0]}" (${formatNumber(most[1])})` : ''
	}.`;
	const inner = [
		element('title', {}, 'Campaign report'),
		element('desc', {}, escapeMarkup(description)),
		element('style', {}, STYLE),
		ground,
		...parts,
	];
	return element(
		'svg',
		{
			xmlns: 'http://www.w3.org/2000/svg',
			width: WIDTH,
			height: y,
			viewBox: `0 0 ${WIDTH} ${y}`,
			role: 'img',
			'aria-label': 'Campaign report',
		},
		inner.join(''),
	);
}

/** Draws title, campaign id and times. */
function heading(top: number, clock: Clock, report: Report): Part {
	const times = period(clock, report.firstCreatedAt, report.lastDeliveredAt);
	const title = { class: 'strong', 'font-size': 24, 'font-weight': 650 };
	const small = { class: 'soft', 'font-size': 14 };
	return {
		svg: [
			label(LEFT, top + 22, 'Campaign report', title),
			label(LEFT, top + 48, shortened(report.campaign_id, 64), small),
			label(LEFT, top + 68, times, small),
		].join(''),
		height: 72,
	};
}

/** Writes the first and the last time; the date only once if both are on one day. */
function period(clock: Clock, from: string | null, until: string | null): string {
	const [first, last] = [from, until].map((time) => (time === null ? undefined : Date.parse(time)));
	const moment = (time: number) => `${clock.date(time)}, ${clock.minute(time)}`;
	if (first === undefined && last === undefined) return 'No times given';
	const zone = ` (${clock.zone})`;
	if (first === undefined || last === undefined) return moment(first ?? last!) + zone;
	const end = clock.date(first) === clock.date(last) ? clock.minute(last) : moment(last);
	return (end === clock.minute(first) ? moment(first) : `${moment(first)} – ${end}`) + zone;
}

/** Draws a line for each reason to doubt the numbers. */
function notes(top: number, { complete, incomplete, leftOut = 0, missing = 0 }: Report): Part {
	const lines = [
		...(complete === false ? [TIME_WAS_UP] : []),
		...(incomplete ? ['Not complete: the service did not give all of its records.'] : []),
		...(leftOut > 0
			? [
					`${formatNumber(leftOut)} ${leftOut === 1 ? 'record of another campaign is' : 'records of other campaigns are'} left out.`,
				]
			: []),
		...(missing > 0
			? [
					`${formatNumber(missing)} of the messages in the input ${missing === 1 ? 'is' : 'are'} not in the logs.`,
				]
			: []),
	];
	const text = { class: 'warn', 'font-size': 14, 'font-weight': 600 };
	return {
		svg: lines.map((line, index) => label(LEFT, top + 14 + index * 20, line, text)).join(''),
		height: lines.length * 20,
	};
}

/** Draws the main numbers. */
function figures(top: number, report: Report): Part {
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

/** Draws a row for each of the most frequent reasons, and one for all others. */
function reasonRows(top: number, reasons: Array<{ reason: string; count: number }>): Part {
	const rows = reasons.slice(0, reasons.length > MOST_REASONS ? MOST_REASONS - 1 : MOST_REASONS);
	const rest = reasons.slice(rows.length);
	if (rest.length > 0) {
		const count = rest.reduce((sum, each) => sum + each.count, 0);
		rows.push({ reason: `${formatNumber(rest.length)} other reasons`, count });
	}
	const text = { class: 'strong', 'font-size': 14 };
	const svg = rows.map(({ reason, count }, index) => {
		const y = top + 16 + index * 24;
		return (
			label(LEFT, y, shortened(reason, 60), text) +
			label(RIGHT, y, formatNumber(count), { ...text, 'text-anchor': 'end' })
		);
	});
	return { svg: svg.join(''), height: rows.length * 24 };
}

const subtitle = (top: number, text: string): Part => ({
	svg: label(LEFT, top, text, { class: 'strong', 'font-size': 15, 'font-weight': 650 }),
	height: 0,
});
