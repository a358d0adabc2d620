import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { Turns } from '../../host/turns';
import { text } from '../../host/values';
import type { LogRecord } from '../../service/types';

type PairedItem = INodeExecutionData['pairedItem'];

/** A message that input items ask for by its identifier. */
type Wanted = { items: number[]; isFound: boolean; found: INodeExecutionData[] };

const pairing = (items: number[]): PairedItem =>
	items.length === 1 ? { item: items[0] } : items.map((item) => ({ item }));

/**
 * The recipients of one campaign, joined to the input items that carry an `identifier`: each comes
 * back paired with its own item, in the order of the input, also when the logs do not have it. Records
 * that no item asks for follow, and belong to all items of the campaign.
 */
export class Recipients {
	private readonly wanted = new Map<string, Wanted>();

	private readonly others: INodeExecutionData[] = [];

	/** One object for everything that belongs to all items: there may be very many of both. */
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
	 * @param options `join` whether to join at all, `keep` whether the records themselves are wanted
	 */
	static async of(
		campaignId: string,
		campaignItems: number[],
		items: INodeExecutionData[],
		{ join, keep }: { join: boolean; keep: boolean },
	): Promise<Recipients> {
		const recipients = new Recipients(campaignId, campaignItems, items, keep);
		const turns = new Turns();
		for (const item of join ? campaignItems : []) {
			await turns.giveWay();
			recipients.want(item);
		}
		return recipients;
	}

	private want(item: number) {
		const identifier = text(this.items[item].json.identifier);
		if (identifier === '') return;
		const wanted = this.wanted.get(identifier);
		if (wanted) wanted.items.push(item);
		else this.wanted.set(identifier, { items: [item], isFound: false, found: [] });
	}

	get isJoined() {
		return this.wanted.size > 0;
	}

	add(record: LogRecord) {
		const wanted = this.wanted.get(text(record.identifier));
		if (wanted) wanted.isFound = true;
		if (!this.keep) return;
		(wanted?.found ?? this.others).push({
			json: record as IDataObject,
			pairedItem: wanted ? pairing(wanted.items) : this.pairedWithAll,
		});
	}

	/** Messages that were asked for and are not in the logs. */
	get missing(): number {
		let missing = 0;
		for (const { isFound } of this.wanted.values()) if (!isFound) missing++;
		return missing;
	}

	*output(): Generator<INodeExecutionData> {
		for (const [identifier, { items, found }] of this.wanted) {
			if (found.length > 0) yield* found;
			else yield this.missingItem(identifier, items);
		}
		yield* this.others;
	}

	private missingItem(identifier: string, items: number[]): INodeExecutionData {
		const { to } = this.items[items[0]].json;
		const json = {
			campaign_id: this.campaignId,
			identifier,
			to: text(to) || null,
			status: null,
			missing: true,
		};
		return { json, pairedItem: pairing(items) };
	}
}
