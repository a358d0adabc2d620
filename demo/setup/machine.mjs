import { Trouble } from './trouble.mjs';

const OLDEST_NODE = 20;

export function checkNode() {
	const major = Number(process.versions.node.split('.')[0]);
	if (major >= OLDEST_NODE) return;
	throw new Trouble(
		`This needs Node.js ${OLDEST_NODE} or newer, but here it is ${process.versions.node}. ` +
			'Install a current version from nodejs.org and run the command again.',
	);
}

/**
 * Refuses a path with an apostrophe: n8n writes the path of a node's file into code, between apostrophes.
 * @param {string} folder
 */
export function checkFolder(folder) {
	if (!folder.includes("'")) return;
	throw new Trouble(
		`n8n cannot load nodes from a folder with an apostrophe (') in its path: ${folder}. ` +
			'Move or rename it and run the command again.',
	);
}
