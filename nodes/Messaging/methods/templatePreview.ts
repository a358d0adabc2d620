import type {
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';
import { sentenceOf } from '../n8n/errors';
import { text } from '../n8n/values';
import type { ChannelTemplate, TemplateComponent } from '../service/types';
import { otherLanguages, rejectionOf, templateNamed } from '../templates/catalogue';
import { previewMark } from '../templates/fill';
import { counted, placeholdersOf } from '../templates/placeholders';
import { escapeMarkup } from '../utils/text';
import { BRACES, joined } from './listEntries';
import { fetchTemplates, selectedValue } from './loadOptions';
import { hiddenField, unknownTemplate } from './templatePlaceholders';

/** The values of *Parameter Format* that send the placeholder fields. */
const FORMATS_WITH_FIELDS = ['components', 'legacyComponents', 'array', 'map'];

/**
 * Returns a notice with the text that recipients will read, for the place below the template list. It is a resource
 * mapper without fields, because that is the only parameter whose notice a node can change in the editor.
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
	const saved = context.getCurrentNodeParameter('templatePreview') as
		| { schema?: ResourceMapperField[] | null }
		| undefined;
	return saved?.schema ?? [];
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
		...remarks(template, format).map((remark) => `<i>${remark}</i>`),
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
		return [...rejected, "It has no placeholders: set 'Parameter Format' to None."];
	}
	if (count > 0 && format === 'none') {
		return [...rejected, `It has ${counted(count)}: choose a 'Parameter Format' below.`];
	}
	return rejected;
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
