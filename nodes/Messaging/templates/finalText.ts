import type { ChannelTemplate } from '../service/types';
import type { Filled } from './formats';
import { GAP } from './placeholders';

/** A template's text as one recipient reads it, a line for each component; what is not filled stays. */
export function finalText({ components }: ChannelTemplate, filled: Filled[]): string {
	return (Array.isArray(components) ? components : [])
		.filter(({ text }) => typeof text === 'string')
		.map(({ type, text }) => {
			const component = String(type ?? 'body').toLowerCase();
			return text!.replace(GAP, (gap, name: string) => {
				const value = filled.find((each) => each.component === component && each.name === name);
				return value?.value ?? gap;
			});
		})
		.join('\n');
}
