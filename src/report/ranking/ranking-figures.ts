import { isRate, ratioOf, speedRatio } from '../../rank/ratios.ts';
import { bandOf } from '../../rank/variation.ts';
import { countOf, formatCount, formatPair, formatPercent, NONE } from '../../text/numbers.ts';
import type { Phrase } from '../../text/phrase.ts';
import { METRIC_NAMES, METRICS, type MetricName } from '../../types/metric.ts';
import type { AloneFigures, LoadTotals } from '../../types/ranking/load-figures.ts';
import type { RankingRow, Variation } from '../../types/ranking/ranking.ts';
import type { Fraction } from '../../types/units.ts';

/** The label includes the unit. */
export interface FigureColumn {
	readonly label: string;
	/** One per row. */
	readonly texts: readonly string[];
}

/** Added to the metrics, unless one has that name. */
const LATENCY_COLUMNS = [
	{ label: 'latency mean', of: (alone: AloneFigures) => alone.latency?.mean ?? null },
	{ label: 'latency p95', of: (alone: AloneFigures) => alone.latency?.p95 ?? null },
] as const;
const TRANSFER = 'transfer';
/** In percent; one process uses at most one CPU. */
const ONE_CPU = 110;

const LATENCY_AFTER: MetricName = 'latency-p50';
/** Matches the latency columns shown. The JSON file has all quantiles. */
const SHOWN_LATENCIES = /^latency (?!p)|^latency p(?:50|95|99)$/;

const LABELS = METRIC_NAMES.map((metric) => METRICS[metric].label);

const MACHINE_AFTER: MetricName = 'cpu-per-request';

/** Returns columns of all metrics but throughput. `cpus` adds the use of the whole machine. */
export function figureColumnsOf(rows: readonly RankingRow[], cpus: number | null = null): readonly FigureColumn[] {
	const isWide = rows.some(({ alone }) => (alone?.metrics['cpu-used'] ?? 0) > ONE_CPU);
	const metrics = METRIC_NAMES.filter(
		(metric) => metric !== 'throughput' && (metric !== 'cpu-used' || isWide) && isShown(METRICS[metric].label),
	);
	const extra = LATENCY_COLUMNS.filter(({ label }) => !LABELS.includes(label));
	const columns = metrics.flatMap((metric) => {
		const { label, unit } = METRICS[metric];
		const plain = columnOf(rows, label, unit, (alone) => alone.metrics[metric] ?? null);
		const metricColumns = metric === 'gc-share' ? plain.map((column) => withGcWords(column, rows)) : plain;
		const beside = metric === LATENCY_AFTER ? extra.flatMap((each) => columnOf(rows, each.label, 'ms', each.of)) : [];
		return [
			...metricColumns,
			...beside,
			...(metric === MACHINE_AFTER && cpus !== null ? machineColumn(rows, cpus) : []),
		];
	});
	const answers = [statusColumn(rows), errorsColumn(rows), resentColumn(rows), checksColumn(rows)].filter(
		(column) => column !== null,
	);
	if (LABELS.includes(TRANSFER)) return [...columns, ...answers];
	return [...columns, ...columnOf(rows, TRANSFER, 'MB/s', (alone) => alone.bytesPerSecond / 1e6), ...answers];
}

function machineColumn(rows: readonly RankingRow[], cpus: number): readonly FigureColumn[] {
	const label = `CPU of the machine (${countOf(cpus, 'CPU')})`;
	return columnOf(rows, label, '%', ({ metrics }) => {
		const used = metrics['cpu-used'] ?? null;
		return used === null ? null : used / cpus;
	});
}

/** Each cell lists the most frequent status first. Null if every server gave only one status. */
function statusColumn(rows: readonly RankingRow[]): FigureColumn | null {
	const counted = rows.map(statusesOf);
	const texts = counted.map((counts) => {
		const all = counts.reduce((sum, [, count]) => sum + count, 0);
		return counts.map(([status, count]) => `${status}: ${formatPercent(count / all)}`).join(', ') || NONE;
	});
	return counted.some((counts) => counts.length > 1) ? { label: 'statuses', texts } : null;
}

/** Needed because drivers that count by themselves may report any text. */
const STATUS = /^\d{3}$/;

function statusesOf({ alone }: RankingRow): readonly (readonly [status: string, count: number])[] {
	return Object.entries(alone?.totals?.statuses ?? {})
		.filter(([, count]) => count > 0)
		.toSorted(([, one], [, other]) => other - one)
		.map(([status, count]) => [STATUS.test(status) ? status : 'other', count]);
}

/** Includes timeouts where known. Null if there were no failures. */
function errorsColumn(rows: readonly RankingRow[]): FigureColumn | null {
	const rowTotals = rows.map(({ alone }) => alone?.totals);
	if (rowTotals.every((totals) => totals === undefined || totals.errors === 0)) return null;
	const texts = rowTotals.map((totals) => (totals === undefined ? NONE : writeErrors(totals)));
	return { label: 'errors', texts };
}

function writeErrors({ errors, timeouts }: LoadTotals): string {
	return errors === 0 || timeouts === undefined
		? formatCount(errors)
		: `${formatCount(errors)} (${countOf(timeouts, 'timeout')})`;
}

