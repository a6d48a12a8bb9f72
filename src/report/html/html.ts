import { escapeHtml } from '../../text/escape.ts';
import { countOf } from '../../text/numbers.ts';
import { renderPhrase } from '../../text/phrase.ts';
import type { ChartData, Result } from '../../types/result.ts';
import { describeFootnote } from '../compare/footnotes.ts';
import { NOTHING_TO_DO } from '../compare/headline.ts';
import { buildReport, type Report } from '../compare/report-model.ts';
import { nounOf } from '../compare/rows.ts';
import { DRIFT_STYLES, renderDriftSection } from './html-drift.ts';
import { fold } from './html-parts.ts';
import { renderShell } from './html-shell.ts';
import { renderAllCells, renderMatters, renderMetrics, writeHtml } from './html-tables.ts';
import { pageData } from './page-data.ts';
import { STYLESHEET } from './stylesheet.ts';

const OUTCOME_MARKS = { pass: '✓', fail: '✗', inconclusive: '?', error: '!' } as const;

/**
 * Returns one self-contained HTML file. `script` is the bundle of `page/page-main.ts`; without JavaScript everything but the charts
 * is there.
 */
export function renderHtml(result: Result, charts: ChartData, script: string): string {
	const report = buildReport(result);
	const sections = [
		renderHeader(report),
		renderMatters(report),
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

function titleOf({ headline }: Report): string {
	const plain = (text: string): string => text;
	return `${headline.title}: ${renderPhrase(headline.summary, { own: plain, code: plain, text: plain, strong: plain })}`;
}

function renderHeader({ headline }: Report): string {
	return `<header class="${headline.outcome}">
<p class="outcome"><span class="mark" aria-hidden="true">${OUTCOME_MARKS[headline.outcome]}</span> ${headline.title}</p>
<h1>${writeHtml(headline.summary)}</h1>
<p>Next: ${headline.next === null ? NOTHING_TO_DO : writeHtml(headline.next)}</p>
</header>`;
}

/** Places for the charts; hidden until the script has something to show in them. */
function renderCharts({ rows }: Report): string {
	if (rows.length === 0) return '';
	return `<section id="forest-section" hidden>
<h2>Change of every ${nounOf(rows)}</h2>
<p class="hint">Change in percent; left is worse. The mark is the measured change, the bar its 90 % interval. <span class="key threshold">fails beyond (threshold)</span> <span class="key tolerance">harmless up to (tolerance)</span></p>
<figure id="forest" class="tall"></figure>
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
