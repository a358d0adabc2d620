import { campaignOf, singleMessages, webhooks, type Measured } from './loads.mts';
import { openScene } from './scene.mts';
import { loadOfMachine, writeTable } from './table.mts';

const loadBefore = loadOfMachine();
const scene = await openScene();
try {
	const measured: Measured[] = [];
	for (const load of [
		async () => await campaignOf(scene, 10_000),
		async () => await campaignOf(scene, 100_000),
		async () => await campaignOf(scene, 100_000, { isLean: true }),
		async () => await singleMessages(scene, 2_000, 20),
		async () => await webhooks(scene, 2_000, 50),
	]) {
		const figures = await load();
		measured.push(figures);
		console.log(figures);
	}
	await writeTable(scene, measured, loadBefore);
} finally {
	await scene.close();
}
