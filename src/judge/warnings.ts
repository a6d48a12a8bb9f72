import { percent, signedPercent } from '../text/wording.ts';
import { METRICS, type MetricName } from '../types/metric.ts';
import { MOST_UNEXPECTED } from '../types/round.ts';
import type { Fraction, Seconds, Warning } from '../types/units.ts';
import type { Estimate } from '../types/verdict.ts';

/** A change that was estimated from rounds. */
type Estimated = Pick<Estimate, 'change' | 'rounds'>;

/** What a duet said before alternating windows were asked. */
interface Duet {
	readonly throughput: Estimated | undefined;
	readonly cpu: Estimated | undefined;
}

/** Every warning that a decision can carry: its code, and its words, made from the facts it needs. */
const WORDS = {
	// Of a cell whose numbers mean nothing.
	'no-answers': ({ side, round }: { side: string; round: number }) =>
		`The ${side} side answered no request in round ${round}.`,
	'unexpected-answers': ({ share }: { share: Fraction }) =>
		`${percent(share, 2)} of the answers of one side were wrong or failed; more than ${percent(MOST_UNEXPECTED)} make the numbers meaningless.`,

	// Of a row, about the metric that judges.
	'generator-bound': ({ utilisation }: { utilisation: Fraction }) =>
		`The load generator was at its limit (${percent(utilisation, 0)} busy), which hides throughput differences, so CPU per request decided.`,
	'servers-wait': ({ utilisation }: { utilisation: Fraction }) =>
		`The servers used only ${percent(utilisation, 0)} of their CPU, so they wait more than they compute: throughput shows the waiting, CPU per request does not.`,
	'unequal-cpu': ({ share }: { share: Fraction }) =>
		`Head got ${percent(share)} of the CPU time instead of half, which shifts throughput, so CPU per request decided.`,
	'no-cpu-time': ({ generatorBound }: { generatorBound: boolean }) =>
		`CPU time could not be read in every round, so shares of the CPU were not checked and throughput decided${generatorBound ? ' although the load generator was at its limit' : ''}.`,
	'metric-unavailable': ({ label }: { label: string }) =>
		`The ${label} could not be measured here, so nothing can be decided by it.`,

	// Of a row, about its rounds.
	'few-responses': ({ fewest, wanted }: { fewest: number; wanted: number }) =>
		`A side answered only ${Math.round(fewest)} requests in a round (${wanted} are wanted), so one request more or less shows in the numbers.`,
	'still-warming': ({ drift }: { drift: Fraction }) =>
		`Head gained or lost ${percent(drift)} against base within a round: one side was still warming up, so the change between warm servers may differ.`,
	'split-rounds': ({ metric, farOut, rounds }: { metric: MetricName; farOut: number; rounds: number }) => {
		const states = METRICS[metric].unit === 'MB' ? 'sizes' : 'speeds';
		const which = farOut === 1 ? `1 of ${rounds} rounds lies` : `${farOut} of ${rounds} rounds lie`;
		return `Processes of this server settle into different ${states} (${which} far out), so ranks decide.`;
	},
	/** `budget` is null when something else than the budget ended the run. */
	'budget-too-small': (facts: {
		rounds: number;
		needed: number;
		budget: { secondsPerRound: Seconds | null } | null;
	}) => {
		const { rounds, needed, budget } = facts;
		const start = `${rounds === 1 ? '1 round is' : `${rounds} rounds are`} too few to decide (${needed} are needed)`;
		if (!budget) return `${start}.`;
		const { secondsPerRound } = budget;
		if (secondsPerRound === null) return `${start}: the budget ended before the first round did.`;
		const smallest = Math.ceil(secondsPerRound * needed);
		return `${start}: a round took ${secondsPerRound.toFixed(1)} s, so the smallest budget that can decide is ${smallest} s.`;
	},

	// Of a row, about its verdict.
	'small-drop': ({ change }: Estimated) =>
		`A drop beyond the tolerance is clear (${signedPercent(change)}), but one of the threshold or more is excluded.`,
	'possible-improvement': ({ change }: Estimated) =>
		`The estimate ${signedPercent(change)} is beyond the threshold upwards, but not clearly enough to be called improved.`,
	'confirmed-alternating': ({ duet, alternating }: { duet: Duet; alternating: Estimated }) =>
		`${disagreement(duet)} Alternating windows decided: ${signedPercent(alternating.change)} over ${alternating.rounds} rounds.`,
	unconfirmed: ({ duet, rounds }: { duet: Duet; rounds: number }) =>
		rounds === 0
			? `${disagreement(duet)} There was no time left for alternating windows, which would decide.`
			: `${disagreement(duet)} Alternating windows could not decide in ${rounds === 1 ? '1 round' : `${rounds} rounds`}.`,

	// Of the run.
	'machine-event': ({ rounds, slow }: { rounds: readonly number[]; slow: Fraction }) => {
		const which = rounds.length === 1 ? `Round ${rounds[0]} was` : `Rounds ${rounds.join(', ')} were`;
		return `${which} not counted: both sides of most cells ran at less than ${percent(slow)} of their usual rate, so the machine was slow, not a side.`;
	},
	'correlated-rounds': ({ lag1, factor }: { lag1: number; factor: number }) =>
		`Neighbouring rounds resemble each other (lag-1 autocorrelation ${lag1.toFixed(2)}), so intervals were widened by ${percent(factor - 1, 0)}.`,
	'busy-machine': ({ limit, windows }: { limit: Fraction; windows: Fraction }) =>
		`Other processes used more than ${percent(limit)} of a CPU in ${percent(windows, 0)} of the windows, so the spread is larger than it need be.`,
	'not-pinned': () =>
		'The sides could not be pinned to one CPU with the generator on another, so they may not have shared the same noise.',
} as const satisfies Readonly<Record<string, (facts: never) => string>>;

export type WarningCode = keyof typeof WORDS;

export const WARNING_CODES = Object.keys(WORDS) as readonly WarningCode[];

/** Returns the warning `code` in the words made from its facts. */
export function warn<Code extends WarningCode>(code: Code, facts: Parameters<(typeof WORDS)[Code]>[0]): Warning {
	const words = WORDS[code] as (facts: Parameters<(typeof WORDS)[Code]>[0]) => string;
	return { code, message: words(facts) };
}

/** How throughput and CPU per request disagree in the duet. */
function disagreement({ throughput, cpu }: Duet): string {
	const [one, other] = [throughput, cpu].map((estimate) => (estimate ? signedPercent(estimate.change) : 'unknown'));
	return `Side by side, throughput (${one}) and CPU per request (${other}) disagree.`;
}
