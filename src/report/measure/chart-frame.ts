/** What all charts of a ranking's page share: their width, the frame with the words below it, the colours of lines and the styles. */
import { escapeHtml } from '../../text/escape.ts';

/** Units of the drawing; the page scales it to its own width. */
export const CHART_WIDTH = 800;

/** Colours of lines, by the names that the page's stylesheet has for them; from then on they repeat. */
const LINE_COLOURS = ['head', 'regressed', 'unchanged', 'inconclusive', 'invalid', 'base'] as const;

/** Returns the class of a line, the first of which is 0. */
export function lineClass(index: number): string {
	return `line-${index % LINE_COLOURS.length}`;
}

/** Returns a chart as inline SVG of the given height: its parts, and its title `left` units in, `below` units above the edge. */
export function frameChart(
	parts: readonly string[],
	title: string,
	{ height, left, below }: { readonly height: number; readonly left: number; readonly below: number },
): string {
	const words = `<text class="axis" x="${left}" y="${height - below}">${escapeHtml(title)}</text>`;
	return `<svg class="chart" viewBox="0 0 ${CHART_WIDTH} ${height}" role="img" aria-label="${escapeHtml(title)}">${parts.join('\n')}${words}</svg>`;
}

export const CHART_STYLES = `
.chart { display: block; width: 100%; height: auto; margin: .5rem 0 1rem; }
.chart text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif; fill: var(--text); }
.chart .name { text-anchor: end; }
.chart .axis { fill: var(--muted); font-size: 12px; }
.chart .head { fill: var(--head); fill-opacity: .75; }
.chart .base { fill: var(--base); fill-opacity: .6; }
.chart .whisker { stroke: var(--text); stroke-width: 2; stroke-opacity: .8; }
.chart .dot { fill: var(--head); stroke: var(--back); }
.chart .group { font-weight: 600; }
.chart .tick { text-anchor: middle; }
.chart .level { text-anchor: end; }
.chart .grid { stroke: var(--line); }
.chart polyline { fill: none; stroke-width: 2.5; stroke: var(--${LINE_COLOURS[0]}); }
.chart .dashed { stroke-dasharray: 6 5; }
${LINE_COLOURS.map((colour, index) => `.chart .${lineClass(index)} { stroke: var(--${colour}); }`)
	.slice(1)
	.join('\n')}
`.trim();
