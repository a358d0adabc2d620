import { type IDataObject, type IExecuteFunctions, UserError } from 'n8n-workflow';
import { sentenceOf } from '../n8n/errors';
import { showHint } from '../n8n/hints';
import { jsonObject, requiredText, text } from '../n8n/values';
import type { Ask } from '../service/endpoints';
import { isObject } from '../service/types';
import type { Recipient } from '../sending/recipients';
import { RunError, type RunSetup } from '../sending/sendOperation';
import { Catalogue, languageOf } from './catalogue';
import { columnsFor, fill, mappingOf, placeholdersSeen } from './fill';
import { parameterFields, type Filled, type ParameterFormat } from './formats';
import { counted, placeholdersOf } from './placeholders';
import { mayHoldValues, renderText } from './renderedText';

/** A recipient's `template` object; in a dry run also the text that the recipient would read. */
export type Composed = { template: IDataObject; text?: string };

/** Makes a recipient's `template` object. */
export type TemplateComposer = (recipient: Recipient, from: string) => Promise<Composed>;

/**
 * Returns the composer of `template` objects for a run, in the chosen parameter format.
 *
 * @param fillIn changes every text of the object, for example inserts a link
 */
export function templateComposer(
	{ context, service, options }: RunSetup,
	fillIn?: (text: string) => string,
): TemplateComposer {
	const format = context.getNodeParameter('parameterFormat', 0, 'none') as ParameterFormat;
	const sendsValues = format !== 'none' && format !== 'json';
	const items = context.getInputData();
	const isFromExpression = isExpression(context, 'template.value');
	// The editor knew only a template that was chosen by hand, not those that an expression gives.
	const isChosenByHand = !isFromExpression && !isExpression(context, 'from.value');
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

	/** Returns the values for the placeholders, and the template if it had to be requested. */
	const valuesOf = async (recipient: Recipient, from: string, name: string, extra: IDataObject) => {
		const { entry, item, read } = recipient;
		const mapping = entry ? undefined : mappingOf(recipient, items[item].json);
		if (mapping?.otherTemplate !== undefined && !isFromExpression) {
			throw new UserError(
				`The values in 'Template Parameters' were entered for the template "${mapping.otherTemplate}", but "${name}" is chosen. Open the node (if it is open, close it first), check the values, and save the workflow.`,
			);
		}
		// 'Template Fields' may name another template or translation than the one that the editor showed.
		const language = languageOf(extra.language);
		const isAsShown = !isFromExpression && extra.name === undefined && language === undefined;
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

	/** Shows a hint once per run, however many recipients it concerns. */
	const hint = (sentence: string) => {
		if (hinted.has(sentence)) return;
		hinted.add(sentence);
		showHint(context, `Dry run: ${sentence}`);
	};

	/** Returns the text that a dry run shows; undefined when the templates cannot be read. */
	const textForDryRun = async (
		from: string,
		template: IDataObject,
	): Promise<string | undefined> => {
		const found = await catalogue.listing(from).catch((error: unknown) => {
			hint(`No text is shown. ${sentenceOf(error)}`);
			return undefined;
		});
		if (!found) return undefined;
		const { name, status } = found.channel;
		if (status === 'INACTIVE' || status === 'PENDING') {
			hint(`The channel ${name} (${from}) is ${status}: the service may refuse to send from it.`);
		}
		const { text: shown, placeholders, remarks } = renderText(found.templates, template);
		if (!sendsValues) refuseUnfilled(format, template, placeholders);
		for (const remark of remarks) hint(remark);
		return shown;
	};

	return async (recipient, from) => {
		const { read } = recipient;
		const name = requiredText(read('template'), 'Template');
		if (!sendsValues) refuseValues(recipient);
		const extra = extraFields(recipient, format);
		const { filled, listed } = sendsValues
			? await valuesOf(recipient, from, name, extra)
			: { filled: [] as Filled[], listed: undefined };
		const fields = {
			...parameterFields(format, filled, text(read('parameterKey')), listed),
			...extra,
		};
		const template = { name, ...(fillIn ? (everyText(fields, fillIn) as IDataObject) : fields) };
		if (!sendsValues && isChosenByHand) {
			refuseUnfilled(format, template, placeholdersSeen(recipient, text(template.name)));
		}
		return options.dryRun ? { template, text: await textForDryRun(from, template) } : { template };
	};
}

/**
 * Returns the user's own fields of the `template` object.
 *
 * @throws UserError when the parameter holds fields but is not shown: they would be sent without anybody seeing them, or be lost
 */
function extraFields({ read }: Recipient, format: ParameterFormat): IDataObject {
	const own = jsonObject(read('templateFields', '{}'), 'Template Fields');
	const option = read('options.templateFields');
	if (format === 'json' || Object.keys(own).length === 0 || option !== '') {
		const added = jsonObject(option, 'Template Fields');
		const fields = format === 'json' ? { ...own, ...added } : added;
		if ('language' in fields && languageOf(fields.language) === undefined) {
			throw new UserError(
				"'language' in 'Template Fields' is empty. Fill it in, check the expression for this item, or leave 'language' out.",
			);
		}
		return fields;
	}
	throw new UserError(
		"'Template Fields' has values, but is shown only when 'Placeholder Values' is Your Own JSON. Choose that and empty it, or add the option 'Template Fields' and put the values there.",
	);
}

/** Refuses a template with placeholders but without values: the provider would refuse it for every recipient. */
function refuseUnfilled(format: ParameterFormat, template: IDataObject, placeholders = 0) {
	if (placeholders === 0 || mayHoldValues(template)) return;
	const has = `${text(template.name)} has ${counted(placeholders)}`;
	throw new UserError(
		format === 'json'
			? `${has}, but 'Template Fields' has no values. Add them there.`
			: `${has}, but 'Placeholder Values' is None. Choose Chat-App Standard (Usual).`,
	);
}

/** Refuses values that would not be sent: the recipient would read a text with gaps. */
function refuseValues({ entry }: Recipient) {
	const values: unknown = entry?.parameters;
	if (typeof values === 'object' && values !== null && Object.keys(values).length > 0) {
		throw new UserError(
			'The list has "parameters" for this recipient, but \'Placeholder Values\' sends none of them. Choose Chat-App Standard (Usual).',
		);
	}
}

/** Returns a copy of the value with every text in it changed. */
function everyText(value: unknown, change: (text: string) => string): unknown {
	if (typeof value === 'string') return change(value);
	if (Array.isArray(value)) return value.map((element: unknown) => everyText(element, change));
	if (!isObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, element]) => [key, everyText(element, change)]),
	);
}

function isExpression(context: IExecuteFunctions, parameter: string): boolean {
	const raw: unknown = context.getNodeParameter(parameter, 0, '', { rawExpressions: true });
	return typeof raw === 'string' && raw.startsWith('=');
}
