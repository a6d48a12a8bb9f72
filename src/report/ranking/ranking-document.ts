/** A ranking as a document. */
import stringWidth from 'string-width';
import { escapeHtml } from '../../text/escape.ts';
import { NONE } from '../../text/numbers.ts';
import { fitText } from '../../text/wrap.ts';
import type { RankingResult, RankingRow } from '../../types/ranking/ranking.ts';
import {
	type Block,
	type Column,
	type Document,
	listSection,
	type Medium,
	type Section,
	section,
	type Table,
	type WordedTable,
} from '../document/document.ts';
import { plain } from '../document/table.ts';
import { writeHtml } from '../html/html-parts.ts';
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
import { writeRate } from './ranking-figures.ts';
import { buildMeasureReport, type ScenarioReport } from './ranking-model.ts';
import { drawLatencies, drawMemory, drawRates, drawShares, RANKING_STYLES } from './ranking-svg.ts';
import { versionsTable } from './ranking-tables.ts';

/** In columns of the terminal. */
const BAR_WIDTH = 32;
/** Noisy rows in a terminal, and before they are folded. */
const [TERMINAL_NOISY, MOST_NOISY] = [8, 5];
const PARTS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const;
/** A narrow terminal drops these columns first. */
const SPARE_PATTERNS = [
	/^sd$/,
	/^transfer/,
	/^CPU of the machine/,
	/^peak memory/,
	/^memory after load,/,
	/^memory at rest,/,
	/^latency mean/,
	/^latency p95/,
	/^latency p50/,
	/^latency/,
	/^CoV$/,
];
const PAGES: readonly Medium[] = ['markdown', 'html'];
const TEXT: readonly Medium[] = ['terminal', 'markdown'];
const MARKDOWN: readonly Medium[] = ['markdown'];
const HTML: readonly Medium[] = ['html'];

export function rankingDocument(result: RankingResult): Document {
	const report = buildMeasureReport(result);
	const { title, end, variation, conclusions, warnings, ranking, legend, profile, versions, noisy, rounds } = report;
	const { scenarios } = report;
	const short = [report.short].filter((table) => table !== null).map(broken);
	const highlight = [report.highlight].filter((table) => table !== null).map(broken);
	const shownIn = (media: readonly Medium[], tables: readonly (WordedTable | null)[]) =>
		tables.flatMap((table) => (table === null ? [] : [section([{ text: table.title }], [tableOf(table)], { media })]));
	const placedIn = (media: readonly Medium[], sections: readonly Section[]) =>
		sections.map((one): Section => ({ ...one, media }));
	return {
		headline: {
			...{ tone: null, title, summary: [end] },
			blocks: [
				{ kind: 'paragraphs', items: [[{ strong: variation }]] },
				{ kind: 'list', items: [...conclusions, ...warnings], media: TEXT },
				{ kind: 'list', items: warnings, media: HTML },
			],
		},
		sections: [
			...chartSection('Fastest over all scenarios', drawAverages(scenarios, result.setup)),
			section(['In short'], [{ kind: 'list', items: conclusions }], { media: HTML }),
			section([ranking.title], [{ ...tableOf(ranking), media: MARKDOWN }, placesTable(ranking)], { media: PAGES }),
			...placedIn(PAGES, short),
			...chartSection('All scenarios', drawScenarios(result)),
			...placedIn(PAGES, highlight),
			...scenarios.map(scenarioSection),
			...placedIn(['terminal'], [...short, ...highlight]),
			...chartSection('Wrappers and hosts', drawCards(result), drawWrapperBars(result)),
			...chartSection('What scenarios cost', drawLosses(result)),
			...report.comparisons.map(broken),
			...chartSection('More and more connections', drawRamps(result)),
			...chartSection('More and more workers', drawScalings(result)),
			...report.ramps.map(broken),
			...(noisy === null ? [] : [noisySection(noisy)]),
			section(['Every round'], shownIn(PAGES, rounds), { media: PAGES, folded: true }),
			...shownIn(PAGES, [legend, profile]),
			section(['Environment'], [{ kind: 'facts', facts: report.facts }]),
			...shownIn(MARKDOWN, [versions]),
			...shownIn(HTML, [versionsTable(result, Number.POSITIVE_INFINITY)]),
			...listSection(['Not as on the page'], report.differences),
			section(
				['Repeat it'],
				[
					{ kind: 'command', command: report.reproduce },
					{ kind: 'paragraphs', items: report.byHand, media: PAGES },
				],
			),
			section(['How it was measured'], [{ kind: 'paragraphs', items: report.method.map((text) => [text]) }], {
				media: PAGES,
				folded: true,
			}),
		],
		hasContents: true,
		styles: RANKING_STYLES,
	};
}

