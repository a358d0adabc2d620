import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { TimeSlice } from '../utils/concurrency';
import { text } from '../n8n/values';
import type { LogRecord } from '../service/types';
import { plainId } from '../logs/record';

type PairedItem = INodeExecutionData['pairedItem'];

/** A message that input items name by its identifier. */
type Wanted = {
	to: string;
	items: number[];
	isFound: boolean;
	found: INodeExecutionData[];
	/** One object for all its records, because there may be very many items and records. */
	pairedItem?: PairedItem;
};

/** Messages to several recipients that have the same identifier. */
type Group = {
	firstItem: number;
	/** By the recipient's digits. */
	messages: Map<string, Wanted>;
	/** Records for none of these numbers, perhaps because a number is written differently. Each counts for a message not found. */
	unclear: IDataObject[];
	unclearCount: number;
};

/** Returns the digits of a phone number without leading zeros, however it is written. */
const digitsOf = (to: unknown) => text(to).replace(/\D/g, '').replace(/^0+/, '');

const pairing = (items: number[]): PairedItem =>
	items.length === 1 ? { item: items[0] } : items.map((item) => ({ item }));

/**
 * Joins the recipients of one campaign to the input items that have an `identifier`. Each recipient is
 * output in the order of the input, paired with its item, even if it is not in the logs. If items for
 * different numbers share an identifier, the number decides. Records that no item names come last, paired with
 * all items of the campaign.
 */
export class RecipientJoin {
	private readonly wanted = new Map<string, Wanted>();

	/** The identifiers of `wanted` that several recipients share. */
	private readonly groups = new Map<string, Group>();

	/** How many input items name another campaign; they are not joined. */
	ofOthers = 0;

	private readonly others: INodeExecutionData[] = [];

	/** One object for every output item that belongs to all input items, because there may be very many. */
	readonly pairedWithAll: PairedItem;

	private constructor(
		private readonly campaignId: string,
		campaignItems: number[],
		private readonly items: INodeExecutionData[],
		private readonly keep: boolean,
	) {
		this.pairedWithAll = pairing(campaignItems);
	}

	/**
	 * @param campaignItems positions of the campaign's items among `items`
	 * @param items the input of the node
	 * @param options `join`: whether to join at all; `keep`: whether the records are output, not only counted
	 */
	static async of(
		campaignId: string,
		campaignItems: number[],
		items: INodeExecutionData[],
		{ join, keep }: { join: boolean; keep: boolean },
	): Promise<RecipientJoin> {
		const recipients = new RecipientJoin(campaignId, campaignItems, items, keep);
		const slice = new TimeSlice();
		for (const item of join ? campaignItems : []) {
			await slice.yieldIfOver();
			recipients.want(item);
		}
		return recipients;
	}

	private want(item: number) {
		const { json } = this.items[item];
		const identifier = text(json.identifier);
		if (identifier === '') return;
		if (!['', plainId(this.campaignId)].includes(plainId(json.campaign_id))) {
			this.ofOthers++;
			return;
		}
		const to = digitsOf(json.to);
		const first = this.wanted.get(identifier);
		if (!first) this.wanted.set(identifier, wantedBy(item, to));
		else if (to === '' || first.to === '' || to === first.to) first.items.push(item);
		else this.wantAnother(identifier, first, item, to);
	}

	private wantAnother(identifier: string, first: Wanted, item: number, to: string) {
		let group = this.groups.get(identifier);
		if (!group) {
			group = {
				firstItem: first.items[0],
				messages: new Map([[first.to, first]]),
				unclear: [],
				unclearCount: 0,
			};
			this.groups.set(identifier, group);
		}
		const wanted = group.messages.get(to);
		if (wanted) wanted.items.push(item);
		else group.messages.set(to, wantedBy(item, to));
	}

	get isJoined() {
		return this.wanted.size > 0;
	}

	add(record: LogRecord) {
		const identifier = text(record.identifier);
		const group = this.groups.get(identifier);
		const wanted = group ? group.messages.get(digitsOf(record.to)) : this.wanted.get(identifier);
		const json = record as IDataObject;
		if (group && !wanted) {
			group.unclearCount++;
			if (this.keep) group.unclear.push(json);
			return;
		}
		if (wanted) wanted.isFound = true;
		if (!this.keep) return;
		if (!wanted) {
			this.others.push({ json, pairedItem: this.pairedWithAll });
			return;
		}
		wanted.pairedItem ??= pairing(wanted.items);
		wanted.found.push({ json, pairedItem: wanted.pairedItem });
	}

	/** How many messages that the input names are not in the logs. */
	get missing(): number {
		let missing = 0;
		for (const [identifier, { isFound }] of this.wanted) {
			const group = this.groups.get(identifier);
			if (group) missing += missingOf(group);
			else if (!isFound) missing++;
		}
		return missing;
	}

	*output(): Generator<INodeExecutionData> {
		for (const each of this.inOrder()) {
			if ('messages' in each) yield* this.outputUnclear(each);
			else yield* this.outputOne(each);
		}
		yield* this.others;
	}

	/** Returns the messages in the order of the input; those of a group with unclear records stay together. */
	private inOrder(): Array<Wanted | Group> {
		const all: Array<Wanted | Group> = [];
		for (const [identifier, wanted] of this.wanted) {
			const group = this.groups.get(identifier);
			if (!group) all.push(wanted);
			else if (group.unclear.length > 0) all.push(group);
			else for (const message of group.messages.values()) all.push(message);
		}
		return this.groups.size > 0 ? all.sort((a, b) => firstItem(a) - firstItem(b)) : all;
	}

	private *outputOne({ items, found }: Wanted): Generator<INodeExecutionData> {
		if (found.length > 0) yield* found;
		else yield this.missingItem(items, this.items[items[0]].json.to, pairing(items));
	}

	/** Outputs a group with unclear records. It is then unclear who is missing, so items for missing messages name no recipient. */
	private *outputUnclear(group: Group): Generator<INodeExecutionData> {
		const messages = [...group.messages.values()];
		for (const { found } of messages) yield* found;
		const notFound = messages.filter(({ isFound }) => !isFound);
		const items = (notFound.length > 0 ? notFound : messages).flatMap((each) => each.items);
		const pairedItem = pairing(items);
		for (const json of group.unclear) yield { json, pairedItem };
		for (let left = missingOf(group); left > 0; left--) {
			yield this.missingItem(items, null, pairedItem);
		}
	}

	private missingItem(items: number[], to: unknown, pairedItem: PairedItem): INodeExecutionData {
		const json = {
			campaign_id: this.campaignId,
			identifier: text(this.items[items[0]].json.identifier),
			to: text(to) || null,
			status: null,
			missing: true,
		};
		return { json, pairedItem };
	}
}

const firstItem = (each: Wanted | Group): number =>
	'messages' in each ? each.firstItem : each.items[0];

const wantedBy = (item: number, to: string): Wanted => ({
	to,
	items: [item],
	isFound: false,
	found: [],
});

function missingOf({ messages, unclearCount }: Group): number {
	let notFound = 0;
	for (const { isFound } of messages.values()) if (!isFound) notFound++;
	return Math.max(0, notFound - unclearCount);
}
