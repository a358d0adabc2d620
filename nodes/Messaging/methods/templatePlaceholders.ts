import type {
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { asNodeError } from '../n8n/errors';
import { templateNamed, templatesOfSender } from '../templates/catalogue';
import { schemaMark } from '../templates/fill';
import {
	componentName,
	isNumbered,
	placeholdersOf,
	type Placeholder,
} from '../templates/placeholders';
import { askFor } from './ask';
import { chosen, chosenSender } from './chosen';
import { shortened } from './page';

/** A field without a face, which the editor saves with the workflow. */
export const mark = (id: string): ResourceMapperField => ({
	id,
	displayName: 'Template',
	type: 'string',
	required: false,
	display: false,
	defaultMatch: false,
	canBeUsedToMatch: false,
});

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

/** One field for each placeholder of the template chosen in `template` (4.5, 2.4). */
export async function templatePlaceholders(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	const from = chosenSender(this);
	const name = chosen(this, 'template');
	if (name === '') {
		throw new NodeOperationError(this.getNode(), "Choose a template in 'Template' first");
	}
	const ask = await askFor(this);
	const templates = await templatesOfSender(ask, from).catch((error: unknown) => {
		throw asNodeError(this.getNode(), error);
	});
	const template = templateNamed(templates, name);
	if (!template) {
		throw new NodeOperationError(
			this.getNode(),
			`The channel ${from} has no template "${name}". Choose one from the list.`,
		);
	}
	const fields = placeholdersOf(template).map(field);
	return { fields: fields.length > 0 ? [...fields, mark(schemaMark(name))] : [] };
}