/** Counts requests lost with a reused connection and sent again. */
function resentColumn(rows: readonly RankingRow[]): FigureColumn | null {
	const rowTotals = rows.map(({ alone }) => alone?.totals);
	if (rowTotals.every((totals) => (totals?.resent ?? 0) === 0)) return null;
	return { label: 'sent again', texts: rowTotals.map((totals) => (totals ? formatCount(totals.resent ?? 0) : NONE)) };
}

/** Null if all were right, which is stated once for all tables. */
function checksColumn(rows: readonly RankingRow[]): FigureColumn | null {
	const rowTotals = rows.map(({ alone }) => alone?.totals);
	if (rowTotals.every((totals) => totals === undefined || totals.errors + totals.unexpected === 0)) return null;
	const texts = rowTotals.map((totals) => {
		const requestCount = totals === undefined ? 0 : totals.requests + totals.errors;
		return totals === undefined || requestCount === 0
			? NONE
			: writeRight((totals.requests - totals.unexpected) / requestCount);
	});
	return { label: 'checks passed', texts };
}

/** Rounds down: 100 % means all. */
function writeRight(part: Fraction): string {
	return `${(Math.floor(part * 10_000) / 100).toFixed(2)} %`;
}

/** Pairs of upper limit in percent and word (docs/measuring.md, "What Node reports about itself"). */
const GC_WORDS = [
	[1, 'low'],
	[3, 'low to medium'],
	[6, 'medium'],
] as const;

function withGcWords({ label, texts }: FigureColumn, rows: readonly RankingRow[]): FigureColumn {
	const words = rows.map(({ alone }) => {
		const share = alone?.metrics['gc-share'] ?? null;
		return share === null ? null : (GC_WORDS.find(([limit]) => share < limit)?.[1] ?? 'high');
	});
	return { label, texts: texts.map((text, at) => (words[at] == null ? text : `${text} (${words[at]})`)) };
}

function isShown(label: string): boolean {
	return !label.startsWith('latency') || SHOWN_LATENCIES.test(label);
}

export function writeRate(row: Pick<RankingRow, 'alone'>): string {
	return formatPair(row.alone?.metrics.throughput ?? null, null, 'requests/s').base;
}

/** Returns a row's main figure: requests per second, or its scenario's metric with the unit. */
export function writeFigure({ alone, judgedBy }: Pick<RankingRow, 'alone' | 'judgedBy'>): string {
	if (isRate(judgedBy)) return writeRate({ alone });
	const { base, unit } = formatPair(alone?.metrics[judgedBy] ?? null, null, METRICS[judgedBy].unit);
	return base === NONE ? NONE : `${base} ${unit}`;
}

/** Returns `63.4 %`, or a dash. */
export function writeShare(row: Pick<RankingRow, 'share'>): string {
	return row.share === null ? NONE : `${(100 * row.share.value).toFixed(1)} %`;
}

/** Returns the 95 % interval in percent, `[62.1 … 64.7]`; a dash for the reference. */
export function writeShareInterval({ share }: Pick<RankingRow, 'share'>): string {
	if (share === null || share.low === share.high) return NONE;
	return `[${(100 * share.low).toFixed(1)} … ${(100 * share.high).toFixed(1)}]`;
}

/** Returns `2.0 %`, or a dash. It has a decimal, because bands begin at whole percents. */
export function writeCov(cov: Fraction | null): string {
	return cov === null ? NONE : `${(100 * cov).toFixed(1)} %`;
}

/** Returns `2.1 % (excellent)`, or a dash. */
export function writeVariation({ cov, band }: Variation): string {
	if (cov === null || band === null) return NONE;
	// If 2.98 % were rounded to 3.0 %, it would seem to be in another band.
	const text = bandOf(Number(cov.toFixed(3))) === band ? writeCov(cov) : `${(100 * cov).toFixed(2)} %`;
	return `${text} (${band.toLowerCase()})`;
}

/** Returns `partOf` as `63.4 %`, or a dash. */
export function writePart(row: RankingRow | undefined, of: RankingRow | undefined): string {
	const part = row && of ? partOf(row, of) : null;
	return part === null ? NONE : `${(100 * part).toFixed(1)} %`;
}

/** Returns a row's speed as a fraction of another's; null if unknown, or if either is oversubscribed. */
export function partOf(row: RankingRow, of: RankingRow): Fraction | null {
	if (row.oversubscribed || of.oversubscribed) return null;
	const part =
		row.logShare !== null && of.logShare !== null ? ratioOf(row.logShare, of.logShare).value : speedRatio(row, of);
	return Number.isFinite(part) ? part : null;
}

export function own(text: string): Phrase {
	return [text];
}

function columnOf(
	rows: readonly RankingRow[],
	label: string,
	unit: string,
	of: (alone: AloneFigures) => number | null,
): readonly FigureColumn[] {
	const column = figureColumn(
		label,
		unit,
		rows.map(({ alone }) => (alone === null ? null : of(alone))),
	);
	return column === null ? [] : [column];
}

/** Returns figures on one scale, with a dash for null; null without figures. */
export function figureColumn(label: string, unit: string, values: readonly (number | null)[]): FigureColumn | null {
	const numbers = values.flatMap((value) => value ?? []);
	if (numbers.length === 0) return null;
	const largest = Math.max(...numbers);
	const scaled = formatPair(largest, null, unit).unit;
	return { label: `${label}, ${scaled}`, texts: values.map((value) => formatPair(value, largest, unit).base) };
}
