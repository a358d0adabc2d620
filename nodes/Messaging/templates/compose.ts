import { type IDataObject, type IExecuteFunctions, UserError } from 'n8n-workflow';
import { showHint } from '../n8n/executionHints';
import type { Item } from '../n8n/itemParameters';
import { jsonField } from '../n8n/jsonField';
import { RunError } from '../n8n/nodeErrors';
import { holdsExpression } from '../n8n/plainExpressions';
import { isBlank, requiredText, text } from '../n8n/values';
import type { Service } from '../service/service';
import { isObject, type Json } from '../service/types';
import { whenReady } from '../utils/concurrency';
import { Catalogue, languageOf, type Listed } from './catalogue';
import { componentsOf, isComponentList, partOf, type Filled } from './components';
import { fill, hasValues, isGiven, refuseUnknown } from './fill';
import { unfilledRemark, type Placeholder } from './placeholders';
import { renderText } from './renderedText';
import { templateOfFields } from './setUp';

/** A recipient's `template` object; in a dry run also the text that the recipient would read. */
type Composed = { template: IDataObject; text?: string };

/** What a composer needs of a run. */
type ComposerSetup = {
	context: IExecuteFunctions;
	service: Service;
	options: { mode: string; maxRetries: number; sendUnusual: boolean };
};

/** Makes a recipient's `template` object. */
export type TemplateComposer = (input: Item, from: string) => Composed | Promise<Composed>;

/**
 * Returns the composer of `template` objects for a run.
 *
 * @param insert replaces what a value stands for, before it is checked
 */
export function templateComposer(
	{ context, service, options }: ComposerSetup,
	insert: <Value>(given: Value) => Value = (given) => given,
): TemplateComposer {
	const saved = (parameter: string): unknown =>
		context.getNodeParameter(parameter, 0, '', { rawExpressions: true });
	// The editor has loaded only a template that was chosen by hand, and not those that an expression gives.
	const isByHand = !holdsExpression(saved('template.value'));
	const enteredFor = isByHand && templateOfFields(saved('templateParameters.schema'));
	const signal = context.getExecutionCancelSignal?.();
	const ask = service.asking({ maxRetries: options.maxRetries, signal });
	const cannotRead = (error: Error) => {
		throw new RunError(`The templates cannot be read. ${error.message}`);
	};
	const catalogue = new Catalogue(async (request) => await ask(request).catch(cannotRead));
	const hinted = new Set<string>();
	/** Shows a hint once per run, however many recipients it concerns. */
	const hint = (sentence: string) => {
		if (hinted.has(sentence)) return;
		hinted.add(sentence);
		showHint(context, `Note: ${sentence}`);
	};

	const compose: TemplateComposer = (input, from) => {
		const { read, raw } = input;
		const chosen = requiredText(read('template'), 'Template');
		const own = insert(ownFields(input));
		const given = read('options.language', false);
		const language = given === false ? undefined : requiredText(given, 'Language');
		const name = text(own.name) || chosen;

		return whenReady(
			catalogue.template(requiredText(from, 'From'), name, languageOf(own.language) ?? language),
			(listed) => {
				const values = insert((read('templateParameters.value', {}) ?? {}) as Json);
				if (enteredFor && enteredFor !== chosen && hasValues(values))
					throw new UserError(enteredForAnother(enteredFor, chosen));
				refuseUnknown(listed.placeholders, values, name);
				const filled = (open: Placeholder[]) =>
					fill(open, values, raw('templateParameters.value'), options.sendUnusual);
				const components =
					hasValues(values) || !hasOwnForm(own)
						? mergedComponents(listed.placeholders, own, filled)
						: own.components;
				const template: IDataObject = {
					name: chosen,
					...(language !== undefined && { language: { code: listed.template.language } }),
					...own,
					...(components !== undefined && { components }),
				};
				listed.remarks.forEach(hint);
				for (const part of unfilledBy(listed, own)) hint(unfilledRemark(name, part));
				if (options.mode !== 'dryRun') return { template };
				const { text: shown, remark } = renderText(listed.template, template);
				if (remark !== undefined) hint(remark);
				return { template, text: shown };
			},
		);
	};
	return PARAMETERS.some((name) => holdsExpression(saved(name))) ? compose : composedOnce(compose);
}

/** What decides a recipient's `template` object. */
const PARAMETERS = [
	'template',
	'templateParameters.value',
	'options.language',
	'options.templateFields',
];

/** Returns a composer that composes once for each sender, because all recipients get the same. */
function composedOnce(compose: TemplateComposer): TemplateComposer {
	const bySender = new Map<string, Composed>();
	return (input, from) =>
		bySender.get(from) ??
		whenReady(compose(input, from), (composed) => {
			bySender.set(from, composed);
			return composed;
		});
}

const enteredForAnother = (enteredFor: string, chosen: string) =>
	`The values in 'Placeholders' were entered for the template "${enteredFor}", but "${chosen}" is chosen. Open the node (if it is open, close it first), check the values, and save the workflow.`;

/** Returns the user's own fields of the `template` object. */
function ownFields({ read, raw }: Item): IDataObject {
	const parameter = 'options.templateFields';
	const fields = jsonField(read(parameter), raw(parameter), 'Template Fields');
	if ('name' in fields && (typeof fields.name !== 'string' || isBlank(fields.name))) {
		throw new UserError(
			"'name' in 'Template Fields' is empty, or no text. Fill it in, check the expression for this item, or leave 'name' out.",
		);
	}
	if ('language' in fields && languageOf(fields.language) === undefined) {
		throw new UserError(
			"'language' in 'Template Fields' is empty. Fill it in, check the expression for this item, or leave 'language' out.",
		);
	}
	return fields;
}

/** The parts of a template that the user's own components fill in. */
const partsIn = ({ components }: IDataObject) =>
	isComponentList(components)
		? components.filter(({ parameters }) => [parameters].flat().some(isObject)).map(partOf)
		: [];

const unfilledBy = ({ unfilled }: Listed, own: IDataObject) =>
	unfilled.length > 0 ? unfilled.filter(({ component }) => !partsIn(own).includes(component)) : [];

/** Whether the user's own fields may hold the values in another form than a list of components. */
const hasOwnForm = ({ components, ...others }: IDataObject) =>
	!isComponentList(components || []) ||
	Object.entries(others).some(
		([key, value]) => !['name', 'namespace', 'language'].includes(key) && isGiven(value),
	);

/**
 * Returns the field `components`: what *Placeholders* fill in, and the user's own components, which take the place of those
 * for the same part of the template, as they are. Undefined if there is nothing to fill in.
 *
 * @throws UserError when a placeholder has no value
 */
function mergedComponents(
	placeholders: Placeholder[],
	own: IDataObject,
	filled: (open: Placeholder[]) => Filled[],
): unknown {
	const written = own.components || [];
	if (!isComponentList(written)) {
		throw new UserError(
			"'components' in 'Template Fields' is not a list of components, so the values in 'Placeholders' cannot be added to it. Empty one of the two.",
		);
	}
	const parts = partsIn(own);
	const open = placeholders.filter(({ component }) => !parts.includes(component));
	const components = [...written, ...componentsOf(filled(open))];
	return components.length > 0 ? components : own.components;
}
