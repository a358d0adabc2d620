import { LEFT, type Part } from './page';
import { label, shortened } from './svg';
import type { Clock } from './words';

/** From when to when, with the date once when it is the same. */
function period(clock: Clock, from: string | null, until: string | null): string {
	const [first, last] = [from, until].map((time) => (time === null ? undefined : Date.parse(time)));
	const moment = (time: number) => `${clock.date(time)}, ${clock.minute(time)}`;
	if (first === undefined && last === undefined) return 'No times given';
	const zone = ` (${clock.zone})`;
	if (first === undefined || last === undefined) return moment(first ?? last!) + zone;
	const end = clock.date(first) === clock.date(last) ? clock.minute(last) : moment(last);
	return (end === clock.minute(first) ? moment(first) : `${moment(first)} – ${end}`) + zone;
}

/** Title, campaign id and time. */
export function heading(
	top: number,
	clock: Clock,
	report: { campaign_id: string; firstCreatedAt: string | null; lastDeliveredAt: string | null },
): Part {
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
