/** The words of a selftest's progress. */

import type { Trial } from '../../plan/plan-trials.ts';
import { formatDuration, formatPercent, formatSignedPercent } from '../../text/numbers.ts';
import { METRICS, type MetricName } from '../../types/metric.ts';
import type { SelftestTrial } from '../../types/selftest.ts';
import type { Fraction, Seconds } from '../../types/units.ts';
import type { Decision } from '../../types/verdict.ts';

/** Returns the status line while a trial runs: which, what is known so far, how long it may all take. */
export function describeRunning(trial: Trial, rounds: number, decision: Decision, left: Seconds): string {
	const [row] = decision.rows;
	const known =
		row?.estimate && row.estimate.rounds > 1 ? `, ${describeChange(row.judgedBy, row.estimate.change)} so far` : '';
	return `Trial ${trial.number}: ${trial.cell}, ${describeDrop(trial.drop)}, round ${rounds + 1}${known}; at most ${formatDuration(Math.max(0, left))} left`;
}

/** Returns one line about a trial that is over. */
export function describeDone(trial: SelftestTrial): string {
	const what = `Trial ${trial.trial}: ${trial.server}/${trial.scenario}, ${describeDrop(trial.drop)}`;
	const change = trial.change === null ? '' : `, ${describeChange(trial.judgedBy, trial.change)}`;
	const cut = trial.ended === 'budget' || trial.ended === 'interrupted' ? ', cut short' : '';
	return `${what}: ${trial.verdict}${change} after ${trial.rounds} rounds, ${formatDuration(trial.seconds)}${cut}`;
}

/** Of other metrics than throughput more may be worse, so they are named. */
function describeChange(metric: MetricName, change: Fraction): string {
	return `${metric === 'throughput' ? '' : `${METRICS[metric].label} `}${formatSignedPercent(change)}`;
}

function describeDrop(drop: Fraction): string {
	return drop === 0 ? 'against itself' : `with head slowed by ${formatPercent(drop, 1)}`;
}
