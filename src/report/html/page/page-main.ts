import type { PageCell, PageData } from './data.ts';
import { drawInto, element, show } from './draw-into.ts';
import { drawForest } from './forest.ts';
import { drawLatency } from './latency.ts';
import { drawRounds } from './rounds.ts';

const MOST_ROWS = 40;

function start(): void {
	const { cells, scale } = JSON.parse(element('data').textContent ?? '') as PageData;
	if (cells.length === 0) return;
	show('forest-section');
	let shown: readonly PageCell[] = cells.slice(0, MOST_ROWS);
	const forest = element('forest');
	const redrawForest = drawInto(forest, (width) => drawForest(shown, scale, width));
	if (cells.length > MOST_ROWS)
		offerAll(cells.length, () => {
			shown = cells;
			redrawForest();
		});
	const choose = showDetails(cells.filter((cell) => cell.rounds.length > 0 || cell.latency));
	const follow = () => choose(location.hash.replace(/^#/, ''));
	forest.addEventListener('click', ({ target }) => {
		const hit = (target as Element).closest('.hit > *');
		const at = hit ? [...(hit.parentElement?.children ?? [])].indexOf(hit) : -1;
		const cell = shown[at];
		if (cell) location.hash = cell.id;
	});
	addEventListener('hashchange', follow);
	follow();
}

function offerAll(count: number, showAll: () => void): void {
	const button = element('all-rows');
	button.textContent = `Show all ${count} rows`;
	button.hidden = false;
	button.addEventListener('click', () => {
		button.hidden = true;
		showAll();
	});
}

function showDetails(detailed: readonly PageCell[]): (id: string) => void {
	const [first] = detailed;
	if (!first) return () => {};
	show('detail-section');
	const select = element('cell') as HTMLSelectElement;
	for (const [index, cell] of detailed.entries()) select.add(new Option(nameOf(cell, detailed), String(index)));
	const chosen = (): PageCell => detailed[Number(select.value)] ?? first;
	const drawings = [
		drawInto(element('rounds'), (width) => drawRounds(chosen(), width)),
		drawInto(element('latency'), (width) => drawLatency(chosen(), width)),
	];
	const redraw = () => {
		for (const each of drawings) each();
	};
	select.addEventListener('change', () => {
		history.replaceState(null, '', `#${chosen().id}`);
		redraw();
	});
	return (id) => {
		const at = detailed.findIndex((cell) => cell.id === id);
		if (at < 0) return;
		select.value = String(at);
		redraw();
		element('detail-section').scrollIntoView();
	};
}

/** Adds the metric if several rows have the same cell. */
function nameOf(cell: PageCell, all: readonly PageCell[]): string {
	const several = all.filter(({ label }) => label === cell.label).length > 1;
	return `${cell.label}${several ? `, ${cell.metric}` : ''} (${cell.verdict})`;
}

start();
