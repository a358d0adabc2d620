import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { sentenceOf } from '../n8n/errors';
import { showHint } from '../n8n/hints';
import { jsonObject, requiredText, text } from '../n8n/values';
import type { Ask } from '../service/endpoints';
import { isObject } from '../service/types';
import type { RunSetup } from '../sending/operation';
import { RunError } from '../sending/runError';
import type { Recipient } from '../sending/recipients';
import { Catalogue, languageOf } from './catalogue';
import { columnsFor, fill, mappingOf, placeholdersSeen } from './fill';
import { parameterFields, type Filled, type ParameterFormat } from './formats';
import { counted, placeholdersOf } from './placeholders';
import { mayCarryValues, textOf } from './textOf';

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
	// What the editor saw of a template says nothing of those that an expression names.
	const isChosenByHand = !fromExpression && !isExpression(context, 'from.value');
	const ask: Ask = async (request) => {
		const answer = await service.call(request, {
			maxRetries: options.maxRetries,
			signal: context.getExecutionCancelSignal?.(),
		});
		if (answer.ok) return answer.payload;
		throw new RunError(`The channel's templates cannot be read. ${answer.message}`);
	};
	const catalogue = new Catalogue(ask);
	const hinted = new Set<string>();

	/** The values for the placeholders, and the template's listing where that had to be asked for. */
	const valuesOf = async (recipient: Recipient, from: string, name: string, extra: IDataObject) => {
		const { entry, item, read } = recipient;
		const mapping = entry ? undefined : mappingOf(recipient, items[item].json);
		if (mapping?.otherTemplate !== undefined && !fromExpression) {
			throw new UserError(
				`The values in 'Template Parameters' were entered for the template "${mapping.otherTemplate}", but "${name}" is chosen. Open the node, check the values, and save the workflow.`,
			);
		}
		// Template Fields may name another template or translation than the one whose fields the editor showed.
		const language = languageOf(extra.language);
		const isAsShown = !fromExpression && extra.name === undefined && language === undefined;
		const known = isAsShown && format !== 'legacyComponents' ? mapping?.placeholders : undefined;
		const listed = known?.length
			? undefined
			: await catalogue.template(from, text(extra.name) || name, language);
		const placeholders = listed ? placeholdersOf(listed) : known!;
		const automatic = read('templateParameters.mappingMode') === 'autoMapInputData';
		const given = mapping
			? automatic
				? columnsFor(placeholders, mapping.values)
				: mapping.values
			: entry!.parameters;
		return { filled: fill(placeholders, given), listed };
	};

	/** Each sentence once: it is about the run, and there may be thousands of recipients. */
	const hint = (sentence: string) => {
		if (hinted.has(sentence)) return;
		hinted.add(sentence);
		showHint(context, `Dry run: ${sentence}`);
	};

	/** What a dry run shows, if the service can be asked for the template. */
	const readBack = async (from: string, template: IDataObject): Promise<string | undefined> => {
		const found = await catalogue.listing(from).catch((error: unknown) => {
			hint(`No text is shown. ${sentenceOf(error)}`);
			return undefined;
		});
		if (!found) return undefined;
		const { name, status } = found.channel;
		if (status === 'INACTIVE' || status === 'PENDING') {
			hint(`The channel ${name} (${from}) is ${status}: the service may refuse to send from it.`);
		}
		const { text: shown, placeholders, remarks } = textOf(found.templates, template);
		if (!takesValues(format)) refuseUnfilled(format, template, placeholders);
		for (const remark of remarks) hint(remark);
		return shown;
	};

	return async (recipient: Recipient, from: string): Promise<Composed> => {
		const { read } = recipient;
		const name = requiredText(read('template'), 'Template');
		if (!takesValues(format)) refuseValues(recipient);
		const extra = jsonObject(read('templateFields', '{}'), 'Template Fields');
		const { filled, listed } = takesValues(format)
			? await valuesOf(recipient, from, name, extra)
			: { filled: [] as Filled[], listed: undefined };
		const fields = {
			...parameterFields(format, filled, text(read('parameterKey')), listed),
			...extra,
		};
		const template = { name, ...(fillIn ? (everyText(fields, fillIn) as IDataObject) : fields) };
		if (!takesValues(format) && isChosenByHand) {
			refuseUnfilled(format, template, placeholdersSeen(recipient, text(template.name)));
		}
		return options.dryRun ? { template, text: await readBack(from, template) } : { template };
	};
}

/** A template with placeholders and no values: the provider refuses it, one recipient after the other. */
function refuseUnfilled(format: ParameterFormat, template: IDataObject, placeholders = 0) {
	if (placeholders === 0 || mayCarryValues(template)) return;
	const has = `${text(template.name)} has ${counted(placeholders)}`;
	throw new UserError(
		format === 'json'
			? `${has}, but 'Template Fields' has no values. Add them there.`
			: `${has}, but 'Parameter Format' is None. Choose a format that sends values.`,
	);
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