function chartSection(title: string, ...charts: readonly string[]): readonly Section[] {
	const pictures = charts.flatMap(picturesOf);
	return pictures.length === 0 ? [] : [section([title], pictures, { media: HTML })];
}

function picturesOf(html: string): readonly Block[] {
	return html.trim() === '' ? [] : [{ kind: 'picture', text: '', html, media: HTML }];
}

/** Puts all places of a scenario into one cell, which wraps. */
function placesTable({ columns, rows, note }: WordedTable): Table {
	return {
		kind: 'table',
		columns: ['scenario', 'fastest first'].map((label) => ({ label, align: 'left' })),
		rows: rows.map(([name = [], ...places]) => {
			const items = places.flatMap((place, at) =>
				plain(place) === NONE ? [] : `<li>${escapeHtml(columns[at + 1]?.label ?? '')} ${writeHtml(place)}</li>`,
			);
			return [name, { text: [], html: `<ol class="places">${items.join('\n')}</ol>` }];
		}),
		note,
		media: HTML,
	};
}

function tableOf({ columns, rows, note }: WordedTable, more: Partial<Table> = {}): Table {
	return { kind: 'table', columns, rows, note, ...more };
}

function broken(table: WordedTable): Section {
	return section([{ text: table.title }], [tableOf(table, { breaks: true })]);
}

/** Folds the table if it is long, as on a busy machine. */
function noisySection(table: WordedTable): Section {
	const folded = table.rows.length > MOST_NOISY;
	const title = folded ? `${table.title} (${table.rows.length})` : table.title;
	return section([title], [tableOf(table, { terminalRows: TERMINAL_NOISY })], { folded });
}

function scenarioSection({ table, caption, rows, ratios, remarks }: ScenarioReport): Section {
	const bars: readonly Block[] = areOfOneMachine(rows)
		? [{ kind: 'picture', text: drawBars(rows).join('\n'), html: '', media: ['terminal'] }]
		: [];
	const latencies = areOfOneMachine(rows) ? picturesOf(drawLatencies(rows)) : [];
	return section(
		[{ code: table.title }],
		[
			// A preset has no shares, so rates are drawn.
			...picturesOf(drawShares(rows) || drawRates(rows)),
			tableOf(table, { columns: table.columns.map(withSpare) }),
			...bars,
			{ kind: 'paragraphs', items: ratios === null ? [] : [ratios] },
			{ kind: 'list', items: remarks },
			section(['Latency and memory'], [...latencies, ...picturesOf(drawMemory(rows))], { folded: true, media: HTML }),
		],
		{ caption },
	);
}

function withSpare(column: Column): Column {
	const spare = SPARE_PATTERNS.findIndex((pattern) => pattern.test(column.label));
	return spare < 0 ? column : { ...column, spare };
}

export function drawBars(rows: readonly RankingRow[]): string[] {
	const measured = rows.filter(({ alone }) => alone?.metrics.throughput != null);
	const largest = Math.max(0, ...measured.map(({ alone }) => alone?.metrics.throughput ?? 0));
	const names = Math.max(0, ...measured.map(({ server }) => stringWidth(server)));
	return measured.map((row) => {
		const eighths = Math.round((8 * BAR_WIDTH * (row.alone?.metrics.throughput ?? 0)) / largest);
		const bar = `${'█'.repeat(Math.floor(eighths / 8))}${PARTS[eighths % 8] ?? ''}`;
		return `  ${fitText(row.server, names, 'left')}  ${bar} ${writeRate(row)} requests/s`;
	});
}
