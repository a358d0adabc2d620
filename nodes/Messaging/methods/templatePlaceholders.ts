import {
	type ILoadOptionsFunctions,
	type ResourceMapperField,
	type ResourceMapperFields,
	NodeOperationError,
} from 'n8n-workflow';
import { templateNamed } from '../templates/catalogue';
import { schemaMark } from '../templates/fill';
import {
	componentName,
	isNumbered,
	placeholdersOf,
	type Placeholder,
} from '../templates/placeholders';
import { shortened } from './listEntries';
import { fetchTemplates, selectedSender, selectedValue } from './loadOptions';

/** Returns one field for each placeholder of the template selected in `template`: docs/interface.md, "Channel template". */
export async function templatePlaceholders(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	const from = selectedSender(this);
	const name = selectedValue(this, 'template');
	if (name === '') {
		throw new NodeOperationError(this.getNode(), "Choose a template in 'Template' first");
	}
	const template = templateNamed(await fetchTemplates(this, from), name);
	if (!template) {
		throw new NodeOperationError(this.getNode(), unknownTemplate(from, name));
	}
	const fields = placeholdersOf(template).map(field);
	return { fields: fields.length > 0 ? [...fields, hiddenField(schemaMark(name))] : [] };
}

export const unknownTemplate = (from: string, name: string) =>
	`The channel ${from} has no template "${name}". Choose one from the list.`;

const field = ({ id, name, component, sample }: Placeholder): ResourceMapperField => ({
	id,
	displayName: `${isNumbered(name) ? `Placeholder ${name}` : name}${
		component === 'body' ? '' : ` (${componentName(component)})`
	}${sample ? `, e.g. ${shortened(sample, 60)}` : ''}`,
	type: 'string',
	required: true,
	display: true,
	defaultMatch: false,
	canBeUsedToMatch: false,
});

/** Returns a field that the editor does not show, but saves with the workflow. Its id contains what is to be saved. */
export const hiddenField = (id: string): ResourceMapperField => ({
	id,
	displayName: 'Template',
	type: 'string',
	required: false,
	display: false,
	defaultMatch: false,
	canBeUsedToMatch: false,
});
