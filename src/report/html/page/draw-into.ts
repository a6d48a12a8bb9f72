/** Redraws charts on resize. */

/** In pixels; larger than a scroll bar. */
const WIDTH_STEP = 8;

/** Fills the place with `draw`, and again when it is resized. Returns a function that redraws at once. */
export function drawInto(place: HTMLElement, draw: (width: number) => Element): () => void {
	let drawn = 0;
	const redraw = (): void => {
		drawn = place.clientWidth;
		if (drawn > 0) place.replaceChildren(withoutGroupNames(draw(drawn)));
	};
	new ResizeObserver(() => {
		if (Math.abs(place.clientWidth - drawn) > WIDTH_STEP) redraw();
	}).observe(place);
	redraw();
	return redraw;
}

export function element(id: string): HTMLElement {
	const target = document.getElementById(id);
	if (!target) throw new Error(`The page has no element #${id}.`);
	return target;
}

export function show(id: string): void {
	element(id).hidden = false;
}

/** ARIA forbids the names that Plot gives to groups. */
function withoutGroupNames(drawing: Element): Element {
	for (const group of drawing.querySelectorAll('g[aria-label]')) group.removeAttribute('aria-label');
	return drawing;
}
