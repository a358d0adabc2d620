import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { jsonObject, requiredText, text } from '../host/values';
import type { Ask } from '../service/endpoints';
import { isObject } from '../service/payload';
import type { RunSetup } from '../sending/operation';
import { RunError } from '../sending/runError';
import type { Recipient } from '../sending/recipients';
import { Catalogue } from './catalogue';
import { columnsFor, fill, mappingOf } from './fill';
import { finalText } from './finalText';
import { parameterFields, type Filled, type ParameterFormat } from './formats';
import { placeholdersOf } from './placeholders';

/** A recipient's `template` object; in a dry run also the text that the recipient would read. */
export type Composed = { template: IDataObject; text?: string };

/**
 * Makes a recipient's `template` object, as the chosen parameter format writes it.
 *
 * @param fillIn puts something in every text of the object, such as a link that only now exists
 */
export function templateComposer(
	{ context, service, options }: RunSetup,
	fillIn?: (text: string) => string,
) {
	const format = context.getNodeParameter('parameterFormat', 0, 'none') as ParameterFormat;
	const items = context.getInputData();
	const fromExpression = isExpression(context, 'template.value');
	const asking =
		(maxRetries?: number): Ask =>
		async (request) => {
			const answer = await service.call(request, {
				maxRetries,
				signal: context.getExecutionCancelSignal?.(),
			});
			if (answer.ok) return answer.payload;
			throw new RunError(`The channel's templates cannot be read. ${answer.message}`);
		};
	const catalogue = new Catalogue(asking());
	// Nice to have, so nobody shall wait for it.
	const listing = new Catalogue(asking(0));

	/** The values for the placeholders, and the template's listing where that had to be asked for. */
	const valuesOf = async (recipient: Recipient, from: string, name: string) => {
		const { entry, item, read } = recipient;
		const mapping = entry ? undefined : mappingOf(recipient, items[item].json);
		// What the editor showed for one template says nothing of the others that an expression names.
		const known =
			fromExpression || format === 'legacyComponents' ? undefined : mapping?.placeholders;
		const listed = known?.length ? undefined : await catalogue.template(from, name);
		const placeholders = listed ? placeholdersOf(listed) : known!;
		const automatic = read('templateParameters.mappingMode') === 'autoMapInputData';
		const given = mapping
			? automatic
				? columnsFor(placeholders, mapping.values)
				: mapping.values
			: entry!.parameters;
		return { filled: fill(placeholders, given), listed };
	};

	/** For a dry run: what the recipient would read, if the service can be asked for the template. */
	const textFor = async (from: string, name: string, filled: Filled[]) => {
		const template = await listing.template(from, name).catch(() => undefined);
		return template && finalText(template, filled);
	};

	return async (recipient: Recipient, from: string): Promise<Composed> => {
		const { read } = recipient;
		const name = requiredText(read('template'), 'Template');
		if (!takesValues(format)) refuseValues(recipient);
		const { filled, listed } = takesValues(format)
			? await valuesOf(recipient, from, name)
			: { filled: [] as Filled[], listed: undefined };
		const fields = {
			...parameterFields(format, filled, text(read('parameterKey')), listed),
			...jsonObject(read('templateFields', '{}'), 'Template Fields'),
		};
		const template = { name, ...(fillIn ? (everyText(fields, fillIn) as IDataObject) : fields) };
		return options.dryRun && takesValues(format)
			? { template, text: await textFor(from, name, filled) }
			: { template };
	};
}

/** Values that nobody sends would leave gaps in the text that the person reads. */
function refuseValues({ entry }: Recipient) {
	const values: unknown = entry?.parameters;
	if (typeof values === 'object' && values !== null && Object.keys(values).length > 0) {
		throw new UserError(
			'The list has "parameters" for this recipient, but \'Parameter Format\' sends none. Choose one that does.',
		);
	}
}

/** The same value with every text in it changed. */
function everyText(value: unknown, change: (text: string) => string): unknown {
	if (typeof value === 'string') return change(value);
	if (Array.isArray(value)) return value.map((element: unknown) => everyText(element, change));
	if (!isObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, element]) => [key, everyText(element, change)]),
	);
}

const takesValues = (format: ParameterFormat) => format !== 'none' && format !== 'json';

function isExpression(context: IExecuteFunctions, parameter: string): boolean {
	const raw: unknown = context.getNodeParameter(parameter, 0, '', { rawExpressions: true });
	return typeof raw === 'string' && raw.startsWith('=');
}
