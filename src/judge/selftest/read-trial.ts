import type { Trial } from '../../plan/plan-trials.ts';
import { changeOf } from '../../stats/estimate.ts';
import type { MetricName } from '../../types/metric.ts';
import type { Cell, Plan } from '../../types/plan.ts';
import type { EndReason, Round } from '../../types/round.ts';
import type { SelftestTrial } from '../../types/selftest.ts';
import type { Fraction, Seconds } from '../../types/units.ts';
import type { Interval, RowDecision } from '../../types/verdict.ts';
import { decide } from '../decide.ts';

export interface Measured {
	readonly rounds: readonly Round[];
	readonly ended: EndReason;
	/** CPU time that the preload was asked to use, as a fraction of a request's own. */
	readonly amount: Fraction;
	readonly seconds: Seconds;
}

/** Returns the result of a trial, decided as by `compare`. `plan` has one row. */
export function readTrial(trial: Trial, plan: Plan, measured: Measured): SelftestTrial {
	const { rounds, ended, amount, seconds } = measured;
	const [row] = decide(plan, rounds, ended).rows as readonly [RowDecision];
	const [cell] = plan.cells as readonly [Cell];
	const { estimate } = row;
	return {
		trial: trial.number,
		drop: trial.drop,
		amount,
		server: cell.server,
		scenario: cell.scenario,
		seed: trial.seed,
		verdict: row.verdict,
		judgedBy: row.judgedBy,
		change: estimate?.change ?? null,
		interval: estimate?.interval ?? null,
		covered: estimate && covers(estimate.interval, injectedChange(row.judgedBy, trial.drop)),
		d: row.estimates.throughput?.d ?? [],
		dCpu: row.estimates['cpu-per-request']?.d ?? [],
		rounds: rounds.length,
		seconds,
		ended,
		warnings: row.warnings,
	};
}

/** Returns the change of a metric that equals a drop in throughput caused by CPU time alone. */
export function injectedChange(metric: MetricName, drop: Fraction): Fraction {
	return changeOf(metric, Math.log1p(-drop));
}

function covers({ low, high }: Interval, truth: Fraction): boolean {
	return (low === null || low <= truth) && (high === null || truth <= high);
}
