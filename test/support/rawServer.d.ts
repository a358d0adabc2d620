export type RawAnswer = string | { bytes: string; then: 'silence' | 'drip' };

export type RawServer = {
	port: number;
	requestLines: string[];
	stop: () => Promise<void>;
	allClosed: () => Promise<void>;
	firstRequest: () => Promise<void>;
};

export function startRawServer(answer: RawAnswer): Promise<RawServer>;

export function endlessAnswer(status: number): string;

export function httpAnswer(status: number, body: string, headers?: Record<string, string>): string;
