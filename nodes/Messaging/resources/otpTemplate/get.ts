import { UserError } from 'n8n-workflow';
import { readOperation } from '../readOperation';
import { locator } from '../../fields/locator';
import { requiredText } from '../../n8n/values';
import { getOtpTemplates } from '../../service/endpoints';
import type { Operation } from '../operation';
import { simplifier, simplify } from '../simplify';
import { OTHER_FIELDS, SIMPLIFIED_FIELDS } from './simplifiedFields';

/** Outputs one OTP template; the service can only list all (docs/development/interface.md, "Get OTP templates"). */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get OTP template',
	description: 'Retrieve one template for one-time passwords',
	fields: [
		locator({
			displayName: 'OTP Template',
			name: 'otpTemplateId',
			required: true,
			description: 'The template to get',
			list: { searchListMethod: 'searchOtpTemplates', placeholder: 'Choose a template…' },
			entered: {
				displayName: 'By ID',
				name: 'id',
				placeholder: 'e.g. 0c3c6a52-0000-4000-8000-000000000001',
			},
		}),
		...simplify(SIMPLIFIED_FIELDS, OTHER_FIELDS),
	],
	execute: readOperation(async ({ ask, read }) => {
		const id = requiredText(read('otpTemplateId'), 'OTP Template');
		const templates = await ask(getOtpTemplates());
		const template = templates.find((candidate) => candidate.id === id);
		if (!template) {
			throw new UserError(
				`There is no OTP template with the ID "${id}". Choose one from the list.`,
			);
		}
		return [template].map(simplifier(read, SIMPLIFIED_FIELDS));
	}),
};
