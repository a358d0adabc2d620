import {
	type ILoadOptionsFunctions,
	type ResourceMapperField,
	type ResourceMapperFields,
	UserError,
} from 'n8n-workflow';
import type { ChannelTemplate } from '../service/types';
import { translationOf } from '../templates/catalogue';
import { isNumbered, labelOf, placeholdersOf, type Placeholder } from '../templates/placeholders';
import { templateMark } from '../templates/templateMark';
import { fetchTemplates, selectedLanguage, selectedSender, selectedValue } from './editorRequests';
import { shortened } from './listEntries';

/**
 * Returns one field for each placeholder of the template selected in `template`: docs/development/interface.md, "Channel template".
 *
 * @throws NodeOperationError or UserError when it is not known which ones the template has: n8n would save a node without
 * fields without what was entered in them. The preview says why.
 */
export async function templatePlaceholders(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	const name = selectedValue(this, 'template');
	if (name === '') throw new UserError('The template is not known yet.');
	const from = selectedSender(this);
	const templates = await fetchTemplates(this, from);
	const template = translationOf(templates, from, name, selectedLanguage(this));
	const placeholders = placeholdersIn(template);
	// Columns may have the names of placeholders, but are never called `1`.
	const areNamed = placeholders.every((placeholder) => !isNumbered(placeholder.name));
	const fields = placeholders.map((each) => ({
		...field(each),
		...(areNamed && { defaultValue: `={{ ${columnNamed(each.name)} }}` }),
	}));
	if (fields.length === 0) return { fields };
	return { fields: [...fields, hiddenField(templateMark(name))] };
}

/** @throws UserError when the service does not show the template's text */
function placeholdersIn(template: ChannelTemplate): Placeholder[] {
	if (Array.isArray(template.components)) return placeholdersOf(template);
	throw new UserError(`The service does not show the text of ${template.name}.`);
}

const columnNamed = (name: string) =>
	/^[A-Za-z_]\w*$/.test(name) ? `$json.${name}` : `$json["${name}"]`;

const field = (placeholder: Placeholder): ResourceMapperField => ({
	...hiddenField(placeholder.id),
	displayName: `${labelOf(placeholder)}${placeholder.sample ? `, e.g. ${shortened(placeholder.sample, 60)}` : ''}`,
	display: true,
});

/** Returns a field that the editor does not show, but saves with the workflow. Its id contains what is to be saved. */
const hiddenField = (id: string): ResourceMapperField => ({
	id,
	displayName: 'Template',
	type: 'string',
	required: false,
	display: false,
	defaultMatch: false,
	canBeUsedToMatch: false,
});
