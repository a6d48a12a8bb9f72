import type { PageCell, PageData } from './data.ts';
import { drawInto, element, show } from './draw-into.ts';
import { drawForest } from './forest.ts';
import { drawLatency } from './latency.ts';
import { drawRounds } from './rounds.ts';

function start(): void {
	const { cells, scale } = JSON.parse(element('data').textContent ?? '') as PageData;
	if (cells.length === 0) return;
	show('forest-section');
	drawInto(element('forest'), (width) => drawForest(cells, scale, width));
	const detailed = cells.filter((cell) => cell.rounds.length > 0 || cell.latency);
	const [first] = detailed;
	if (!first) return;
	show('detail-section');
	const select = element('cell') as HTMLSelectElement;
	for (const [index, cell] of detailed.entries()) select.add(new Option(nameOf(cell, detailed), String(index)));
	const chosen = (): PageCell => detailed[Number(select.value)] ?? first;
	const redraw = [
		drawInto(element('rounds'), (width) => drawRounds(chosen(), width)),
		drawInto(element('latency'), (width) => drawLatency(chosen(), width)),
	];
	select.addEventListener('change', () => {
		for (const each of redraw) each();
	});
}

/** Adds the metric if several rows have the same cell. */
function nameOf(cell: PageCell, all: readonly PageCell[]): string {
	const several = all.filter(({ label }) => label === cell.label).length > 1;
	return `${cell.label}${several ? `, ${cell.metric}` : ''} (${cell.verdict})`;
}

start();
