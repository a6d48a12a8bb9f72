/** Keeps a place of the page filled with a chart, also when its width changes. */

/** Charts are drawn for the width they have, and again when it changes by more than a scroll bar. */
const WIDTH_STEP = 8;

/** Keeps the place filled with what `draw` returns for its width. Returns a way to draw again at once. */
export function drawInto(place: HTMLElement, draw: (width: number) => Element): () => void {
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

/** Returns the element with this id. Throws when the page has none. */
export function element(id: string): HTMLElement {
	const found = document.getElementById(id);
	if (!found) throw new Error(`The page has no element #${id}.`);
	return found;
}

/** Shows a part of the page that is hidden while there is nothing in it. */
export function show(id: string): void {
	element(id).hidden = false;
}
