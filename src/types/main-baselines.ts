import { DRIFT_POLICY } from './config.ts';
import { METRIC } from './metric.ts';
import {
	define,
	described,
	enumOf,
	FRACTION,
	type Infer,
	listOf,
	literal,
	NUMBER,
	NUMBER_OR_NULL,
	objectOf,
	optional,
	TEXT,
} from './schema.ts';

/** Log ratios against the anchor; negative is worse. */
export type MainRow = Infer<typeof MAIN_ROW>;
const MAIN_ROW = objectOf({
	server: TEXT,
	scenario: TEXT,
	metric: METRIC,
	/** Labels of the anchor and the newest commit: `v5.2.0`, `main@1a2b3c4`. Untrusted text. */
	anchor: TEXT,
	measured: TEXT,
	theta: NUMBER,
	/** The intervals hold jointly for all rows, at 95 %. */
	low: NUMBER,
	high: NUMBER,
	settled: optional(described(literal(false), 'where one baseline alone shows it')),
	/** Oldest first. */
	history: listOf(NUMBER),
});

/** Stored in the raw data, so judging them again gives the same result. */
export type MainBaselines = Infer<typeof MAIN_BASELINES>;
export const MAIN_BASELINES = objectOf({
	policy: DRIFT_POLICY,
	/** Smallest drop since the anchor that is drift; null for twice each row's threshold. */
	threshold: NUMBER_OR_NULL,
	rows: listOf(MAIN_ROW),
});

/**
 * Main against the anchor. `level`: not below. `unsettled`: depends on the newest baseline. `below`: surely, by a drop
 * that matters. `drifted`: by at least the drift threshold. `adds`: main and head together have drifted, and head is
 * surely slower.
 */
const DRIFT_VERDICTS = ['level', 'unsettled', 'below', 'drifted', 'adds'] as const;
export type DriftVerdict = (typeof DRIFT_VERDICTS)[number];

/** Changes have the sign of the metric: latency +0.1 is slower. */
export type RowDrift = Infer<typeof ROW_DRIFT>;
export const ROW_DRIFT = define(
	'drift',
	described(
		objectOf({
			verdict: enumOf(DRIFT_VERDICTS),
			policy: described(DRIFT_POLICY, 'whether adds fails the gate'),
			threshold: FRACTION,
			anchor: TEXT,
			measured: described(TEXT, 'commit of the newest baseline'),
			main: objectOf({ change: NUMBER, low: NUMBER, high: NUMBER }),
			/** In the row's metric. */
			adds: described(NUMBER_OR_NULL, 'head against base'),
			total: described(NUMBER_OR_NULL, 'main against the anchor once head is merged'),
			history: described(listOf(NUMBER), 'last baselines against the anchor, oldest first'),
		}),
		'standing of main in the row, by its baselines; absent where they do not show it',
	),
);
