import { type IDataObject, type IExecuteFunctions, UserError } from 'n8n-workflow';
import { showHint } from '../n8n/hints';
import { holdsExpression } from '../n8n/plainExpressions';
import { jsonObject, oneOf, requiredText, text } from '../n8n/values';
import type { Ask } from '../service/endpoints';
import type { ChannelTemplate } from '../service/types';
import { whenReady } from '../utils/concurrency';
import { numberOf } from '../utils/text';
import type { Recipient } from '../sending/recipients';
import { RunError, type RunSetup } from '../sending/sendOperation';
import { Catalogue, languageOf } from './catalogue';
import { fill, placeholdersSeen, templateOfFields } from './fill';
import { FORMATS, parameterFields } from './formats';
import { placeholdersOf, type Placeholder } from './placeholders';
import { mayHoldValues, renderText } from './renderedText';

/** A recipient's `template` object; in a dry run also the text that the recipient would read. */
type Composed = { template: IDataObject; text?: string };

/** Makes a recipient's `template` object. */
export type TemplateComposer = (recipient: Recipient, from: string) => Composed | Promise<Composed>;

/** A template's placeholders in the order of sending, and the template itself if it had to be requested. */
type Found = { placeholders: Placeholder[]; listed?: ChannelTemplate };

/** Returns the composer of `template` objects for a run. */
export function templateComposer({ context, service, options }: RunSetup): TemplateComposer {
	const chosenFormat = context.getNodeParameter('options.parameterFormat', 0, '');
	const format = oneOf(chosenFormat, FORMATS, 'Placeholder Format');
	// The editor has loaded only a template that was chosen by hand, and not those that an expression gives.
	const raw = context.getNodeParameter('template.value', 0, '', { rawExpressions: true });
	const isByHand = !holdsExpression(raw);
	const ask: Ask = async (request) => {
		const answer = await service.call(request, {
			maxRetries: options.maxRetries,
			signal: context.getExecutionCancelSignal?.(),
		});
		if (answer.ok) return answer.payload;
		throw new RunError(`Nothing was sent: the templates cannot be read. ${answer.message}`);
	};
	const catalogue = new Catalogue(ask);
	const textForDryRun = dryRunTexts(context, catalogue);

	const found = new Map<string, Found>();

	/** Finds a template's placeholders. Most recipients get the same template, and only the first one waits for it. */
	const find = (from: string, name: string, language: string | undefined, shown?: Recipient) => {
		const key = `${from}\n${name}\n${language ?? ''}`;
		const known = found.get(key);
		if (known) return known;
		const seen = shown && placeholdersSeen(shown, name);
		const needsNamespace = format === 'legacyComponents' && seen?.length !== 0;
		const finding: Found | Promise<Found> =
			seen && !needsNamespace
				? { placeholders: seen }
				: catalogue
						.template(from, name, language)
						.then((listed) => ({ placeholders: placeholdersOf(listed), listed }));
		return whenReady(finding, (result) => {
			found.set(key, result);
			return result;
		});
	};

	return (recipient, from) => {
		const { read, entry } = recipient;
		const isFromList = entry !== undefined || format === 'json';
		const values = isFromList ? entry?.parameters : read('templateParameters.value', {});
		const chosen = requiredText(read('template'), 'Template');
		const own = ownFields(read('options.templateFields'));
		const given = read('options.language', false);
		const chosenLanguage = given === false ? undefined : requiredText(given, 'Language');
		const language = languageOf(own.language) ?? chosenLanguage;
		const name = text(own.name) || chosen;
		// The editor has shown this template, so its placeholders are known.
		const shown = isByHand && name === chosen && language === undefined ? recipient : undefined;

		const composed = (fields: IDataObject): Composed | Promise<Composed> => {
			const template = { name: chosen, ...fields };
			if (options.mode !== 'dryRun') return { template };
			return textForDryRun(from, template).then((read) => ({ template, text: read }));
		};
		if (format === 'json') {
			refuseParameters(values);
			const fields = { ...parameterFields('json', [], chosenLanguage), ...own };
			if (mayHoldValues(fields)) return composed(fields);
			return whenReady(find(from, name, language, shown), ({ placeholders }) => {
				refuseUnfilled(name, placeholders.length);
				return composed(fields);
			});
		}
		if (isByHand && !entry) refuseOtherTemplate(recipient, chosen);
		return whenReady(find(from, name, language, shown), ({ placeholders, listed }) => {
			const filled = fill(placeholders, values);
			return composed({ ...parameterFields(format, filled, chosenLanguage, listed), ...own });
		});
	};
}

/** Refuses values that were entered for another template. */
function refuseOtherTemplate(recipient: Recipient, template: string) {
	const enteredFor = templateOfFields(recipient) ?? template;
	if (enteredFor === template) return;
	throw new UserError(
		`The values in 'Placeholders' were entered for the template "${enteredFor}", but "${template}" is chosen. Open the node (if it is open, close it first), check the values, and save the workflow.`,
	);
}

/** Returns the user's own fields of the `template` object. */
function ownFields(given: unknown): IDataObject {
	const fields = jsonObject(given, 'Template Fields');
	if ('language' in fields && languageOf(fields.language) === undefined) {
		throw new UserError(
			"'language' in 'Template Fields' is empty. Fill it in, check the expression for this item, or leave 'language' out.",
		);
	}
	return fields;
}

/** Refuses a template with placeholders but without values: the provider would refuse it for every recipient. */
function refuseUnfilled(name: string, placeholders: number) {
	if (placeholders === 0) return;
	throw new UserError(
		`${name} has ${numberOf(placeholders, 'placeholder')}, but the option 'Template Fields' has no values. Add them there, or remove the option 'Placeholder Format'.`,
	);
}

/** Refuses values that would not be sent: the recipient would read a text with gaps. */
function refuseParameters(values: unknown) {
	if (typeof values === 'object' && values !== null && Object.keys(values).length > 0) {
		throw new UserError(
			"The list has \"parameters\" for this recipient, but with the 'Placeholder Format' Your Own JSON only 'Template Fields' is sent. Remove the option 'Placeholder Format'.",
		);
	}
}

/** Returns a function that gives a message's text for a dry run. */
function dryRunTexts(context: IExecuteFunctions, catalogue: Catalogue) {
	const hinted = new Set<string>();
	/** Shows a hint once per run, however many recipients it concerns. */
	const hint = (sentence: string) => {
		if (hinted.has(sentence)) return;
		hinted.add(sentence);
		showHint(context, `Nothing was sent. Note: ${sentence}`);
	};
	return async (from: string, template: IDataObject): Promise<string | undefined> => {
		await catalogue.template(from, text(template.name), languageOf(template.language));
		const { channel, templates } = await catalogue.listing(from);
		const { name, status } = channel;
		if (status === 'INACTIVE' || status === 'PENDING') {
			hint(`The channel ${name} (${from}) is ${status}: the service may refuse to send from it.`);
		}
		const { text: shown, remarks } = renderText(templates, template);
		for (const remark of remarks) hint(remark);
		return shown;
	};
}
