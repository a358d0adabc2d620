import type {
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';
import { templateNamed } from '../templates/catalogue';
import { schemaMark } from '../templates/fill';
import { isNumbered, labelOf, placeholdersOf, type Placeholder } from '../templates/placeholders';
import { fetchTemplates, selectedLanguage, selectedSender, selectedValue } from './editorRequests';
import { shortened } from './listEntries';

/** Returns one field for each placeholder of the template selected in `template`: docs/development/interface.md, "Channel template". */
export async function templatePlaceholders(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	const name = selectedValue(this, 'template');
	if (name === '') return { fields: [] };
	const templates = await fetchTemplates(this, selectedSender(this));
	// With a language that the template lacks, the preview says so.
	const template =
		templateNamed(templates, name, selectedLanguage(this)) ?? templateNamed(templates, name);
	const placeholders = template ? placeholdersOf(template) : [];
	// Columns may have the names of placeholders, but are never called `1`.
	const areNamed = placeholders.every((placeholder) => !isNumbered(placeholder.name));
	const fields = placeholders.map((each) => ({
		...field(each),
		...(areNamed && { defaultValue: `={{ ${columnNamed(each.name)} }}` }),
	}));
	return { fields: fields.length > 0 ? [...fields, hiddenField(schemaMark(name))] : [] };
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
