import type { IWebhookFunctions } from 'n8n-workflow';
import { CREDENTIAL } from '../host/connect';
import { Line } from '../host/line';

/**
 * Executions that begin at the same time. n8n's database has three connections with SQLite and two with Postgres, and
 * gives up on those that wait for one for a minute: a thousand at once would be too many. More than this does not
 * begin sooner.
 */
const AT_ONCE = 8;
const beginning = new Line(AT_ONCE);
/** Campaigns whose logs are read at the same time. */
const reading = new Line(5);

/** A call that may begin. */
export interface Turn {
	/** Does it save what the trigger remembers? The others of the same time are saved with it, or with a later one. */
	isSaver: boolean;
	end: () => void;
}

/** Lets an execution begin of which nothing is remembered. */
export async function turnToBegin(): Promise<Turn> {
	return { isSaver: false, end: await beginning.enter() };
}

/** An answer that is held until its event is saved. */
type Held = (isSaved: boolean) => void;

/**
 * Lets the executions of a trigger begin, some at the same time, of which one saves for all: n8n saves what a trigger
 * remembers whole, so two that are saved at the same moment could undo each other. There is always a call that saves
 * after the others have begun: the last that waits is kept back until then.
 */
export class TurnsOfTrigger {
	private readonly waiting: Array<{ mustSave: boolean; admit: (isSaver: boolean) => void }> = [];

	private running = 0;

	private isSaving = false;

	private held: Held[] = [];

	/** @param mustSave this call cannot be saved with another one */
	async enter(mustSave: boolean): Promise<Turn> {
		const isSaver = await new Promise<boolean>((admit) => {
			this.waiting.push({ mustSave, admit });
			this.admit();
		});
		const endBeginning = await beginning.enter();
		const end = () => {
			endBeginning();
			this.running--;
			if (isSaver) this.isSaving = false;
			this.admit();
			// The call that was to save them has failed, and no other one has come.
			if (this.running === 0) this.release(this.heldNow(), false);
		};
		return { isSaver, end };
	}

	/** Holds the answer to a call that has begun, until a call that saves takes it. */
	hold(held: Held) {
		this.held.push(held);
	}

	/** The answers that wait for somebody to save their events. */
	heldNow(): readonly Held[] {
		return [...this.held];
	}

	/** Gives answers that were held, whose events are saved now, or will not be. */
	release(answers: readonly Held[], isSaved: boolean) {
		this.held = this.held.filter((held) => !answers.includes(held));
		for (const give of answers) give(isSaved);
	}

	private admit() {
		while (this.waiting.length > 0 && this.running < AT_ONCE) {
			const isLast = this.waiting.length === 1;
			if (isLast ? this.running > 0 : this.isSaving && this.waiting[0].mustSave) return;
			const isSaver = !this.isSaving;
			// What has begun and is not saved starts again after a crash: no more than this.
			if (!isSaver && this.running + this.held.length >= AT_ONCE - 1) return;
			this.isSaving = true;
			this.running++;
			this.waiting.shift()!.admit(isSaver);
		}
	}
}

/** Reads something from n8n's database, which takes as long as the line there is. @returns whether it could be read */
export async function readSomething(context: IWebhookFunctions): Promise<boolean> {
	try {
		await context.getCredentials(CREDENTIAL);
		return true;
	} catch (error) {
		context.logger.debug('Messaging Trigger: the database is busy.', { error });
		return false;
	}
}

/** Reads logs when there is a turn for it. */
export async function inTurnToRead<T>(read: () => Promise<T>): Promise<T> {
	const end = await reading.enter();
	try {
		return await read();
	} finally {
		end();
	}
}
