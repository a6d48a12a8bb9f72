import { escapeHtml } from '../../text/escape.ts';
import { DRIFT_NOTE, type DriftReport, HISTORY, levelsOf } from '../drift/drift-model.ts';
import type { DriftRow } from '../drift/drift-rows.ts';
import { drawHistorySvg } from '../drift/history-svg.ts';
import { list } from './html-parts.ts';
import { type Writers, writeHtml, writeTable } from './html-tables.ts';

/** Styles of the section, beside those of the page. */
export const DRIFT_STYLES = `
h2 { overflow-wrap: anywhere; }
.history { display: block; overflow: visible; }
.history .zero { stroke: var(--text); stroke-opacity: .35; stroke-dasharray: 2 3; }
.history .curve { fill: none; stroke: var(--head); stroke-width: 1.5; }
.history .dot { fill: var(--head); }
`.trim();

/** Returns where main stands: a line for each row below its anchor, and a table of all rows with their histories. */
export function renderDriftSection({ lines, rows, columns, branch }: DriftReport): string {
	if (rows.length === 0) return '';
	const writers: Writers<DriftRow> = new Map([[HISTORY, (row: DriftRow) => drawHistorySvg(levelsOf(row))]]);
	const table = writeTable(columns, rows, writers);
	return `<section><h2>Baselines of ${escapeHtml(branch)}</h2>${list(lines.map(writeHtml))}${table}<p class="hint">${DRIFT_NOTE}</p></section>`;
}
