import { escapeHtml } from '../../text/escape.ts';
import { countOf } from '../../text/numbers.ts';
import { plainPhrase } from '../../text/phrase.ts';
import type { Explanation } from '../../types/explain.ts';
import { METRICS } from '../../types/metric.ts';
import type { ChartData, Result } from '../../types/result.ts';
import type { Audience } from '../compare/audience.ts';
import { DRIFT_NOTE, type DriftReport, HISTORY, historyScale, levelsOf } from '../compare/drift-model.ts';
import type { DriftRow } from '../compare/drift-rows.ts';
import { describeFootnote } from '../compare/footnotes.ts';
import { NOTHING_TO_DO } from '../compare/headline.ts';
import { buildReport, type Report } from '../compare/report-model.ts';
import { nounOf, type Row } from '../compare/rows.ts';
import { sectionsHtml } from '../document/html-writer.ts';
import { explainedSection } from '../explain-document.ts';
import { fold, list, renderShell } from './html-parts.ts';
import {
	idOf,
	renderAllCells,
	renderMatters,
	renderMetrics,
	type Writers,
	writeHtml,
	writeTable,
} from './html-tables.ts';
import type { PageCell, PageData } from './page/data.ts';
import { STYLESHEET } from './stylesheet.ts';

const [WIDTH, HEIGHT, PAD] = [150, 28, 3];

const DRIFT_STYLES = `
h2 { overflow-wrap: anywhere; }
.history { display: block; overflow: visible; }
.history .zero { stroke: var(--text); stroke-opacity: .35; stroke-dasharray: 2 3; }
.history .curve { fill: none; stroke: var(--head); stroke-width: 1.5; }
.history .dot { fill: var(--head); }
`.trim();

const OUTCOME_MARKS = { pass: '✓', fail: '✗', inconclusive: '?', error: '!' } as const;

/** Returns a self-contained HTML file. `script` is the bundle of `page/page-main.ts`; only the charts need it. */
export function renderHtml(
	result: Result,
	charts: ChartData,
	script: string,
	audience: Audience = {},
	explanation: Explanation | null = null,
): string {
	const report = buildReport(result, audience);
	const sections = [
		renderHeader(report),
		renderMatters(report),
		explanation ? sectionsHtml([explainedSection(explanation)]) : '',
		renderCharts(report),
		renderDriftSection(report.drift),
		fold(`All ${countOf(report.rows.length, nounOf(report.rows))}`, renderAllCells(report.rows)),
		report.metrics.length > 0 ? fold('Other metrics', renderMetrics(report.metrics)) : '',
		renderContext(report),
		renderFootnotes(report),
	];
	return renderShell({
		title: titleOf(report),
		styles: `${STYLESHEET}\n${DRIFT_STYLES}`,
		body: sections.join('\n'),
		data: pageData(report, charts),
		script,
	});
}

function titleOf({ headline, sides }: Report): string {
	return `${headline.title}: ${plainPhrase(sides)}: ${plainPhrase(headline.summary)}`;
}

function renderHeader({ headline, sides }: Report): string {
	return `<header class="${headline.outcome}">
<p class="outcome"><span class="mark" aria-hidden="true">${OUTCOME_MARKS[headline.outcome]}</span> ${headline.title}</p>
<p class="sides">${writeHtml(sides)}</p>
<h1>${writeHtml(headline.summary)}</h1>
${writeNext(headline)}
</header>`;
}

function writeNext({ next }: Report['headline']): string {
	const [only = [NOTHING_TO_DO], ...more] = next;
	return more.length === 0 ? `<p>Next: ${writeHtml(only)}</p>` : `<p>Next:</p>${list(next.map(writeHtml))}`;
}

/** The charts are hidden until the script has data. */
function renderCharts({ rows }: Report): string {
	if (rows.length === 0) return '';
	return `<section id="forest-section" hidden>
<h2>Change of every ${nounOf(rows)}</h2>
<p class="hint">Change in percent; left is worse. The mark is the measured change, the bar its 90 % interval. Click a row to see its rounds. <span class="key threshold">fails beyond (threshold)</span> <span class="key tolerance">harmless up to (tolerance)</span></p>
<figure id="forest"></figure>
<p><button id="all-rows" type="button" hidden></button></p>
</section>
<section id="detail-section" hidden>
<h2>One ${nounOf(rows)} in detail</h2>
<p><label for="cell">Row</label> <select id="cell"></select></p>
<div class="pair">
<figure><figcaption>Change of each round</figcaption><div id="rounds"></div></figure>
<figure><figcaption>Latency of base and head under load</figcaption><div id="latency"></div></figure>
</div>
</section>
<noscript><p class="hint">Charts need JavaScript; everything they show is in the tables too.</p></noscript>`;
}

