import type { IDataObject } from 'n8n-workflow';

/** The values of placeholders as the editor saves them, with the ids of the fields that it showed. */
export const placeholderValues = (value: IDataObject, ids: string[]) => ({
	templateParameters: {
		mappingMode: 'defineBelow',
		value,
		matchingColumns: [],
		schema: ids.map((id) => ({
			id,
			displayName: id,
			type: 'string',
			required: !id.includes(':'),
			display: !id.includes(':'),
			defaultMatch: false,
		})),
	},
});
