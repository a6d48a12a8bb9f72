import { changeOf, signedLogOf } from '../stats/estimate.ts';
import type { GatePolicy } from '../types/config.ts';
import type { DriftVerdict, MainBaselines, MainRow, RowDrift } from '../types/main-baselines.ts';
import { METRICS } from '../types/metric.ts';
import type { Raw } from '../types/result.ts';
import type { Fraction } from '../types/units.ts';
import type { RowDecision } from '../types/verdict.ts';
import { isDrifted, placeOf } from './baseline/drift.ts';

type Judged = Pick<RowDecision, 'cell' | 'metric' | 'judgedBy' | 'verdict' | 'estimate' | 'warnings'>;

/** Head against base in log ratios; negative is worse. */
export interface HeadStep {
	readonly d: number;
	/** Upper end of the interval; infinite if unknown or in doubt. */
	readonly high: number;
}

/** Default drift threshold, as a multiple of the threshold. */
const TIMES_THRESHOLD = 2;

/** Returns a row's drift against the baselines of main; null without a baseline. `threshold` is the row's. */
export function rowDrift(row: Judged, threshold: Fraction, baselines: MainBaselines): RowDrift | null {
	const main = baselines.rows.find(
		({ server, scenario, metric }) => `${server}/${scenario}` === row.cell && metric === row.metric,
	);
	if (main === undefined) return null;
	const { metric, anchor, measured, history } = main;
	const limit = baselines.threshold ?? Math.min(TIMES_THRESHOLD * threshold, 1);
	const head = headStepOf(row);
	const [one, other] = [changeOf(metric, main.low), changeOf(metric, main.high)];
	const isTurned = METRICS[metric].better === 'lower';
	return {
		verdict: driftVerdict(main, head, { threshold, limit }),
		policy: baselines.policy,
		threshold: limit,
		anchor,
		measured,
		main: {
			change: changeOf(metric, main.theta),
			low: isTurned ? other : one,
			high: isTurned ? one : other,
		},
		adds: head === null ? null : changeOf(metric, head.d),
		total: head === null ? null : changeOf(metric, main.theta + head.d),
		history: history.map((theta) => changeOf(metric, theta)),
	};
}

/**
 * Returns the standing of main and head together. Head adds to drift only if its whole interval is below 0 and both
 * together are drift (docs/decisions/0040-drift-of-pull-requests.md). An unsettled main never is.
 */
export function driftVerdict(
	main: Pick<MainRow, 'theta' | 'low' | 'high' | 'settled'>,
	head: HeadStep | null,
	{ threshold, limit }: { readonly threshold: Fraction; readonly limit: Fraction },
): DriftVerdict {
	const { theta, low, high } = main;
	const settled = main.settled !== false;
	if (head !== null && head.d < 0 && head.high < 0) {
		if (isDrifted({ theta: theta + head.d, high: high + head.high, settled }, limit)) return 'adds';
	}
	if (isDrifted({ theta, high, settled }, limit)) return 'drifted';
	const place = placeOf({ theta, low, high, settled, threshold });
	return place === 'below' || place === 'unsettled' ? place : 'level';
}

/** The upper end of a duet without confirmation cannot be trusted. */
function headStepOf({ judgedBy, verdict, estimate, warnings }: Judged): HeadStep | null {
	if (verdict === 'invalid' || estimate === null) return null;
	const { low, high } = estimate.interval;
	const end = METRICS[judgedBy].better === 'higher' ? high : low;
	const isDoubted = warnings.some(({ code }) => code === 'unconfirmed');
	return {
		d: estimate.centre,
		high: end === null || isDoubted ? Number.POSITIVE_INFINITY : signedLogOf(judgedBy, end),
	};
}

/** Returns raw data with `rows` as the only baselines. Without `gate`, the policy in force, drift is advisory. */
export function withBaselines(
	raw: Raw,
	rows: readonly MainRow[],
	gate: Pick<GatePolicy, 'drift' | 'driftThreshold'> | null,
): Raw {
	const { baselines: _before, ...context } = raw.context;
	if (rows.length === 0) return { ...raw, context };
	const baselines = { policy: gate?.drift ?? 'advisory', threshold: gate?.driftThreshold ?? null, rows };
	return { ...raw, context: { ...context, baselines } };
}
