import { escapeHtml } from '../../text/escape.ts';
import type { RankingResult } from '../../types/ranking/ranking.ts';
import type { WordedTable } from '../document/document.ts';
import { fold, list, renderShell, scrollTable } from '../html/html-parts.ts';
import { writeHtml } from '../html/html-tables.ts';
import { STYLESHEET } from '../html/stylesheet.ts';
import {
	drawCards,
	drawLosses,
	drawRamps,
	drawScalings,
	drawScenarios,
	drawWrapperBars,
} from './compared/compared-charts.ts';
import { areOfOneMachine } from './ranking-facts.ts';
import { buildMeasureReport, type RankingReport, type ScenarioReport } from './ranking-model.ts';
import { CHART_STYLES, drawLatencies, drawMemory, drawRates, drawShares } from './ranking-svg.ts';
import { versionsTable } from './ranking-tables.ts';

const STYLES = `
${CHART_STYLES}
.cards { display: flex; flex-wrap: wrap; gap: 1rem; margin: 1.5rem 0; }
.card { background: var(--raised); border-radius: 10px; padding: .75rem 1.25rem; }
.card strong { display: block; font-size: 1.8rem; line-height: 1.2; }
.card p { margin: .25rem 0 0; }
header.ranking { --tone: var(--head); }
`.trim();

/** Returns one self-contained HTML page with tables and inline charts, without script or network. */
export function renderRankingHtml(result: RankingResult): string {
	const report = buildMeasureReport(result);
	const sections = [
		renderHeader(report),
		drawCards(result),
		section(report.ranking),
		report.short === null ? '' : section(report.short),
		charts('All scenarios', drawScenarios(result)),
		report.highlight === null ? '' : section(report.highlight),
		...report.scenarios.map(renderScenario),
		charts('Wrappers and hosts', drawWrapperBars(result)),
		charts('What scenarios cost', drawLosses(result)),
		...report.comparisons.map(section),
		charts('More and more connections', drawRamps(result)),
		charts('More and more workers', drawScalings(result)),
		...report.ramps.map(section),
		report.noisy === null ? '' : fold(`Noisy rows (${report.noisy.rows.length})`, section(report.noisy)),
		report.rounds.length === 0 ? '' : fold('Every round', report.rounds.map(section).join('\n')),
		section(report.legend),
		report.profile === null ? '' : section(report.profile),
		renderFacts(report),
		section(versionsTable(result, Number.POSITIVE_INFINITY)),
		report.differences.length === 0
			? ''
			: `<section><h2>Not as on the page</h2>${list(report.differences.map(writeHtml))}</section>`,
		`<section><h2>Reproduce it</h2><pre><code>${escapeHtml(report.reproduce)}</code></pre>${report.byHand.map((text) => `<p>${writeHtml(text)}</p>`).join('\n')}</section>`,
		fold('How it was measured', report.method.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n')),
	];
	return renderShell({
		title: report.title,
		styles: `${STYLESHEET}\n${STYLES}`,
		body: sections.filter((one) => one !== '').join('\n'),
		data: null,
		script: '',
	});
}

function renderHeader({ title, end, variation, conclusions, warnings }: RankingReport): string {
	const remarkList = list([...conclusions, ...warnings].map(writeHtml));
	return `<header class="ranking"><h1>${escapeHtml(title)}</h1><p>${escapeHtml(end)}</p><p>${escapeHtml(variation)}</p>${remarkList}</header>`;
}

function renderScenario({ table, caption, rows, ratios, remarks }: ScenarioReport): string {
	const latencies = areOfOneMachine(rows) ? drawLatencies(rows) : '';
	const memory = drawMemory(rows);
	return [
		`<section><h2><code>${escapeHtml(table.title)}</code></h2>`,
		`<p class="hint">${writeHtml(caption)}</p>`,
		// A preset has no shares, so rates are drawn.
		drawShares(rows) || drawRates(rows),
		tableHtml(table),
		table.note === '' ? '' : `<p class="hint">${escapeHtml(table.note)}</p>`,
		ratios === null ? '' : `<p>${writeHtml(ratios)}</p>`,
		list(remarks.map(writeHtml)),
		latencies + memory === '' ? '' : fold('Latency and memory', `${latencies}\n${memory}`),
		'</section>',
	]
		.filter((part) => part !== '')
		.join('\n');
}

function renderFacts({ facts }: RankingReport): string {
	const lines = facts.map(({ label, value }) => `<dt>${escapeHtml(label)}</dt><dd>${writeHtml(value)}</dd>`);
	return `<section><h2>Environment</h2><dl>${lines.join('\n')}</dl></section>`;
}

function charts(title: string, drawn: string): string {
	return drawn.trim() === '' ? '' : `<section><h2>${escapeHtml(title)}</h2>${drawn}</section>`;
}

function section(table: WordedTable): string {
	const below = table.note === '' ? '' : `<p class="hint">${escapeHtml(table.note)}</p>`;
	return `<section><h2>${escapeHtml(table.title)}</h2>${tableHtml(table)}${below}</section>`;
}

function tableHtml({ columns, rows }: WordedTable): string {
	return scrollTable(
		columns,
		rows.map((row) => row.map(writeHtml)),
	);
}
