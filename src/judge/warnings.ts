import { percent, signedPercent } from '../text/wording.ts';
import { METRICS, type MetricName } from '../types/metric.ts';
import type { EndReason } from '../types/round.ts';
import type { Seconds, Warning } from '../types/units.ts';
import type { Estimate } from '../types/verdict.ts';

/** Returns the warning of a row that ended with too few rounds; names the smallest budget that could decide, when known. */
export function tooFewRounds(
	rounds: number,
	needed: number,
	ended: EndReason,
	secondsPerRound: Seconds | null,
): Warning {
	const start = `${rounds === 1 ? '1 round is' : `${rounds} rounds are`} too few to decide (${needed} are needed)`;
	if (ended !== 'budget') return { code: 'budget-too-small', message: `${start}.` };
	if (secondsPerRound === null) {
		return { code: 'budget-too-small', message: `${start}: the budget ended before the first round did.` };
	}
	const budget = Math.ceil(secondsPerRound * needed);
	return {
		code: 'budget-too-small',
		message: `${start}: a round took ${secondsPerRound.toFixed(1)} s, so the smallest budget that can decide is ${budget} s.`,
	};
}

/** Returns the warning of a rise that looks large but was not proven. */
export function possibleImprovement(estimate: Estimate): Warning {
	return {
		code: 'possible-improvement',
		message: `The estimate ${signedPercent(estimate.change)} is beyond the threshold upwards, but not clearly enough to be called improved.`,
	};
}

/** Returns the warning of a drop that is real but below the threshold. */
export function smallDrop(estimate: Estimate): Warning {
	return {
		code: 'small-drop',
		message: `A drop beyond the tolerance is clear (${signedPercent(estimate.change)}), but one of the threshold or more is excluded.`,
	};
}

/** Returns the warning of rounds of which some lie far from the others, because processes differ for their whole life. */
export function splitRounds(metric: MetricName, farOut: number, rounds: number): Warning {
	const states = METRICS[metric].unit === 'MB' ? 'sizes' : 'speeds';
	const which = farOut === 1 ? `1 of ${rounds} rounds lies` : `${farOut} of ${rounds} rounds lie`;
	return {
		code: 'split-rounds',
		message: `Processes of this server settle into different ${states} (${which} far out), so ranks decide.`,
	};
}

/** Returns the warning of a row that alternating windows decided. */
export function confirmedAlternating(duet: string, alternating: Estimate): Warning {
	return {
		code: 'confirmed-alternating',
		message: `${duet} Alternating windows decided: ${signedPercent(alternating.change)} over ${alternating.rounds} rounds.`,
	};
}

/** Returns the warning of a row that alternating windows could not decide. */
export function unconfirmed(duet: string, rounds: number): Warning {
	return {
		code: 'unconfirmed',
		message:
			rounds === 0
				? `${duet} There was no time left for alternating windows, which would decide.`
				: `${duet} Alternating windows could not decide in ${rounds === 1 ? '1 round' : `${rounds} rounds`}.`,
	};
}

/** Returns one sentence on how throughput and CPU per request disagree in the duet; the start of a confirmation's warning. */
export function disagreement(throughput: Estimate | undefined, cpu: Estimate | undefined): string {
	const changes = [throughput, cpu].map((estimate) => (estimate ? signedPercent(estimate.change) : 'unknown'));
	return `Side by side, throughput (${changes[0]}) and CPU per request (${changes[1]}) disagree.`;
}

/** Returns the warning of a cell that answered nothing in a round. */
export function noAnswers(side: string, round: number): Warning {
	return { code: 'no-answers', message: `The ${side} side answered no request in round ${round}.` };
}

/** Returns the warning of a cell with too many wrong or failed answers. */
export function unexpectedAnswers(share: number): Warning {
	return {
		code: 'unexpected-answers',
		message: `${percent(share, 2)} of the answers of one side were wrong or failed; more than 0.1 % make the numbers meaningless.`,
	};
}

/** Returns the warning of a metric this platform cannot measure. */
export function metricUnavailable(label: string): Warning {
	return {
		code: 'metric-unavailable',
		message: `The ${label} could not be measured here, so nothing can be decided by it.`,
	};
}

/** Returns the warning of rounds thrown away for all cells. */
export function machineEvent(rounds: readonly number[]): Warning {
	const which = rounds.length === 1 ? `Round ${rounds[0]} was` : `Rounds ${rounds.join(', ')} were`;
	return {
		code: 'machine-event',
		message: `${which} not counted: both sides of most cells ran at less than 70 % of their usual rate, so the machine was slow, not a side.`,
	};
}

/** Returns the warning of rounds that follow each other too closely. */
export function correlatedRounds(lag1: number, factor: number): Warning {
	return {
		code: 'correlated-rounds',
		message: `Neighbouring rounds resemble each other (lag-1 autocorrelation ${lag1.toFixed(2)}), so intervals were widened by ${percent(factor - 1, 0)}.`,
	};
}
