import { type IDataObject, type IExecuteFunctions, UserError } from 'n8n-workflow';
import { savedBy } from '../fields/messageFields';
import { showHint } from '../n8n/executionHints';
import type { Item } from '../n8n/itemParameters';
import { jsonField } from '../n8n/jsonField';
import { holdsExpression } from '../n8n/plainExpressions';
import { optionalText, requiredText } from '../n8n/values';
import type { Service } from '../service/service';
import type { Json } from '../service/types';
import { whenReady } from '../utils/concurrency';
import { Catalogue, type Languages, type Listed } from './catalogue';
import { componentsOf, isComponentList, partOf, type Filled } from './components';
import { fill, hasValues, isGiven, refuseUnknown } from './fill';
import { unfilledRemark, type Placeholder } from './placeholders';
import { renderText } from './renderedText';
import { templateOfFields } from './templateMark';

/** A recipient's part of the body; in a dry run also the text that the recipient would read, and what is to be said of it. */
type Composed = {
	body: { save?: boolean; template: IDataObject };
	language: string;
	text?: string;
	doubt?: string;
};

/** What a composer needs of a run. */
type ComposerSetup = {
	context: IExecuteFunctions;
	service: Service;
	options: { mode: string; maxRetries: number; sendUnusual: boolean };
};

/** Makes a recipient's part of the body. */
export type TemplateComposer = (input: Item, from: string) => Composed | Promise<Composed>;

/**
 * Returns the composer of a run.
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
	const timeZone = context.getTimezone();
	const signal = context.getExecutionCancelSignal?.();
	const ask = service.asking({ maxRetries: options.maxRetries, signal });
	const catalogue = new Catalogue(ask);
	const hinted = new Set<string>();
	/** Shows a hint once per run, however many recipients it concerns. */
	const hint = (sentence: string) => {
		if (hinted.has(sentence)) return;
		hinted.add(sentence);
		showHint(context, `Note: ${sentence}`);
	};

	const compose: TemplateComposer = (input, from) => {
		const { read, raw, missing } = input;
		const name = requiredText(read('template'), 'Template');
		const own = insert(ownFields(input));
		const language = languagesIn(input);

		return whenReady(catalogue.template(requiredText(from, 'From'), name, language), (listed) => {
			const values = insert((read('templateParameters.value', {}) ?? {}) as Json);
			if (enteredFor && enteredFor !== name && hasValues(values))
				throw new UserError(enteredForAnother(enteredFor, name));
			refuseUnknown(listed.placeholders, values, name);
			const doubts = listed.replaced === undefined ? [] : [listed.replaced];
			const fillIn = (open: Placeholder[]) =>
				fill(open, values, {
					raw: raw('templateParameters.value'),
					mayBeUnusual: options.sendUnusual,
					timeZone,
					missing,
					doubt: (sentence) => doubts.push(sentence),
				});
			const components =
				hasValues(values) || !hasOwnForm(own)
					? mergedComponents(listed.placeholders, own, fillIn)
					: own.components;
			const template: IDataObject = {
				name,
				...(language.wanted !== undefined && { language: { code: listed.template.language } }),
				...own,
				...(components !== undefined && { components }),
			};
			listed.remarks.forEach(hint);
			for (const part of unfilledBy(listed, own)) hint(unfilledRemark(name, part));
			const body = { save: savedBy(input), template };
			const composed = { body, language: listed.template.language };
			if (options.mode !== 'dryRun') return composed;
			const { text: shown, remark } = renderText(listed.template, template);
			if (remark !== undefined) hint(remark);
			return { ...composed, text: shown, doubt: doubts.join(' ') };
		});
	};
	return PARAMETERS.some((name) => holdsExpression(saved(name))) ? compose : composedOnce(compose);
}

/** What decides a recipient's part of the body. */
const PARAMETERS = [
	'template',
	'templateParameters.value',
	'options.language',
	'options.fallbackLanguage',
	'options.templateFields',
	'options.save',
];

/** Returns a composer that composes once for each sender, because all recipients get the same: there may be very many. */
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

/** What another field of the node says, by its name in the `template` object. */
const CHOSEN_ELSEWHERE = { name: 'Template', language: 'Options → Language' };

/** Returns the user's own fields of the `template` object. */
function ownFields({ read, raw }: Item): IDataObject {
	const parameter = 'options.templateFields';
	const fields = jsonField(read(parameter), raw(parameter), 'Template Fields');
	for (const [key, place] of Object.entries(CHOSEN_ELSEWHERE)) {
		if (key in fields)
			throw new UserError(`'${key}' is not for 'Template Fields'. Choose it in '${place}'.`);
	}
	return fields;
}

/** Reads the languages of a recipient: with a second one, an empty first one is none. */
function languagesIn({ read }: Item): Languages {
	const instead = optionalText(read('options.fallbackLanguage'), 'Language If Missing');
	const given = read('options.language', false);
	if (given === false) return {};
	if (instead === '') return { wanted: requiredText(given, 'Language') };
	return { wanted: optionalText(given, 'Language') || undefined, instead };
}

/**
 * Returns the field `components`: what *Placeholders* fill in, and the user's own components, which take the place of those
 * for the same part of the template, as they are. Undefined if there is nothing to fill in.
 *
 * @throws UserError when a placeholder has no value
 */
function mergedComponents(
	placeholders: Placeholder[],
	own: IDataObject,
	fillIn: (open: Placeholder[]) => Filled[],
): unknown {
	const written = own.components || [];
	if (!isComponentList(written)) {
		throw new UserError(
			"'components' in 'Template Fields' is not a list of components, so the values in 'Placeholders' cannot be added to it. Empty one of the two.",
		);
	}
	const parts = partsIn(own);
	const open = placeholders.filter(({ component }) => !parts.includes(component));
	const components = [...written, ...componentsOf(fillIn(open))];
	return components.length > 0 ? components : own.components;
}

/** Whether the user's own fields may hold the values in another form than a list of components. */
const hasOwnForm = ({ components, ...others }: IDataObject) =>
	!isComponentList(components || []) ||
	Object.entries(others).some(([key, value]) => key !== 'namespace' && isGiven(value));

const unfilledBy = ({ unfilled }: Listed, own: IDataObject) =>
	unfilled.length > 0 ? unfilled.filter(({ component }) => !partsIn(own).includes(component)) : [];

/** The parts of a template that the user's own components stand for, also without values: the provider judges them. */
const partsIn = ({ components }: IDataObject) =>
	isComponentList(components) ? components.map(partOf) : [];
