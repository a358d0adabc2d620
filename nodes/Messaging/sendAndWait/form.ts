import {
	type IDataObject,
	type IExecuteFunctions,
	tryToParseJsonToFormFields,
	UserError,
} from 'n8n-workflow';
import { flag, numberBetween, text } from '../n8n/values';
import { isObject } from '../service/types';
import { ELEMENT_TYPES, type ElementType } from './formElements';
import { safeHtml } from './safeHtml';

/** An element of a custom form, as the page shows it. */
export type FormElement = {
	type: ElementType;
	/** The name of the answer in the output; '' for HTML that is not output. */
	name: string;
	label: string;
	isRequired: boolean;
	placeholder: string;
	/** The default value; several for checkboxes. */
	preset: string[];
	/** What the person can choose from. */
	options: string[];
	/** How many options must be chosen. */
	least: number;
	most: number;
	/** Extensions or types of files, such as `.jpg`; none for all files. */
	accepted: string[];
	takesManyFiles: boolean;
	/** The value of a hidden field, or the HTML to show. */
	content: string;
};

/** Names that the output uses itself, so no field can have them. */
const RESERVED_NAMES = ['answered', 'respondedAt', 'sentAs', 'timedOut', 'to'];

/**
 * Reads the form when the question is sent: the page shows the form as it was then, and nobody gets a link to a form that
 * cannot be shown or filled in.
 *
 * @throws UserError when the form has no field, or one that nobody can fill in
 */
export function readForm(context: IExecuteFunctions): FormElement[] {
	const raw =
		context.getNodeParameter('defineForm', 0, 'fields') === 'json'
			? fieldsFromJson(context)
			: fieldsFromList(context);
	const elements = raw.map(readElement);
	if (!elements.some(({ type }) => type !== 'html' && type !== 'hiddenField')) {
		throw new UserError(
			"The form has no field that a person can fill in. Add one in 'Form Elements'.",
		);
	}
	const names = elements.map(({ name }) => name).filter(Boolean);
	const twice = names.find((name, index) => names.indexOf(name) !== index);
	if (twice !== undefined) {
		throw new UserError(
			`The form has two fields named "${twice}", and the output can hold only one. Give one of them another 'Field Name'.`,
		);
	}
	return elements;
}

function fieldsFromList(context: IExecuteFunctions): IDataObject[] {
	const read = (rawExpressions: boolean): unknown =>
		context.getNodeParameter('formFields.values', 0, [], { rawExpressions });
	const fields = read(false);
	if (!Array.isArray(fields)) throw new UserError("'Form Elements' must be a list of fields.");
	const raw = read(true);
	return fields.map((field: IDataObject, index) => {
		const html: unknown = Array.isArray(raw) && (raw[index] as IDataObject)?.html;
		// Like n8n's forms, resolve `{{ … }}` in HTML that is not an expression. The result of an expression is not resolved
		// again, because other people's data may be in it.
		return typeof html === 'string' && !html.startsWith('=')
			? { ...field, html: resolve(context, html, String) }
			: field;
	});
}

function fieldsFromJson(context: IExecuteFunctions): IDataObject[] {
	const raw: unknown = context.getNodeParameter('jsonOutput', 0, '', { rawExpressions: true });
	const asJson = (value: unknown) =>
		isObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value);
	const written = typeof raw === 'string' ? raw : asJson(raw);
	const json = written.startsWith('=') ? resolve(context, written.slice(1), asJson) : written;
	const parsed = parse(json);
	if ('why' in parsed) throw new UserError(`'Form Fields' cannot be read. ${parsed.why}`);
	return parsed.fields.map((field) =>
		Object.fromEntries(
			Object.entries(field).map(([key, value]) => [
				key,
				// n8n escapes these two characters, but the page escapes every text itself.
				typeof value === 'string' && key !== 'html'
					? value.replaceAll('&lt;', '<').replaceAll('&gt;', '>')
					: value,
			]),
		),
	);
}

