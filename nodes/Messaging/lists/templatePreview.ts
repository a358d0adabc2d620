import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import { sentenceOf } from '../host/errors';
import { text } from '../host/values';
import type { ChannelTemplate } from '../service/types';
import { templatesOfSender } from '../templates/catalogue';
import { placeholdersOf } from '../templates/placeholders';
import { askFor } from './ask';
import { chosen } from './chosen';
import { sampleText } from './sampleText';

/** What takes the values for placeholders; the rest sends none of them. */
const FORMATS_WITH_FIELDS = ['components', 'legacyComponents', 'array', 'map'];

/**
 * What the recipients will read, under the field in which the template is chosen. It has no fields to
 * fill in: n8n's resource mapper is the one parameter whose notice a node can write while it is edited.
 * The editor keeps the last notice when asking fails, so a failure is told in the notice as well.
 */
export async function templatePreview(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const emptyFieldsNotice = await noticeFor(this).catch(
		(error: unknown) => `No preview. ${escaped(sentenceOf(error))}`,
	);
	return { fields: [], emptyFieldsNotice };
}

async function noticeFor(context: ILoadOptionsFunctions): Promise<string> {
	const from = chosen(context, 'from');
	const name = chosen(context, 'template');
	if (from === '')
		return 'Choose a sender and a template to see here what the recipients will read.';
	if (name === '') return 'Choose a template to see here what the recipients will read.';
	const templates = await templatesOfSender(await askFor(context), from);
	const translations = templates.filter((candidate) => candidate.name === name);
	if (translations.length === 0) {
		return `The channel ${escaped(from)} has no template "${escaped(name)}". Choose one from the list.`;
	}
	const format = text(context.getCurrentNodeParameter('parameterFormat'));
	const [template] = translations;
	return [
		`<i>${escaped(introduction(translations))}</i>`,
		...sampleText(template, { sample: (value) => `<b>${escaped(value)}</b>`, escaped }),
		...remarks(template, format).map((remark) => `<i>${escaped(remark)}</i>`),
	].join('<br>');
}

function introduction([template, ...others]: ChannelTemplate[]): string {
	const { name, language } = template;
	const samples = placeholdersOf(template).length > 0 ? ', with its samples' : '';
	if (others.length === 0) return `Preview of ${name}${samples}:`;
	const languages = others.map((other) => other.language).join(', ');
	return `Preview of ${name} in ${language} (there is also ${languages})${samples}:`;
}

function remarks(template: ChannelTemplate, format: string): string[] {
	const rejected = template.rejected_reason
		? [`It was rejected (${template.rejected_reason}) and cannot be sent.`]
		: [];
	const count = placeholdersOf(template).length;
	const takesValues = FORMATS_WITH_FIELDS.includes(format);
	if (count === 0 && takesValues) {
		return [...rejected, "It has no placeholders: set 'Parameter Format' to None."];
	}
	if (count > 0 && format === 'none') {
		const placeholders = count === 1 ? 'a placeholder' : `${count} placeholders`;
		return [...rejected, `It has ${placeholders}: choose a 'Parameter Format' below.`];
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
