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

/** Where a row stands on the main branch, by its baselines. Log ratios against its anchor; negative is worse. */
export type MainRow = Infer<typeof MAIN_ROW>;
const MAIN_ROW = objectOf({
	server: TEXT,
	scenario: TEXT,
	metric: METRIC,
	/** Labels of the anchor and of the commit that was measured last: `v5.2.0`, `main@1a2b3c4`. Foreign text. */
	anchor: TEXT,
	measured: TEXT,
	theta: NUMBER,
	/** Ends of the interval that holds for all rows together with 95 %. */
	low: NUMBER,
	high: NUMBER,
	/** False while only one baseline shows the place; absent otherwise. */
	settled: optional(described(literal(false), 'where one baseline alone shows it')),
	/** Its last baselines, oldest first. */
	history: listOf(NUMBER),
});

/** What a comparison learns about the main branch. It stands in the raw data, so that judging them again says the same. */
export type MainBaselines = Infer<typeof MAIN_BASELINES>;
export const MAIN_BASELINES = objectOf({
	policy: DRIFT_POLICY,
	/** A drop since the anchor of this fraction or more is drift; null for twice the threshold of each row. */
	threshold: NUMBER_OR_NULL,
	rows: listOf(MAIN_ROW),
});

/**
 * Verdict of the baselines on a row. `level`: main is not below the anchor. `unsettled`: only the newest baseline shows the current place.
 * `below`: main is below the anchor, surely and by a drop that matters. `drifted`: by the drift threshold or more. `adds`: main and head
 * together are below by the drift threshold or more, and head surely makes it worse.
 */
const DRIFT_VERDICTS = ['level', 'unsettled', 'below', 'drifted', 'adds'] as const;
export type DriftVerdict = (typeof DRIFT_VERDICTS)[number];

/** A row of a comparison beside the baselines of main. Changes are in the metric's own direction: latency +0.1 is slower. */
export type RowDrift = Infer<typeof ROW_DRIFT>;
export const ROW_DRIFT = define(
	'drift',
	described(
		objectOf({
			verdict: enumOf(DRIFT_VERDICTS),
			policy: described(DRIFT_POLICY, 'whether adds fails the gate'),
			threshold: FRACTION,
			/** As `MainRow` has them. */
			anchor: TEXT,
			measured: described(TEXT, 'commit of the newest baseline'),
			/** Main against the anchor, with the ends of its interval. */
			main: objectOf({ change: NUMBER, low: NUMBER, high: NUMBER }),
			/** In the row's metric; null when it has no figure. */
			adds: described(NUMBER_OR_NULL, 'head against base'),
			/** Null with `adds`. */
			total: described(NUMBER_OR_NULL, 'main against the anchor once head is merged'),
			history: described(listOf(NUMBER), 'last baselines against the anchor, oldest first'),
		}),
		'where main stands in the row, by its baselines; absent where none tells',
	),
);
