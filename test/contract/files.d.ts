import type { Contract } from './contract';

export const isUpdating: boolean;
export function readContract(): Contract;
export function writeContract(contract: Contract): void;

/** @param path below the repository's folder */
export function readText(path: string): string;

/** The files of a folder and those below it, by the ending of their names. */
export function filesIn(folder: string, ending: string): string[];