/** Parses the fields with the checks of n8n's own forms. */
function parse(json: string): { fields: IDataObject[] } | { why: string } {
	try {
		return { fields: tryToParseJsonToFormFields(json) as IDataObject[] };
	} catch (error) {
		return { why: (error as Error).message };
	}
}

const resolve = (context: IExecuteFunctions, value: string, write: (value: unknown) => string) =>
	value.replace(/\{\{[^]*?\}\}/g, (part) => write(context.evaluateExpression(part, 0) ?? ''));

function readElement(field: IDataObject, index: number): FormElement {
	const fieldType = text(field.fieldType) || 'text';
	const type = ELEMENT_TYPES.find(({ value }) => value === fieldType)?.value;
	const refuse = (why: string) =>
		new UserError(`Field ${index + 1} of the form (${text(field.fieldLabel) || fieldType}) ${why}`);
	if (!type) throw refuse(`has the unknown type "${fieldType}".`);
	const isShown = type !== 'html' && type !== 'hiddenField';
	const label = isShown ? text(field.fieldLabel) : '';
	const name = type === 'html' ? text(field.elementName) : text(field.fieldName) || label;
	if (isShown && !label) throw refuse("has no 'Label'. Write what the person is to fill in.");
	if (!name && type !== 'html') throw refuse("has no 'Field Name'.");
	if (RESERVED_NAMES.includes(name)) {
		throw refuse(`is named "${name}", which the output uses itself. Choose another 'Field Name'.`);
	}
	const choices = (field.fieldOptions as IDataObject | undefined)?.values;
	const isChoice = type === 'dropdown' || type === 'radio' || type === 'checkbox';
	const options = isChoice && Array.isArray(choices) ? choices.map(optionText).filter(Boolean) : [];
	if (isChoice && options.length === 0) throw refuse('has no options to choose from.');
	const element: FormElement = {
		// In older n8n forms, a dropdown can allow several options.
		type: type === 'dropdown' && field.multiselect === true ? 'checkbox' : type,
		name,
		label,
		isRequired: isShown && flag(field.requiredField, 'Required Field'),
		placeholder: text(field.placeholder),
		preset: presetOf(type, field.defaultValue),
		options: [...new Set(options)],
		...limits(field),
		accepted: text(field.acceptFileTypes)
			.toLowerCase()
			.split(',')
			.map((each) => each.trim())
			.filter((each) => !/^[*.]*$/.test(each))
			// `pdf` and `*.pdf` mean `.pdf`; `image/*` is a media type.
			.map((each) => (each.includes('/') ? each : `.${each.replace(/^[*.]+/, '')}`)),
		takesManyFiles: flag(field.multipleFiles, 'Multiple Files'),
		content: type === 'html' ? safeHtml(text(field.html)) : text(field.fieldValue),
	};
	if (type === 'checkbox' && element.least > Math.min(element.most, element.options.length)) {
		throw refuse(
			`asks for ${element.least} selections, but only ${Math.min(element.most, element.options.length)} are possible.`,
		);
	}
	return element;
}

const optionText = (choice: unknown) => (isObject(choice) ? text(choice.option) : text(choice));

function presetOf(type: ElementType, value: unknown): string[] {
	const preset = text(value);
	if (type === 'checkbox') return preset.split(',').map((each) => each.trim());
	// The editor saves a date with a time.
	return [type === 'date' ? preset.slice(0, 10) : preset];
}

/** Not Infinity: n8n saves the form as JSON. */
const UNLIMITED = 1_000_000;

function limits({ limitSelection, numberOfSelections, minSelections, maxSelections }: IDataObject) {
	const count = (value: unknown, fallback: number) => numberBetween(value, 0, 1000, fallback);
	if (limitSelection === 'exact') {
		const exactly = count(numberOfSelections, 1);
		return { least: exactly, most: exactly || UNLIMITED };
	}
	return limitSelection === 'range'
		? { least: count(minSelections, 0), most: count(maxSelections, 1) || UNLIMITED }
		: { least: 0, most: UNLIMITED };
}
