/** A ranking for a terminal. */
import pc from 'picocolors';
import stringWidth from 'string-width';
import { fitText, NARROWEST, proseWidth, wrapText } from '../../text/wrap.ts';
import type { MeasureResult, MeasureRow } from '../../types/ranking/measure.ts';
import { fitTable, hang, plain, tableText } from '../worded-table.ts';
import { writeRate } from './measure-figures.ts';
import { buildMeasureReport, type MeasureReport, type ScenarioReport } from './measure-model.ts';
import { areOfOneMachine } from './measure-shards.ts';

type Colours = ReturnType<typeof pc.createColors>;

/** Columns of the longest bar. */
const BAR_WIDTH = 32;
/** Eighths of a column. */
const PARTS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const;
/** Columns of a scenario's table that go first where the terminal is narrow. */
const SPARE_PATTERNS = [
	/^sd$/,
	/^transfer/,
	/^peak memory/,
	/^latency mean/,
	/^latency p95/,
	/^latency p50/,
	/^latency/,
	/^CoV$/,
];

/** Returns a ranking as lines for a terminal of `width` columns, without a final line feed. */
export function renderMeasure(
	result: MeasureResult,
	options: { readonly colour: boolean; readonly width: number },
): string {
	const colours = pc.createColors(options.colour);
	const width = Math.max(options.width, NARROWEST);
	const prose = proseWidth(width);
	const report = buildMeasureReport(result);
	const sections = [
		renderHead(report, colours, prose),
		...report.scenarios.map((scenario) => renderScenario(scenario, colours, width)),
		report.short === null ? '' : tableText(report.short, colours, prose),
		report.highlight === null ? '' : tableText(report.highlight, colours, prose),
		...[...report.comparisons, ...report.ramps].map((table) => tableText(table, colours, prose)),
		report.noisy === null ? '' : tableText(report.noisy, colours, prose),
		report.facts.map(({ label, value }) => hang(`${label}: ${plain(value)}`, prose)).join('\n'),
		report.warnings.map((warning) => hang(plain(warning), prose)).join('\n'),
		`Repeat it:\n  ${report.reproduce.replaceAll('\n', '\n  ')}`,
	];
	return sections.filter((section) => section !== '').join('\n\n');
}

function renderHead({ title, end, variation }: MeasureReport, colours: Colours, width: number): string {
	return [colours.bold(title), ...wrapText(end, width, 0), ...wrapText(variation, width, 0)].join('\n');
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

/** Returns one bar a measured row, of block characters: as long as its requests per second. */
export function drawBars(rows: readonly MeasureRow[]): string[] {
	const measured = rows.filter(({ alone }) => alone?.metrics.throughput != null);
	const largest = Math.max(0, ...measured.map(({ alone }) => alone?.metrics.throughput ?? 0));
	const names = Math.max(0, ...measured.map(({ server }) => stringWidth(server)));
	return measured.map((row) => {
		const eighths = Math.round((8 * BAR_WIDTH * (row.alone?.metrics.throughput ?? 0)) / largest);
		const bar = `${'█'.repeat(Math.floor(eighths / 8))}${PARTS[eighths % 8] ?? ''}`;
		return `  ${fitText(row.server, names, 'left')}  ${bar} ${writeRate(row)} requests/s`;
	});
}
