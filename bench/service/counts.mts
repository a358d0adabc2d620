/** What the service has seen since it was last asked to forget. */
export interface Counts {
	requests: number;
	/** Messages, recipients or log records that it took or gave. */
	messages: number;
	/** Requests that it was answering at once, at most. */
	inFlight: number;
	sockets: number;
	/** Sockets open at once, at most. */
	socketsAtOnce: number;
}

export const noCounts = (): Counts => ({
	requests: 0,
	messages: 0,
	inFlight: 0,
	sockets: 0,
	socketsAtOnce: 0,
});
