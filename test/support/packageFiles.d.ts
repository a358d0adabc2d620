export const packageJson: {
	name: string;
	license: string;
	files: string[];
	keywords: string[];
	dependencies?: object;
	optionalDependencies?: object;
	bundleDependencies?: unknown;
	peerDependencies: Record<string, string>;
	n8n: { n8nNodesApiVersion: number; strict: boolean; nodes: string[]; credentials: string[] };
};

/** @param path below the package's folder */
export function fileExists(path: string): boolean;

export function buildIfAbsent(): void;

export function packedFiles(): string[];

/** @param path of a built file, below the package's folder */
export function requiredBy(path: string): string[];

/** @param script JavaScript that requires files of the package by their paths below its folder */
export function runWithN8nWorkflow(script: string): { status: number | null; stderr: string };
