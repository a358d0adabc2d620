export function startSandboxProcess(): Promise<{
	url: string;
	apiKey: string;
	stop: () => Promise<void>;
}>;
