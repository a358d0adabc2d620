import { type IDataObject, type IExecuteFunctions, UserError } from 'n8n-workflow';
import { showHint } from '../n8n/hints';
import { holdsExpression } from '../n8n/plainExpressions';
import { jsonObject, requiredText, text } from '../n8n/values';
import type { Ask } from '../service/endpoints';
import { whenReady } from '../utils/concurrency';
import type { Recipient } from '../sending/recipients';
import { RunError } from '../sending/message';
import type { RunSetup } from '../sending/sendOperation';
import { Catalogue, languageOf } from './catalogue';
import { fill, placeholdersSeen, templateOfFields } from './fill';
import { components } from './formats';
import { placeholdersOf, type Placeholder } from './placeholders';
import { mayHoldValues, renderText } from './renderedText';

/** A recipient's `template` object; in a dry run also the text that the recipient would read. */
type Composed = { template: IDataObject; text?: string };

/** Makes a recipient's `template` object. */
export type TemplateComposer = (recipient: Recipient, from: string) => Composed | Promise<Composed>;

/** Returns the composer of `template` objects for a run. */
export function templateComposer({ context, service, options }: RunSetup): TemplateComposer {
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

	/** A template's placeholders in the order of sending. */
	const found = new Map<string, Placeholder[]>();

	/** Finds a template's placeholders. Most recipients get the same template, and only the first one waits for it. */
	const find = (from: string, name: string, language: string | undefined, shown?: Recipient) => {
		const key = `${from}\n${name}\n${language ?? ''}`;
		const known = found.get(key);
		if (known) return known;
		const seen = shown && placeholdersSeen(shown, name);
		const finding = seen ?? catalogue.template(from, name, language).then(placeholdersOf);
		return whenReady(finding, (result) => {
			found.set(key, result);
			return result;
		});
	};

	return (recipient, from) => {
		const { read } = recipient;
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
		const chosenFields: IDataObject =
			chosenLanguage === undefined ? {} : { language: { code: chosenLanguage } };
		// Template Fields win: with values of their own, nothing is taken from Placeholders.
		if (mayHoldValues(own)) return composed({ ...chosenFields, ...own });
		if (isByHand) refuseOtherTemplate(recipient, chosen);
		return whenReady(find(from, name, language, shown), (placeholders) => {
			const filled = fill(placeholders, read('templateParameters.value', {}));
			return composed({
				...chosenFields,
				...(filled.length > 0 && { components: components(filled) }),
				...own,
			});
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
