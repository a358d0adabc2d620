import type {
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';
import { sentenceOf } from '../n8n/errors';
import { text } from '../n8n/values';
import type { ChannelTemplate } from '../service/types';
import {
	otherLanguages,
	rejectionOf,
	templateNamed,
	templatesOfSender,
} from '../templates/catalogue';
import { previewMark } from '../templates/fill';
import { counted, placeholdersOf } from '../templates/placeholders';
import { askFor } from './ask';
import { chosen } from './chosen';
import { joined } from './page';
import { sampleText } from './sampleText';
import { mark } from './templatePlaceholders';

/** What takes the values for placeholders; the rest sends none of them. */
const FORMATS_WITH_FIELDS = ['components', 'legacyComponents', 'array', 'map'];

/**
 * What the recipients will read, under the field in which the template is chosen. It has no fields to
 * fill in: n8n's resource mapper is the one parameter whose notice a node can write while it is edited.
 * The editor keeps the last notice when asking fails, so a failure is told in the notice as well; what it
 * saw before stays with the workflow.
 */
export async function templatePreview(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	try {
		return await previewFor(this);
	} catch (error) {
		return {
			fields: seenBefore(this),
			emptyFieldsNotice: `No preview. ${escaped(sentenceOf(error))}`,
		};
	}
}

function seenBefore(context: ILoadOptionsFunctions): ResourceMapperField[] {
	const saved = context.getCurrentNodeParameter('templatePreview') as
		| { schema?: ResourceMapperField[] | null }
		| undefined;
	return saved?.schema ?? [];
}

const notice = (emptyFieldsNotice: string): ResourceMapperFields => ({
	fields: [],
	emptyFieldsNotice,
});

async function previewFor(context: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const from = chosen(context, 'from');
	const name = chosen(context, 'template');
	if (from === '')
		return notice('Choose a sender and a template to see here what the recipients will read.');
	if (name === '') return notice('Choose a template to see here what the recipients will read.');
	const templates = await templatesOfSender(await askFor(context), from);
	const template = templateNamed(templates, name);
	if (!template) {
		return notice(
			`The channel ${escaped(from)} has no template "${escaped(name)}". Choose one from the list.`,
		);
	}
	const format = text(context.getCurrentNodeParameter('parameterFormat'));
	const count = placeholdersOf(template).length;
	const lines = [
		`<i>${escaped(introduction(template, otherLanguages(templates, template)))}</i>`,
		...sampleText(template, { sample: (value) => `<b>${escaped(value)}</b>`, escaped }),
		...remarks(template, format).map((remark) => `<i>${escaped(remark)}</i>`),
	];
	return {
		fields: count > 0 ? [mark(previewMark(name, count))] : [],
		emptyFieldsNotice: lines.join('<br>'),
	};
}

function introduction(template: ChannelTemplate, others: string[]): string {
	const { name, language } = template;
	const samples = placeholdersOf(template).length > 0 ? ', with its samples' : '';
	const languages = joined(others, ', ');
	if (languages === '' || !language) return `Preview of ${name}${samples}:`;
	return `Preview of ${name} in ${language} (there is also ${languages})${samples}:`;
}

function remarks(template: ChannelTemplate, format: string): string[] {
	const rejection = rejectionOf(template);
	const rejected = rejection ? [`It was rejected (${rejection}) and cannot be sent.`] : [];
	const count = placeholdersOf(template).length;
	const takesValues = FORMATS_WITH_FIELDS.includes(format);
	if (count === 0 && takesValues) {
		return [...rejected, "It has no placeholders: set 'Parameter Format' to None."];
	}
	if (count > 0 && format === 'none') {
		return [...rejected, `It has ${counted(count)}: choose a 'Parameter Format' below.`];
	}
	return rejected;
}

/** The notice is HTML. */
const escaped = (value: string) =>
	value
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll(/\r?\n/g, '<br>');
