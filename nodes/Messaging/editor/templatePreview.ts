import { type ILoadOptionsFunctions, type ResourceMapperFields, UserError } from 'n8n-workflow';
import { CREDENTIAL } from '../n8n/connect';
import { sentenceOf } from '../n8n/nodeErrors';
import { text } from '../n8n/values';
import type { ChannelTemplate } from '../service/types';
import { otherLanguages, rejectionOf, translationOf } from '../templates/catalogue';
import {
	placeholderId,
	PLACEHOLDER,
	placeholdersOf,
	textPartsOf,
	unfilledParts,
	unfilledRemark,
} from '../templates/placeholders';
import { templateOfFields } from '../templates/templateMark';
import { escapeMarkup } from '../utils/text';
import { joined } from './listEntries';
import { fetchTemplates, selectedLanguage, selectedValue } from './editorRequests';

/**
 * Returns a notice with the text that recipients will read, which the editor shows below the template. It belongs to a
 * resource mapper without fields, the only kind of parameter whose notice a node can change in the editor.
 *
 * Never throws, but says why there is no text: after an error the editor would go on showing the previous notice.
 */
export async function templatePreview(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	try {
		return await previewFor(this);
	} catch (error) {
		return { fields: [], emptyFieldsNotice: escapeText(sentenceOf(error)) };
	}
}

/** None is chosen, or it was deleted. The editor does not load the preview again when one is chosen. */
const WITHOUT_CREDENTIAL =
	'To see here what people will read, choose or create a credential above, then close this node and open it again.';

async function previewFor(context: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	await context.getCredentials(CREDENTIAL).catch(() => {
		throw new UserError(WITHOUT_CREDENTIAL);
	});
	const from = selectedValue(context, 'from');
	const name = selectedValue(context, 'template');
	if (name === '') throw chosenLater(context, 'template');
	if (context.getCurrentNodeParameter('from.value') === '') {
		throw new UserError("Choose a sender in 'From' to see here what the recipients will read.");
	}
	if (from === '') throw chosenLater(context, 'sender');
	const templates = await fetchTemplates(context, from);
	const template = translationOf(templates, from, name, selectedLanguage(context));
	const values = valuesFor(context, template);
	const rejection = escapeText(rejectionOf(template));
	const remarks = [
		rejection && `It was rejected (${rejection}) and cannot be sent.`,
		languageRemark(context, template, templates),
		...unfilledParts(template).map((part) => escapeText(unfilledRemark(name, part))),
	];
	const lines = [
		`<b>${introduction(template, values)}</b>`,
		...textLines(template, values),
		...remarks.filter((remark) => remark !== '').map((remark) => `<i>${remark}</i>`),
	];
	return { fields: [], emptyFieldsNotice: lines.join('<br>') };
}

type Values = Map<string, string | undefined>;

/**
 * Returns the values in *Placeholders* by their ids, as they are for the first input item; undefined as long as one is
 * missing, or as the fields are those of another template.
 */
function valuesFor(context: ILoadOptionsFunctions, template: ChannelTemplate): Values | undefined {
	const { value, schema } = (context.getCurrentNodeParameter('templateParameters') ?? {}) as {
		value?: Record<string, unknown> | null;
		schema?: unknown;
	};
	if (templateOfFields(schema) !== template.name) return undefined;
	const values = new Map(placeholdersOf(template).map(({ id }) => [id, text(value?.[id])]));
	// An older editor sends expressions as they are.
	const areKnown = [...values.values()].every((each) => each !== '' && !each.startsWith('='));
	return areKnown ? values : undefined;
}

/** Says why there is no preview yet. An agent's tool has no previous nodes, and its model may choose. */
const chosenLater = (context: ILoadOptionsFunctions, what: string) =>
	new UserError(
		context.getNode().type.endsWith('Tool')
			? `The ${what} is chosen by the model or by an expression, so the node cannot show the text, and placeholders cannot be filled in.`
			: `The ${what} is chosen by an expression: execute the previous nodes, then close this node and open it again, to see the text and its placeholders here.`,
	);

/**
 * Names the template. The preview cannot say that it is old: as long as an expression of the node has no value, the editor does
 * not ask for the preview of another template. A hint of the node says so, by the template whose placeholders are shown.
 */
function introduction(template: ChannelTemplate, values?: Values): string {
	const language = escapeText(text(template.language));
	const filled = values ? ', for the first item' : ', with example values';
	const how = placeholdersOf(template).length > 0 ? filled : '';
	return `Preview of ${escapeText(template.name)}${language && ` in ${language}`}${how}:`;
}

/** Returns how to choose the language of a template that exists in several, or that it lacks the chosen one. */
function languageRemark(
	context: ILoadOptionsFunctions,
	template: ChannelTemplate,
	templates: ChannelTemplate[],
): string {
	if (selectedLanguage(context)) return '';
	const others = escapeText(joined(otherLanguages(templates, template), ', '));
	return (
		others &&
		`It also exists in ${others}: choose one with the option 'Language', or nothing is sent.`
	);
}

/** Returns the template's text as HTML: a line for each component and each button, with samples or values in bold. */
function textLines(template: ChannelTemplate, values?: Values): string[] {
	const samples = values ?? new Map(placeholdersOf(template).map(({ id, sample }) => [id, sample]));
	return textPartsOf(template).map(({ component, text: shown, button }) => {
		if (button !== undefined) return `[ ${escapeText(button)} ]`;
		return escapeText(shown).replace(PLACEHOLDER, (placeholder, name: string) => {
			const sample = samples.get(placeholderId(component, name));
			return `<b>${sample === undefined ? placeholder : escapeText(sample)}</b>`;
		});
	});
}

/** Escapes data for the notice, which is HTML. */
const escapeText = (value: string) => escapeMarkup(value).replaceAll(/\r?\n/g, '<br>');
