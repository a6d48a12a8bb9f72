/** A ranking for a terminal. */
import pc from 'picocolors';
import stringWidth from 'string-width';
import { fitText, NARROWEST, proseWidth, wrapText } from '../../text/wrap.ts';
import type { RankingResult, RankingRow } from '../../types/ranking/ranking.ts';
import { breakTable, fitTable, hang, plain, tableText, type WordedTable } from '../worded-table.ts';
import { areOfOneMachine } from './ranking-facts.ts';
import { writeRate } from './ranking-figures.ts';
import { buildMeasureReport, type RankingReport, type ScenarioReport } from './ranking-model.ts';

type Colours = ReturnType<typeof pc.createColors>;

/** In columns of the terminal. */
const BAR_WIDTH = 32;
const MOST_NOISY = 8;
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

export function renderRanking(
	result: RankingResult,
	options: { readonly colour: boolean; readonly width: number },
): string {
	const colours = pc.createColors(options.colour);
	const width = Math.max(options.width, NARROWEST);
	const prose = proseWidth(width);
	const report = buildMeasureReport(result);
	const sections = [
		renderHead(report, colours, prose),
		...report.scenarios.map((scenario) => renderScenario(scenario, colours, width)),
		...[report.short, report.highlight, ...report.comparisons, ...report.ramps].flatMap((table) =>
			table === null ? [] : breakTable(table, width).map((part) => tableText(part, colours, prose)),
		),
		report.noisy === null ? '' : tableText(cutRows(report.noisy, MOST_NOISY), colours, prose),
		report.facts.map(({ label, value }) => hang(`${label}: ${plain(value)}`, prose)).join('\n'),
		report.differences.map((difference) => hang(`Not as on the page: ${plain(difference)}`, prose)).join('\n'),
		`Repeat it:\n  ${report.reproduce.replaceAll('\n', '\n  ')}`,
	];
	return sections.filter((section) => section !== '').join('\n\n');
}

function renderHead(report: RankingReport, colours: Colours, width: number): string {
	const { title, end, variation, conclusions, warnings } = report;
	const remarks = [...conclusions, ...warnings].map((one) => hang(`- ${plain(one)}`, width));
	return [colours.bold(title), ...wrapText(end, width, 0), ...wrapText(variation, width, 0), ...remarks].join('\n');
}

function cutRows(table: WordedTable, most: number): WordedTable {
	const hiddenCount = table.rows.length - most;
	if (hiddenCount <= 0) return table;
	return { ...table, rows: table.rows.slice(0, most), note: `And ${hiddenCount} more. ${table.note}` };
}

function renderScenario(
	{ table, caption, rows, ratios, remarks }: ScenarioReport,
	colours: Colours,
	width: number,
): string {
	const prose = proseWidth(width);
	const spare = SPARE_PATTERNS.flatMap((pattern) =>
		table.columns.flatMap(({ label }) => (pattern.test(label) ? label : [])),
	);
	const fitted = fitTable({ ...table, note: '' }, spare, width);
	return [
		tableText({ ...fitted, title: `${table.title}: ${plain(caption)}`, note: table.note }, colours, prose),
		...(areOfOneMachine(rows) ? drawBars(rows) : []),
		...(ratios === null ? [] : wrapText(plain(ratios), prose, 0)),
		...remarks.map((remark) => hang(`- ${plain(remark)}`, prose)),
	].join('\n');
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
