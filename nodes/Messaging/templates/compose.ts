import type { IDataObject } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { jsonObject, requiredText, text } from '../host/values';
import type { RunSetup } from '../sending/operation';
import type { Recipient } from '../sending/recipients';
import { Catalogue } from './catalogue';
import { fillFromEntry, fillFromMapping } from './fill';
import { parameterFields, type ParameterFormat } from './formats';

/** Makes a recipient's `template` object, as the chosen parameter format writes it. */
export function templateComposer({ context, service }: RunSetup) {
	const format = context.getNodeParameter('parameterFormat', 0, 'none') as ParameterFormat;
	const items = context.getInputData();
	const catalogue = new Catalogue(async (request) => {
		const answer = await service.call(request);
		if (!answer.ok) throw new UserError(answer.message);
		return answer.payload;
	});

	return async (recipient: Recipient, from: string): Promise<IDataObject> => {
		const { read, entry, item } = recipient;
		const name = requiredText(read('template'), 'Template');
		const filled = !takesValues(format)
			? []
			: entry
				? fillFromEntry(entry.parameters)
				: fillFromMapping(recipient, items[item].json);
		const listed = format === 'legacyComponents' ? await catalogue.template(from, name) : undefined;
		return {
			name,
			...parameterFields(format, filled, text(read('parameterKey')), listed),
			...jsonObject(read('templateFields', '{}'), 'Template Fields'),
		};
	};
}

const takesValues = (format: ParameterFormat) => format !== 'none' && format !== 'json';
