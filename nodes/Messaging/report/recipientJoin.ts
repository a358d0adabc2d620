import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { text } from '../n8n/values';
import type { LogRecord } from '../service/types';
import { comparableId } from '../logs/record';
import { forEachInSlices } from '../utils/concurrency';
import { numberOf } from '../utils/text';

type PairedItem = INodeExecutionData['pairedItem'];

/** A recipient that input items name, with its log records if they are output. */
type Recipient = { items: number[]; isFound: boolean; records: LogRecord[] };

/** What a person looks for. n8n's table shows the first fields of an item without scrolling. */
const FIRST = ['to', 'status', 'reason', 'delivered_time'];

/**
 * Joins the recipients of one campaign to the input items, by identifier and number; by the identifier alone when only one
 * recipient of the input has it. Each recipient is output in the order of the input, paired with its item, even if the
 * logs do not have it. Records that no item names come last, paired with the items that name nobody: an item of somebody else
 * would give them a wrong name.
 */
export class RecipientJoin {
	/** In the order of the input. */
	private readonly recipients: Recipient[] = [];

	private readonly byKey = new Map<string, Recipient>();

	private readonly byIdentifier = new Map<string, Recipient | 'several'>();

	/** Input items that name no recipient of the campaign. */
	private readonly unnamed: number[] = [];

	/** Records that no input item names. */
	private readonly others: LogRecord[] = [];

	private readonly keysOfOthers = new Map<string, true>();

	/** How many recipients are in the logs. */
	inLogs = 0;

	/** How many recipients that the input names are not in the logs. */
	missing = 0;

	/** One object for every output item that belongs to all input items, because there may be very many. */
	readonly pairedWithAll: PairedItem;

	/**
	 * @param items positions of the campaign's items among `input`
	 * @param keepsRecords whether the records are output, not only counted
	 */
	constructor(
		private readonly campaignId: string,
		private readonly items: number[],
		private readonly input: INodeExecutionData[],
		private readonly keepsRecords: boolean,
	) {
		this.pairedWithAll = pairing(items);
	}

	/** Joins the input items; without this, each record belongs to all of them. An item of another campaign is not joined. */
	async join(): Promise<void> {
		await forEachInSlices(this.items, (item) => this.name(item));
	}

	private name(item: number) {
		const { json } = this.input[item];
		const identifier = text(json.identifier);
		const isOfCampaign = ['', comparableId(this.campaignId)].includes(
			comparableId(json.campaign_id),
		);
		if (identifier === '' || !isOfCampaign) {
			this.unnamed.push(item);
			return;
		}
		const key = recipientKey(json);
		const known = this.byKey.get(key);
		if (known) {
			known.items.push(item);
			return;
		}
		const recipient: Recipient = { items: [item], isFound: false, records: [] };
		this.byKey.set(key, recipient);
		this.byIdentifier.set(identifier, this.byIdentifier.get(identifier) ? 'several' : recipient);
		this.recipients.push(recipient);
		this.missing++;
	}

	get isJoined() {
		return this.recipients.length > 0;
	}

	/** A sentence if the same people may be counted twice: as missing, and in the logs under another identifier. */
	get warning(): string | undefined {
		const strangers = this.inLogs - (this.recipients.length - this.missing);
		if (!this.isJoined || this.missing === 0 || strangers === 0) return undefined;
		const inLogs = numberOf(strangers, 'recipient');
		const inInput = numberOf(this.missing, 'recipient');
		return `Not in the input: ${inLogs} of the logs. Not in the logs: ${inInput} of the input. These may be the same people under another identifier: compare the numbers before you send to anybody again.`;
	}

	add(record: LogRecord) {
		const key = recipientKey(record);
		const only = this.byIdentifier.get(text(record.identifier));
		const recipient = this.byKey.get(key) ?? (only === 'several' ? undefined : only);
		if (this.keepsRecords) (recipient?.records ?? this.others).push(record);
		if (!recipient) {
			if (this.keysOfOthers.get(key)) return;
			this.keysOfOthers.set(key, true);
			this.inLogs++;
		} else if (!recipient.isFound) {
			recipient.isFound = true;
			this.inLogs++;
			this.missing--;
		}
	}

	/** Adds the output items of the recipients. */
	async addTo(output: INodeExecutionData[]): Promise<void> {
		await forEachInSlices(this.recipients, ({ items, isFound, records }) => {
			const pairedItem = pairing(items);
			for (const record of records)
				output.push({ json: forReading(record) as IDataObject, pairedItem });
			if (isFound) return;
			const { identifier, to } = this.input[items[0]].json;
			const named = text(to) !== '' && { to: text(to) };
			const ids = { campaign_id: this.campaignId, identifier: text(identifier) };
			output.push({ json: { ...named, missing: true, ...ids }, pairedItem });
		});
		const pairedItem = this.isJoined ? pairing(this.unnamed) : this.pairedWithAll;
		await forEachInSlices(this.others, (record) => {
			output.push({ json: forReading(record) as IDataObject, pairedItem });
		});
	}
}

/** Identifies a recipient: an identifier is unique, but callers may use it for several numbers. */
const recipientKey = ({ identifier, to }: { identifier?: unknown; to?: unknown }) =>
	`${joinDigits(to)} ${text(identifier)}`;

/** Returns the digits of a phone number without leading zeros, however it is written. */
const joinDigits = (to: unknown) => text(to).replace(/\D/g, '').replace(/^0+/, '');

const pairing = (items: number[]): PairedItem =>
	items.length === 1 ? { item: items[0] } : items.map((item) => ({ item }));

/** Returns a copy of a record with the fields that a person looks for first. */
function forReading(record: LogRecord): LogRecord {
	const ordered: { [field: string]: unknown } = {};
	for (const field of FIRST) if (Object.hasOwn(record, field)) ordered[field] = record[field];
	return Object.assign(ordered, record);
}
