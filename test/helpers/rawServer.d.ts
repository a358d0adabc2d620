export function startRawServer(
	answer: string,
): Promise<{ port: number; requestLines: string[]; stop: () => Promise<void> }>;

export function httpAnswer(status: number, body: string, headers?: Record<string, string>): string;
