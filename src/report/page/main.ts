/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { PageCell, PageData } from './data.ts';
import { drawForest } from './forest.ts';
import { drawLatency } from './latency.ts';
import { drawRounds } from './rounds.ts';

/** Charts are drawn for the width they have, and again when it changes by more than a scroll bar. */
const WIDTH_STEP = 8;

function start(): void {
	const { cells, scale } = JSON.parse(element('data').textContent ?? '') as PageData;
	if (cells.length === 0) return;
	show('forest-section');
	drawInto('forest', (width) => drawForest(cells, scale, width));
	const detailed = cells.filter((cell) => cell.rounds.length > 0 || cell.latency);
	const [first] = detailed;
	if (!first) return;
	show('detail-section');
	const select = element('cell') as HTMLSelectElement;
	for (const [index, cell] of detailed.entries()) select.add(new Option(nameOf(cell, detailed), String(index)));
	const chosen = (): PageCell => detailed[Number(select.value)] ?? first;
	const redraw = [
		drawInto('rounds', (width) => drawRounds(chosen(), width)),
		drawInto('latency', (width) => drawLatency(chosen(), width)),
	];
	select.addEventListener('change', () => {
		for (const each of redraw) each();
	});
}

/** The metric tells rows of one cell apart. */
function nameOf(cell: PageCell, all: readonly PageCell[]): string {
	const several = all.filter(({ label }) => label === cell.label).length > 1;
	return `${cell.label}${several ? `, ${cell.metric}` : ''} (${cell.verdict})`;
}

/** Keeps the place with this id filled with what `draw` returns for its width. Returns a way to draw again at once. */
function drawInto(id: string, draw: (width: number) => Element): () => void {
	const place = element(id);
	let drawn = 0;
	const redraw = (): void => {
		drawn = place.clientWidth;
		if (drawn > 0) place.replaceChildren(draw(drawn));
	};
	new ResizeObserver(() => {
		if (Math.abs(place.clientWidth - drawn) > WIDTH_STEP) redraw();
	}).observe(place);
	redraw();
	return redraw;
}

function show(id: string): void {
	element(id).hidden = false;
}

function element(id: string): HTMLElement {
	const found = document.getElementById(id);
	if (!found) throw new Error(`The page has no element #${id}.`);
	return found;
}

start();
