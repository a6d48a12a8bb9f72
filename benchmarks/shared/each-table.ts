/** Pure: Markdown table of the rows of `benchmarks/gate-each.ts`, by metric. */
import { markdownTable } from 'markdown-table';
import { formatChange, formatInterval, NONE } from '../../src/text/numbers.ts';
import { GATED_METRICS, METRIC_NAMES, METRICS, type MetricName } from '../../src/types/metric.ts';
import type { CellResult } from '../../src/types/result.ts';
import { NOTHING } from './gates-table.ts';

/** One row of one run. */
export interface EachRow
	extends Pick<CellResult, 'metric' | 'judgedBy' | 'verdict' | 'change' | 'interval' | 'threshold' | 'rounds'> {
	readonly load: string;
	/** The fault in head. */
	readonly planted: string;
	/** Exit code of the run. */
	readonly code: number | null;
	/** Of the whole run. */
	readonly seconds: number;
}

/** A metric gated under a load, and the fault planted for it. */
export interface EachGate {
	readonly load: string;
	readonly metric: MetricName;
	readonly planted: string;
}

const COLUMNS = ['load', 'metric', 'allowed', 'same code', 'verdict', 'planted', 'with it', 'verdict', 'also red with'];

/**
 * Returns a line for each gate in order, and one for each metric that cannot be gated, with its text from `instead`.
 */
export function tableOfEach(
	rows: readonly EachRow[],
	gates: readonly EachGate[],
	instead: Readonly<Partial<Record<MetricName, string>>>,
): string {
	const gated = gates.map((gate) => {
		const group = rows.filter(({ load, metric }) => load === gate.load && metric === gate.metric);
		const of = (planted: string) => group.find((row) => row.planted === planted);
		const [green, red] = [of(NOTHING), of(gate.planted)];
		const others = group.filter(({ planted, verdict }) => verdict === 'regressed' && planted !== gate.planted);
		return [
			...[gate.load, METRICS[gate.metric].label, allowedBy(gate.metric, (green ?? red)?.threshold)],
			...[changeOf(green), green?.verdict ?? NONE, gate.planted, changeOf(red), red?.verdict ?? NONE],
			others.map(({ planted }) => planted).join(', '),
		];
	});
	const ungated = METRIC_NAMES.filter((name) => !GATED_METRICS.includes(name)).map((name) => [
		...[NONE, METRICS[name].label, 'no gate can name it', NONE, NONE, NONE, NONE, NONE],
		`instead: ${instead[name] ?? 'nothing'}`,
	]);
	return markdownTable([COLUMNS, ...gated, ...ungated]);
}

/** Returns each run with its exit code and duration: `none at full load: 0 (61 s)`. */
export function listRuns(rows: readonly EachRow[]): string {
	const runs = Map.groupBy(rows, ({ load, planted }) => `${planted}, ${load}`);
	return [...runs]
		.flatMap(([name, [first]]) => (first ? [`${name}: exit code ${first.code}, ${Math.round(first.seconds)} s`] : []))
		.join('; ');
}

/** The change at which a row fails, in the metric's direction of worse. */
function allowedBy(metric: MetricName, threshold: number | undefined): string {
	if (threshold === undefined) return NONE;
	return formatChange(METRICS[metric].better === 'higher' ? -threshold : 1 / (1 - threshold) - 1);
}

/** With the deciding metric if it is not the row's. */
function changeOf(row: EachRow | undefined): string {
	if (row === undefined) return NONE;
	const judge = row.judgedBy === row.metric ? '' : ` (${METRICS[row.judgedBy].label})`;
	return `${formatChange(row.change)} ${formatInterval(row.interval)}${judge}`;
}
