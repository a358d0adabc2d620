/** A request the service does not act on; answered with the failure envelope of section 7. */
export class Refusal extends Error {
	readonly statusCode: number;

	/**
	 * @param statusCode the HTTP status, which the interface leaves open (section 7)
	 * @param message what the envelope's `message` says
	 */
	constructor(statusCode: number, message: string) {
		super(message);
		this.name = 'Refusal';
		this.statusCode = statusCode;
	}
}
