import { escapeMarkup, formatNumber } from '../../utils/text';
import { STYLE } from './colours';
import { figures } from './figures';
import { heading } from './heading';
import { notes } from './notes';
import { LEFT, WIDTH, type Part } from './page';
import { statusBar } from './statusBar';
import { element, label } from './svg';
import { timeline } from './timeline';
import { Clock } from './words';

/** What the picture shows: the summary, with the statuses in order and every delivery's time. */
export type Report = {
	campaign_id: string;
	recipients: number;
	units: number;
	firstCreatedAt: string | null;
	lastDeliveredAt: string | null;
	medianDeliverySeconds: number | null;
	pending: number;
	missing?: number;
	incomplete?: boolean;
	/** Records of other campaigns that the service gave, and that are not counted. */
	leftOut?: number;
	/** Most frequent first. */
	statuses: Array<[name: string, count: number]>;
	/** In ms since 1970, in any order. */
	deliveredAt: number[];
	/** Name of the time zone in which times are written. */
	timezone: string;
};

const subtitle = (top: number, text: string) =>
	label(LEFT, top, text, { class: 'strong', 'font-size': 15, 'font-weight': 650 });

/**
 * A campaign's report as an SVG that needs nothing but itself: as wide as an e-mail, light or dark as
 * whoever looks prefers. Every text in it is escaped.
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
	put({ svg: subtitle(y, 'Status'), height: 0 }, 16);
	put(statusBar(y, report.statuses), 34);
	put({ svg: subtitle(y, 'Deliveries over time'), height: 0 }, 10);
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
	const told = `Campaign ${report.campaign_id}: ${formatNumber(report.recipients)} recipients${
		most ? `, most of them "${most[0]}" (${formatNumber(most[1])})` : ''
	}.`;
	const inner = [
		element('title', {}, 'Campaign report'),
		element('desc', {}, escapeMarkup(told)),
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
