import { METRICS } from '../../types/metric.ts';
import type { ChartData, Result } from '../../types/result.ts';
import type { Audience } from '../compare/audience.ts';
import { comparisonDocument } from '../compare/comparison-document.ts';
import { buildReport, type Report } from '../compare/report-model.ts';
import { nounOf, type Row } from '../compare/rows.ts';
import { toHtml } from '../document/html-writer.ts';
import type { PageCell, PageData } from './page/data.ts';
import { idOf } from './row-html.ts';

const STYLES = `
h2 { overflow-wrap: anywhere; }
.history { display: block; overflow: visible; }
.history .zero { stroke: var(--text); stroke-opacity: .35; stroke-dasharray: 2 3; }
.history .curve { fill: none; stroke: var(--head); stroke-width: 1.5; }
.history .dot { fill: var(--head); }
`.trim();

/** Returns a self-contained HTML file. `script` is the bundle of `page/page-main.ts`; only the charts need it. */
export function renderHtml(result: Result, charts: ChartData, script: string, audience: Audience = {}): string {
	const data = pageData(buildReport(result, audience), charts);
	const document = comparisonDocument(result, { ...audience, charts: chartPlaces });
	return toHtml({ ...document, styles: STYLES }, { data, script });
}

/** The charts are hidden until the script has data. */
function chartPlaces({ rows }: Report): string {
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

/** Changes are turned, so negative is worse in every metric. */
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
