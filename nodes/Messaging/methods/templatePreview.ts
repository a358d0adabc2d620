import type {
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';
import { sentenceOf } from '../n8n/errors';
import { text } from '../n8n/values';
import type { ChannelTemplate, TemplateComponent } from '../service/types';
import { otherLanguages, rejectionOf, templateNamed } from '../templates/catalogue';
import { previewMark, templateOfMark } from '../templates/fill';
import { SECOND_PREVIEW } from '../templates/previewSwitch';
import { counted, placeholdersOf } from '../templates/placeholders';
import { escapeMarkup } from '../utils/text';
import { BRACES, joined } from './listEntries';
import { fetchTemplates, selectedValue } from './loadOptions';
import { hiddenField, unknownTemplate } from './templatePlaceholders';

/** The choices of *Placeholder Values* that send the placeholder fields. */
const FORMATS_WITH_FIELDS = ['components', 'legacyComponents', 'array', 'map'];

/**
 * Returns a notice with the text that recipients will read, which the editor shows below the template. It belongs to a
 * resource mapper without fields, the only kind of parameter whose notice a node can change in the editor.
 *
 * Never throws: after an error the editor would go on showing the previous notice.
 */
export async function templatePreview(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	try {
		return await previewFor(this);
	} catch (error) {
		return {
			fields: savedFields(this),
			emptyFieldsNotice: `No preview. ${escapeText(sentenceOf(error))}`,
		};
	}
}

/** Returns the fields of the last preview, so that a failure does not change what is saved with the workflow. */
function savedFields(context: ILoadOptionsFunctions): ResourceMapperField[] {
	type Saved = { schema?: ResourceMapperField[] | null } | undefined;
	const [first, other] = ['templatePreview', SECOND_PREVIEW].map(
		(name) => (context.getCurrentNodeParameter(name) as Saved)?.schema,
	);
	return first ?? other ?? [];
}

async function previewFor(context: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const from = selectedValue(context, 'from');
	const name = selectedValue(context, 'template');
	if (from === '')
		return notice('Choose a sender and a template to see here what the recipients will read.');
	if (name === '') return notice('Choose a template to see here what the recipients will read.');
	const templates = await fetchTemplates(context, from);
	const template = templateNamed(templates, name);
	if (!template) return notice(unknownTemplate(escapeText(from), escapeText(name)));
	const format = text(context.getCurrentNodeParameter('parameterFormat'));
	const count = placeholdersOf(template).length;
	const lines = [
		`<i>${introduction(template, otherLanguages(templates, template))}</i>`,
		...textLines(template),
		...[...remarks(template, format), ...outdated(context, name, format)].map(
			(remark) => `<i>${remark}</i>`,
		),
	];
	return {
		fields: count > 0 ? [hiddenField(previewMark(name, count))] : [],
		emptyFieldsNotice: lines.join('<br>'),
	};
}

const notice = (emptyFieldsNotice: string): ResourceMapperFields => ({
	fields: [],
	emptyFieldsNotice,
});

function introduction(template: ChannelTemplate, others: string[]): string {
	const name = escapeText(template.name);
	const language = escapeText(text(template.language));
	const samples = placeholdersOf(template).length > 0 ? ', with its samples' : '';
	const languages = escapeText(joined(others, ', '));
	if (languages === '' || language === '') return `Preview of ${name}${samples}:`;
	return `Preview of ${name} in ${language} (there is also ${languages})${samples}:`;
}

function remarks(template: ChannelTemplate, format: string): string[] {
	const rejection = rejectionOf(template);
	const rejected = rejection
		? [`It was rejected (${escapeText(rejection)}) and cannot be sent.`]
		: [];
	const count = placeholdersOf(template).length;
	if (count === 0 && FORMATS_WITH_FIELDS.includes(format)) {
		return [...rejected, "It has no placeholders: set 'Placeholder Values' to None."];
	}
	if (count > 0 && format === 'none') {
		return [
			...rejected,
			`It has ${counted(count)}: set 'Placeholder Values' below, usually to Chat-App Standard.`,
		];
	}
	return rejected;
}

const OPEN_AGAIN = 'close this node and open it again.';

/**
 * Returns what to do if the editor still shows the fields, or this notice, of another template. It does so as long as an
 * expression of the node has no value; only if the template was chosen from the list is the notice reloaded in any case (see
 * `previews` in templateFields.ts).
 */
function outdated(context: ILoadOptionsFunctions, name: string, format: string): string[] {
	const { template, templateParameters } = context.getCurrentNodeParameters() as {
		template?: { cachedResultName?: unknown };
		templateParameters?: { schema?: ResourceMapperField[] | null };
	};
	const other = templateParameters?.schema?.map(({ id }) => templateOfMark(id)).find(Boolean);
	if (other !== undefined && other !== name && FORMATS_WITH_FIELDS.includes(format)) {
		return [`If the fields below are still those of ${escapeText(other)}, ${OPEN_AGAIN}`];
	}
	const hasExpression = JSON.stringify(context.getCurrentNodeParameters()).includes('"=');
	return hasExpression && !template?.cachedResultName
		? [`If you have chosen another template, ${OPEN_AGAIN}`]
		: [];
}

/** Returns the template's text as HTML: a line for each component, with samples in bold, and a line for its buttons. */
function textLines(template: ChannelTemplate): string[] {
	const components = Array.isArray(template.components) ? template.components : [];
	return components.flatMap((component) => {
		const text = typeof component.text === 'string' ? [textLine(component, component.text)] : [];
		const buttons = labelsOf(component).map((label) => `[ ${escapeText(label)} ]`);
		return [...text, ...(buttons.length > 0 ? [buttons.join(' ')] : [])];
	});
}

function textLine(component: TemplateComponent, text: string): string {
	const own = { ...component, buttons: undefined };
	const placeholders = placeholdersOf({ components: [own] } as unknown as ChannelTemplate);
	const samples = new Map(placeholders.map((each) => [each.name, each.sample]));
	// Because BRACES has a group, `split` returns text, name, text, name, …, text.
	return text
		.split(BRACES)
		.map((part, index) =>
			index % 2 ? `<b>${escapeText(samples.get(part) ?? `{{${part}}}`)}</b>` : escapeText(part),
		)
		.join('');
}

/** The service does not document buttons; the chat-app provider lists them like this. */
function labelsOf({ buttons }: TemplateComponent): string[] {
	return (Array.isArray(buttons) ? buttons : [])
		.map((button: { text?: unknown } | null) => button?.text)
		.filter((label): label is string => typeof label === 'string');
}

/** Escapes data for the notice, which is HTML. */
const escapeText = (value: string) => escapeMarkup(value).replaceAll(/\r?\n/g, '<br>');
