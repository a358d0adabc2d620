export function typeErrors(files: Record<string, string>): string[];
export function runModule<Exports>(path: string, content: string): Exports;
