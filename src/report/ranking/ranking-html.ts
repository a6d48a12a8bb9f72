import { escapeHtml } from '../../text/escape.ts';
import { NONE } from '../../text/numbers.ts';
import type { RankingResult } from '../../types/ranking/ranking.ts';
import type { WordedTable } from '../document/document.ts';
import { fold, list, renderShell, scrollTable, writeHtml } from '../html/html-parts.ts';
import { STYLESHEET } from '../html/stylesheet.ts';
import {
	drawAverages,
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
ol.bars { list-style: none; margin: 0; padding: 0; }
ol.bars li { display: grid; grid-template-columns: minmax(0, 12rem) 1fr; gap: 0 1rem; align-items: center; padding: .2rem 0; }
ol.bars li > span { text-align: right; }
ol.bars .chart { grid-column: 1 / -1; height: 14px; margin: 0; }
.contents { columns: 14rem; }
.places td:last-child { white-space: normal; }
.places td { vertical-align: top; }
.places ol { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0 1.25rem; }
.scroll:focus-visible, summary:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
`.trim();

interface Part {
	readonly title: string;
	readonly body: string;
	/** Already escaped; the title, if absent. */
	readonly heading?: string;
	readonly isFolded?: boolean;
}

/** Returns one self-contained HTML page with tables and inline charts, without script or network. */
export function renderRankingHtml(result: RankingResult): string {
	const report = buildMeasureReport(result);
	const parts = partsOf(result, report).filter(({ body }) => body.trim() !== '');
	const ids = idsOf(parts);
	const links = parts.map(({ title }, at) => `<li><a href="#${ids[at]}">${escapeHtml(title)}</a></li>`);
	const contents = fold('Contents', `<nav aria-label="Contents"><ul class="contents">${links.join('\n')}</ul></nav>`);
	return renderShell({
		title: report.title,
		styles: `${STYLESHEET}\n${STYLES}`,
		body: [renderHeader(report), contents, ...parts.map((part, at) => renderPart(part, ids[at] ?? ''))].join('\n'),
		data: null,
		script: '',
	});
}

/** The answer comes first, the details of a scenario or wrapper later. */
function partsOf(result: RankingResult, report: RankingReport): readonly Part[] {
	const { ranking, short, highlight, noisy, legend, profile, differences } = report;
	const tables = (all: readonly (WordedTable | null)[]) =>
		all.flatMap((table) => (table === null ? [] : [partOf(table)]));
	const answer = drawAverages(report.scenarios, result.setup);
	return [
		{ title: 'Fastest over all scenarios', body: answer },
		{ title: 'In short', body: list(report.conclusions.map(writeHtml)) },
		{ title: ranking.title, body: renderPlaces(ranking) },
		...tables([short]),
		{ title: 'All scenarios', body: drawScenarios(result) },
		...tables([highlight]),
		...report.scenarios.map(scenarioPart),
		{ title: 'Wrappers and hosts', body: `${drawCards(result)}${drawWrapperBars(result)}` },
		{ title: 'What scenarios cost', body: drawLosses(result) },
		...tables(report.comparisons),
		{ title: 'More and more connections', body: drawRamps(result) },
		{ title: 'More and more workers', body: drawScalings(result) },
		...tables(report.ramps),
		...tables([noisy]).map((part) => ({ ...part, title: `${part.title} (${noisy?.rows.length})`, isFolded: true })),
		{
			title: 'Every round',
			body: report.rounds.map((table) => `<h3>${escapeHtml(table.title)}</h3>${tableHtml(table)}`).join('\n'),
			isFolded: true,
		},
		...tables([legend, profile]),
		{ title: 'Environment', body: factList(report) },
		partOf(versionsTable(result, Number.POSITIVE_INFINITY)),
		{ title: 'Not as on the page', body: list(differences.map(writeHtml)) },
		{
			title: 'Reproduce it',
			body: `<pre><code>${escapeHtml(report.reproduce)}</code></pre>${report.byHand.map((text) => `<p>${writeHtml(text)}</p>`).join('\n')}`,
		},
		{
			title: 'How it was measured',
			body: report.method.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n'),
			isFolded: true,
		},
	];
}

function renderPart({ title, heading = escapeHtml(title), body, isFolded }: Part, id: string): string {
	if (isFolded) return `<div id="${id}">${fold(heading, body)}</div>`;
	return `<section id="${id}"><h2>${heading}</h2>${body}</section>`;
}

/** Returns unique fragments. */
function idsOf(parts: readonly Part[]): readonly string[] {
	const slugs = parts.map(({ title }) =>
		title
			.toLowerCase()
			.replace(/[^a-z0-9]+/g, '-')
			.replace(/^-|-$/g, ''),
	);
	return slugs.map((slug, at) => (slugs.indexOf(slug) === at && slug !== '' ? slug : `${slug}-${at}`));
}

function renderHeader({ title, end, variation, warnings }: RankingReport): string {
	return `<header class="ranking"><h1>${escapeHtml(title)}</h1><p>${escapeHtml(end)}</p><p>${escapeHtml(variation)}</p>${list(warnings.map(writeHtml))}</header>`;
}

/** Puts all places of a scenario into one cell, which wraps. */
function renderPlaces({ title, columns, rows, note }: WordedTable): string {
	const lines = rows.map(([name = [], ...places]) => {
		const items = places.map(writeHtml).filter((place) => place !== NONE);
		return [
			writeHtml(name),
			`<ol>${items.map((place, at) => `<li>${escapeHtml(columns[at + 1]?.label ?? '')} ${place}</li>`).join('\n')}</ol>`,
		];
	});
	const places = [
		columns[0] ?? { label: '', align: 'left' as const },
		{ label: 'fastest first', align: 'left' as const },
	];
	return `<div class="places">${scrollTable(places, lines, { label: title })}</div>${hint(note)}`;
}

function scenarioPart({ table, caption, rows, ratios, remarks }: ScenarioReport): Part {
	const latencies = areOfOneMachine(rows) ? drawLatencies(rows) : '';
	const memory = drawMemory(rows);
	const body = [
		`<p class="hint">${writeHtml(caption)}</p>`,
		// A preset has no shares, so rates are drawn.
		drawShares(rows) || drawRates(rows),
		tableHtml(table),
		hint(table.note),
		ratios === null ? '' : `<p>${writeHtml(ratios)}</p>`,
		list(remarks.map(writeHtml)),
		latencies + memory === '' ? '' : fold('Latency and memory', `${latencies}\n${memory}`),
	];
	return {
		title: table.title,
		heading: `<code>${escapeHtml(table.title)}</code>`,
		body: body.filter((part) => part !== '').join('\n'),
	};
}

function factList({ facts }: RankingReport): string {
	const lines = facts.map(({ label, value }) => `<dt>${escapeHtml(label)}</dt><dd>${writeHtml(value)}</dd>`);
	return `<dl>${lines.join('\n')}</dl>`;
}

function partOf(table: WordedTable): Part {
	return { title: table.title, body: `${tableHtml(table)}${hint(table.note)}` };
}

function hint(note: string): string {
	return note === '' ? '' : `<p class="hint">${escapeHtml(note)}</p>`;
}

function tableHtml({ title, columns, rows }: WordedTable): string {
	return scrollTable(
		columns,
		rows.map((row) => row.map(writeHtml)),
		{ label: title },
	);
}