function renderContext({ context, reproduce }: Report): string {
	const lines = context.map(({ label, value }) => `<dt>${escapeHtml(label)}</dt><dd>${writeHtml(value)}</dd>`);
	const command =
		reproduce === null
			? '<p>The command is too long for this page; the JSON file has it.</p>'
			: `<pre><code>${escapeHtml(reproduce)}</code></pre>`;
	return `<section><h2>Repeat it</h2>${command}</section>
<section><h2>Machine, versions and method</h2><dl>${lines.join('\n')}</dl></section>`;
}

function renderFootnotes({ footnotes }: Report): string {
	if (footnotes.length === 0) return '';
	const items = footnotes.map((note) => `<li id="note-${note.number}">${writeHtml(describeFootnote(note))}</li>`);
	return `<section><h2>${countOf(footnotes.length, 'note')}</h2><ol class="notes">${items.join('\n')}</ol></section>`;
}

function renderDriftSection({ lines, rows, columns, branch }: DriftReport): string {
	if (rows.length === 0) return '';
	const writers: Writers<DriftRow> = new Map([[HISTORY, (row: DriftRow) => drawHistorySvg(levelsOf(row))]]);
	const table = writeTable(columns, rows, writers);
	return `<section><h2>Baselines of ${escapeHtml(branch)}</h2>${list(lines.map(writeHtml))}${table}<p class="hint">${DRIFT_NOTE}</p></section>`;
}

/** Returns inline SVG of log ratios, oldest first: curve, last point, and a line at the anchor. */
function drawHistorySvg(levels: readonly number[]): string {
	const [low, high] = historyScale(levels);
	const x = (index: number) => (PAD + (index / Math.max(1, levels.length - 1)) * (WIDTH - 2 * PAD)).toFixed(1);
	const y = (level: number) => (PAD + ((high - level) / (high - low)) * (HEIGHT - 2 * PAD)).toFixed(1);
	const points = levels.map((level, index) => `${x(index)},${y(level)}`);
	const last = levels.at(-1);
	return [
		`<svg class="history" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">`,
		`<line class="zero" x1="0" x2="${WIDTH}" y1="${y(0)}" y2="${y(0)}"/>`,
		`<polyline class="curve" points="${points.join(' ')}"/>`,
		last === undefined ? '' : `<circle class="dot" cx="${x(levels.length - 1)}" cy="${y(last)}" r="2.5"/>`,
		'</svg>',
	].join('');
}

/** Changes are turned, so that negative is worse in every metric. */
function pageData(report: Report, charts: ChartData): PageData {
	const several = new Set(report.rows.map(({ cell }) => cell.metric)).size > 1;
	return { scale: report.scale, cells: report.rows.map((row) => pageCell(row, several, charts)) };
}

function pageCell(row: Row, several: boolean, charts: ChartData): PageCell {
	const { name } = row;
	const turned = METRICS[row.cell.judgedBy].better === 'lower';
	const rounds = ownOf(charts.rounds, row.id) ?? [];
	return {
		id: idOf(row),
		label: several ? `${name}, ${row.metric}` : name,
		metric: row.metric,
		verdict: row.verdict,
		turned,
		change: row.change,
		interval: row.interval,
		span: row.span,
		threshold: row.cell.threshold,
		tolerance: row.cell.tolerance,
		rounds: rounds.map(({ round, startedAt, change, discarded }) => ({
			round,
			startedAt,
			discarded,
			change: turned ? 1 / (1 + change) - 1 : change,
		})),
		latency: ownOf(charts.latency, row.id) ?? null,
	};
}

/** A cell may be called `constructor`. */
function ownOf<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
	return Object.hasOwn(record, key) ? record[key] : undefined;
}
