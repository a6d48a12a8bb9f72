/** The script of the page: draws one panel after the other at its available width. */
import { drawInto, element, show } from '../../src/report/html/page/draw-into.ts';
import { biasPanels } from './charts/bias.ts';
import type { Panel } from './charts/panel.ts';
import { powerPanels } from './charts/power.ts';
import { timingPanels } from './charts/timing.ts';
import { validityPanels } from './charts/validity.ts';
import type { ChartResults } from './html.ts';

function start(): void {
	const results = JSON.parse(element('data').textContent ?? '') as ChartResults;
	fill('power', powerPanels(results));
	fill('timing', timingPanels(results));
	fill('validity', validityPanels(results));
	fill('bias', biasPanels(results));
}

function fill(id: string, panels: readonly Panel[]): void {
	if (panels.length === 0) return;
	show(`${id}-section`);
	for (const { title, draw } of panels) {
		const figure = document.createElement('figure');
		const caption = document.createElement('figcaption');
		const place = document.createElement('div');
		caption.textContent = title;
		figure.append(caption, place);
		element(id).append(figure);
		drawInto(place, draw);
	}
}

start();
