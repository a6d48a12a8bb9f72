/** In pixels; larger than a scroll bar. */
const WIDTH_STEP = 8;

/** Fills the place with `draw`, and again when it is resized. Returns a function that redraws at once. */
export function drawInto(place: HTMLElement, draw: (width: number) => Element): () => void {
	let drawn = 0;
	const redraw = (): void => {
		drawn = place.clientWidth;
		if (drawn > 0) place.replaceChildren(asImage(draw(drawn)));
	};
	new ResizeObserver(() => {
		if (Math.abs(place.clientWidth - drawn) > WIDTH_STEP) redraw();
	}).observe(place);
	redraw();
	return redraw;
}

/** Plot also names parts of a chart, which assistive technology may not read. */
function asImage(chart: Element): Element {
	for (const part of chart.querySelectorAll('g[aria-label], g[aria-description]')) {
		part.removeAttribute('aria-label');
		part.removeAttribute('aria-description');
	}
	if (chart.matches('svg[aria-label]')) chart.setAttribute('role', chart.querySelector('a') === null ? 'img' : 'group');
	return chart;
}

export function element(id: string): HTMLElement {
	const target = document.getElementById(id);
	if (!target) throw new Error(`The page has no element #${id}.`);
	return target;
}

export function show(id: string): void {
	element(id).hidden = false;
}
