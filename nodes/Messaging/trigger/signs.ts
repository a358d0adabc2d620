import { text } from '../n8n/values';
import { isObject } from '../service/types';

/* What a single field says: that its object is about one message or person, or that a call without a word is no completion. */

/** Fields have one spelling here: `campaign_id`, `campaignId` and `Campaign-ID` are `campaignid`. */
export const plainField = (field: string) =>
	field.length < 100 ? field.replace(/[-_\s]/g, '').toLowerCase() : '';
/** Nothing longer is a word, an id or an address. */
export const beginningOf = (value: unknown) =>
	text(typeof value === 'string' ? value.slice(0, 300) : value);
/** No control characters or halves of characters, which no address can carry. */
export const isId = (value: unknown) => /^[^\p{Cc}\p{Cs}]{1,200}$/u.test(beginningOf(value));

/** A field of one message or person: whose, which address, and which part of it. */
const OF_ONE =
	/^(message|msg|sms|mms|wam|call|chat|conversation|recipient|receiver|contact|lead|subscriber|prospect|customer|patient|person|profile|destination|to)?(phone|mobile|msisdn|tel(?:ephone)?|e?mail|wa)?(id|sid|uuid|key|number|num|no|address)?$/;
/** More names of one person's address, such as `whatsapp_number`, with anything in front. */
const ADDRESS_OF_ONE =
	/(?:phone|mobile|msisdn|whatsapp|e?mail)s?(?:number|num|no|address|e164)?$|^(?:call(?:ed|to)(?:number|party)?|diall?ednumber|callee|addressee|bparty|rcpt(?:to)?|dest|dst|da|mob|cell|celular|gsm|handset|telefono|correo)$/;
/** The id of one message, such as `sg_message_id`. */
const MESSAGE_ID = /^(?!last|first|template).*(?:message|msg|sms)(?:id|sid|uuid)$/;
/** An address of whoever sends or manages the campaign. */
const OF_SENDER =
	/^(?:from|send|sentfrom|source|channel|caller|business|waba|bot|display|our|own|compan|account|creat|author|admin|manager|support|repl|bounce|return|notif)|by(?:e?mail|phone|id)?$/;
/** No date, and no time in seconds or milliseconds. */
const ADDRESS =
	/^[^\s@]+@\S+$|^\+\d{4}|^(?!\d{4}-\d\d-|1[5-9]\d{8}(?:\d{3}|\.\d+)?$|20\d{6}(?:\d{4,6})?$|\d\d?[./-]\d\d?[./-]\d{4})\D{0,15}(?:\d[\s().-]{0,2}){7,15}$/;

/** Whether a field says that its object is about one message or person. `to` may also be a date, and `lead` a count. */
export function isOfOne(field: string, given: unknown): boolean {
	const value = Array.isArray(given) && given.length === 1 ? (given[0] as unknown) : given;
	const [, whose = '', address = '', part = ''] = OF_ONE.exec(field) ?? [];
	if (whose && isObject(value)) {
		const inner = Object.keys(value).slice(0, 10);
		const isOne = (key: string) => !isObject(value[key]) && isOfOne(plainField(key), value[key]);
		// A customer may be the account.
		return inner.some((key) => (key === 'id' && whose !== 'customer') || isOne(key));
	}
	if ((/id$|key/.test(part) && whose && whose !== 'customer') || MESSAGE_ID.test(field)) {
		return isId(value);
	}
	// A customer's number may be that of an account.
	const mayBeAddress =
		whose === 'customer' ? address !== '' : address !== '' || /^[^ms]/.test(whose);
	const isAddress = mayBeAddress || (ADDRESS_OF_ONE.test(field) && !OF_SENDER.test(field));
	const isPlus = field === 'number' && text(value).startsWith('+');
	// A number of e-mails is no address.
	const shape = /mail/.test(field) ? /^[^\s@]+@\S+$/ : ADDRESS;
	return (isAddress || isPlus) && shape.test(beginningOf(value));
}

const isAbove0 = (value: unknown) => Number(text(value)) > 0;

/** Whether a field says that a call without a word is no completion: a registration, a log record, a progress. */
export const isNoEnd = (field: string, value: unknown) =>
	/^(?:brandid|externalid)$/.test(field) ||
	(/^(?:progress|percent|completion)/.test(field) && parseFloat(text(value)) < 100) ||
	(/^(?:pending|remaining|queued)(?:count|messages)?$/.test(field) && isAbove0(value)) ||
	(/(?:completed?|finished|done|ended)(?:at|on|date)?$/.test(field) &&
		/^(?:false|no?|0|null|)$/i.test(String(value)));
