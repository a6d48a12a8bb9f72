import type { DriftPolicy } from './config.ts';
import type { MetricName } from './metric.ts';
import type { Fraction } from './units.ts';

/** Where a row stands on the main branch, by its baselines. Log ratios against its anchor; negative is worse. */
export interface MainRow {
	readonly server: string;
	readonly scenario: string;
	readonly metric: MetricName;
	/** Labels of the anchor and of the commit that was measured last: `v5.2.0`, `main@1a2b3c4`. Foreign text. */
	readonly anchor: string;
	readonly measured: string;
	readonly theta: number;
	/** Ends of the interval that holds for all rows together with 95 %. */
	readonly low: number;
	readonly high: number;
	/** False while only one baseline shows the place; absent otherwise. */
	readonly settled?: false;
	/** Its last baselines, oldest first. */
	readonly history: readonly number[];
}

/** What a comparison learns about the main branch. It stands in the raw data, so that judging them again says the same. */
export interface MainBaselines {
	readonly policy: DriftPolicy;
	/** A drop since the anchor of this or more is drift; null for twice the threshold of each row. */
	readonly threshold: Fraction | null;
	readonly rows: readonly MainRow[];
}

/**
 * Verdict of the baselines on a row. `level`: main is not below the anchor. `unsettled`: only the newest baseline shows the current place.
 * `below`: main is below the anchor, surely and by a drop that matters. `drifted`: by the drift threshold or more. `adds`: main and head
 * together are below by the drift threshold or more, and head surely makes it worse.
 */
export const DRIFT_VERDICTS = ['level', 'unsettled', 'below', 'drifted', 'adds'] as const;
export type DriftVerdict = (typeof DRIFT_VERDICTS)[number];

/** A row of a comparison beside the baselines of main. Changes are in the metric's own direction: latency +0.1 is slower. */
export interface RowDrift {
	readonly verdict: DriftVerdict;
	/** Whether `adds` fails the gate. */
	readonly policy: DriftPolicy;
	readonly threshold: Fraction;
	/** As `MainRow` has them. */
	readonly anchor: string;
	readonly measured: string;
	/** Main against the anchor, with the ends of its interval. */
	readonly main: { readonly change: Fraction; readonly low: Fraction; readonly high: Fraction };
	/** Head against base, in the row's metric; null when it has no figure. */
	readonly adds: Fraction | null;
	/** Main against the anchor once head is merged; null with `adds`. */
	readonly total: Fraction | null;
	/** The last baselines against the anchor, oldest first. */
	readonly history: readonly Fraction[];
}
