// Not by name: a Node.js too old for it must live to hear so from checkNode.
import fs from 'node:fs/promises';
import { Trouble } from './trouble.mjs';

const OLDEST_NODE = 20;

export function checkNode() {
	const major = Number(process.versions.node.split('.')[0]);
	if (major >= OLDEST_NODE) return;
	throw new Trouble(
		`This needs Node.js ${OLDEST_NODE} or newer; here it is ${process.versions.node}. ` +
			'Install a current version from nodejs.org and run the command again.',
	);
}

/**
 * Asked before a big install, because running full halfway takes minutes to find out.
 * @param {string} folder
 * @param {number} gigabytes
 * @param {string} what
 */
export async function checkSpace(folder, gigabytes, what) {
	const { bavail, bsize } = await fs.statfs(folder);
	const free = (bavail * bsize) / 1e9;
	if (free >= gigabytes) return;
	throw new Trouble(
		`Not enough disk space: ${what} needs about ${gigabytes} GB in ${folder}, ` +
			`and ${free.toFixed(1)} GB are free. Make room and run the command again.`,
	);
}

/**
 * n8n writes the path of a node's file into a piece of code, between apostrophes.
 * @param {string} folder
 */
export function checkFolder(folder) {
	if (!folder.includes("'")) return;
	throw new Trouble(
		`n8n cannot load nodes from a folder with an apostrophe (') in its path: ${folder}. ` +
			'Move or rename it and run the command again.',
	);
}
