import { blameOf } from '../../judge/gate-row.ts';
import { type CsvValue, csvLine } from '../../text/escape.ts';
import { METRICS, type Metric, type MetricName, SHOWN_METRICS } from '../../types/metric.ts';
import type { CellResult, Result } from '../../types/result.ts';

type Column = readonly [name: string, value: (cell: CellResult, result: Result) => CsvValue];

const UNITS: Readonly<Record<Metric['unit'], string>> = {
	'requests/s': 'requests_per_s',
	µs: 'us',
	ms: 'ms',
	MB: 'mb',
	'MB/s': 'mb_per_s',
	'%': 'percent',
	'a turn': 'per_turn',
	'a request': 'per_request',
};

const COLUMNS: readonly Column[] = [
	['server', ({ server }) => server],
	['scenario', ({ scenario }) => scenario],
	['metric', ({ metric }) => metric],
	['judged_by', ({ judgedBy }) => judgedBy],
	['verdict', ({ verdict }) => verdict],
	['broken_by', brokenBy],
	['change', ({ change }) => change],
	['interval_low', ({ interval }) => interval?.low ?? null],
	['interval_high', ({ interval }) => interval?.high ?? null],
	['confidence', ({ interval }) => interval?.confidence ?? null],
	['threshold', ({ threshold }) => threshold],
	['tolerance', ({ tolerance }) => tolerance],
	['rounds', ({ rounds }) => rounds],
	['round_sd', ({ roundSd }) => roundSd],
	['smallest_decidable_threshold', (cell) => cell.smallestDecidableThreshold],
	['p_regressed', ({ pRegressed }) => pRegressed],
	['p_unchanged', ({ pUnchanged }) => pUnchanged],
	...SHOWN_METRICS.flatMap(columnsOf),
	['warnings', ({ warnings }) => [...new Set(warnings.map(({ code }) => code))].join(' ')],
	['base_label', (_, { base }) => base.label],
	['head_label', (_, { head }) => head.label],
	['created_at', (_, { createdAt }) => createdAt],
	['drift', ({ drift }) => drift?.verdict ?? null],
	['drift_anchor', ({ drift }) => drift?.anchor ?? null],
	['drift_main', ({ drift }) => drift?.main.change ?? null],
	['drift_main_low', ({ drift }) => drift?.main.low ?? null],
	['drift_main_high', ({ drift }) => drift?.main.high ?? null],
	['drift_total', ({ drift }) => drift?.total ?? null],
	['drift_threshold', ({ drift }) => drift?.threshold ?? null],
	// These are of the deciding metric, for which the columns above may have no place.
	['base', ({ metrics, judgedBy }) => metrics[judgedBy]?.base ?? null],
	['head', ({ metrics, judgedBy }) => metrics[judgedBy]?.head ?? null],
	['unit', ({ metrics, judgedBy }) => metrics[judgedBy]?.unit ?? null],
	['level_low', ({ metrics, judgedBy }) => metrics[judgedBy]?.level?.low ?? null],
	['level_high', ({ metrics, judgedBy }) => metrics[judgedBy]?.level?.high ?? null],
];

function brokenBy(cell: CellResult): string | null {
	const blame = blameOf(cell);
	return blame === 'answers' || blame === 'unknown' ? null : blame;
}

function columnsOf(name: MetricName): Column[] {
	const prefix = name.replaceAll('-', '_');
	const unit = UNITS[METRICS[name].unit];
	return [
		[`${prefix}_base_${unit}`, ({ metrics }) => metrics[name]?.base ?? null],
		[`${prefix}_head_${unit}`, ({ metrics }) => metrics[name]?.head ?? null],
		[`${prefix}_change`, ({ metrics }) => metrics[name]?.change ?? null],
		[`${prefix}_interval_low`, ({ metrics }) => metrics[name]?.interval?.low ?? null],
		[`${prefix}_interval_high`, ({ metrics }) => metrics[name]?.interval?.high ?? null],
		[`${prefix}_source`, ({ metrics }) => metrics[name]?.source ?? null],
	];
}

/** Returns CSV (RFC 4180, but with line feeds). Ratios are fractions. No text can become a formula or break a line. */
export function renderCsv(result: Result): string {
	const header = COLUMNS.map(([name]) => name);
	return [header, ...result.cells.map((cell) => COLUMNS.map(([, value]) => value(cell, result)))].map(csvLine).join('');
}
