/** A ranking in a terminal and in Markdown. */
import stringWidth from 'string-width';
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
import { areOfOneMachine } from './ranking-facts.ts';
import { writeRate } from './ranking-figures.ts';
import { buildMeasureReport, type ScenarioReport } from './ranking-model.ts';

/** In columns of the terminal. */
const BAR_WIDTH = 32;
/** Noisy rows in a terminal, and before they are folded. */
const [TERMINAL_NOISY, MOST_NOISY] = [8, 5];
/** Bars end in eighths of a column. */
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

export function rankingDocument(result: RankingResult): Document {
	const report = buildMeasureReport(result);
	const { title, end, variation, conclusions, warnings, ranking, legend, profile, versions, noisy, rounds } = report;
	const short = [report.short, report.highlight].filter((table) => table !== null).map(broken);
	const onPages = (tables: readonly (WordedTable | null)[]) =>
		tables.flatMap((table) =>
			table === null ? [] : [section([{ text: table.title }], [tableOf(table)], { media: PAGES })],
		);
	return {
		headline: {
			...{ tone: null, title, summary: [end] },
			blocks: [
				{ kind: 'paragraphs', items: [[{ strong: variation }]] },
				{ kind: 'list', items: [...conclusions, ...warnings] },
			],
		},
		sections: [
			...onPages([ranking]),
			...short.map((one) => ({ ...one, media: PAGES })),
			...report.scenarios.map(scenarioSection),
			...short.map((one): Section => ({ ...one, media: ['terminal'] })),
			...[...report.comparisons, ...report.ramps].map(broken),
			...(noisy === null ? [] : [noisySection(noisy)]),
			section(['Every round'], onPages(rounds), { media: PAGES, folded: true }),
			...onPages([legend, profile]),
			section(['Environment'], [{ kind: 'facts', facts: report.facts }]),
			...onPages([versions]),
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
	};
}

function tableOf({ columns, rows, note }: WordedTable, more: Partial<Table> = {}): Table {
	return { kind: 'table', columns, rows, note, ...more };
}

/** Returns the section of a table that a narrow terminal continues below. */
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
	return section(
		[{ code: table.title }],
		[
			tableOf(table, { columns: table.columns.map(withSpare) }),
			...bars,
			{ kind: 'paragraphs', items: ratios === null ? [] : [ratios] },
			{ kind: 'list', items: remarks },
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
