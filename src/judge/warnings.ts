import { formatCount, formatPercent, formatSignedPercent } from '../text/numbers.ts';
import { METRICS, type MetricName } from '../types/metric.ts';
import { MOST_UNEXPECTED } from '../types/round.ts';
import type { Fraction, Seconds, Sides, Warning } from '../types/units.ts';
import type { Estimate } from '../types/verdict.ts';

type Estimated = Pick<Estimate, 'change' | 'rounds'>;

/** Why a duet may flatter a side: CPU time of unknown processes, contradicting solo windows, or more than one CPU. */
export type Unseen = 'hidden' | 'contradicted' | 'left';

interface Duet {
	readonly throughput: Estimated | undefined;
	readonly cpu: Estimated | undefined;
	/** CPUs beside the servers, if a shared database may hide a drop. */
	readonly beside?: Fraction | null;
	readonly unseen?: Unseen | null;
}

const WORDS = {
	// Cells whose numbers are meaningless.
	'no-answers': ({ side, round }: { side: string; round: number }) =>
		`The ${side} server answered no request in round ${round}.`,
	'unexpected-answers': ({ side, share }: { side: string; share: Fraction }) =>
		`${formatPercent(share, 2)} of the ${side} server's answers were wrong or failed. Above ${formatPercent(MOST_UNEXPECTED, 1)} its numbers mean nothing.`,
	'lost-requests': ({ base, head }: Sides<Fraction>) =>
		`Head's server closed connections before it answered: ${formatPercent(head, 2)} of its requests were lost and had to be sent again; ${formatPercent(base, 2)} of base's.`,
	'rate-not-held': ({ side, due, held }: { side: string; due: number; held: Fraction }) =>
		`The ${side} server answered ${formatCount(due * held)} of the ${formatCount(due)} requests/s it was sent, so its requests wait longer and longer and nothing can be compared. Lower load.rate; raise load.connections if it answers slowly by design.`,
	'rate-not-sent': ({ due, utilisation }: { due: number; utilisation: Fraction }) =>
		`The load generator (${formatPercent(utilisation, 0)} busy) could not send ${formatCount(due)} requests/s to both sides. Lower load.rate.`,
	'rate-nearly-held': ({ due, base, head }: { due: number; base: Fraction; head: Fraction }) =>
		`Of ${formatCount(due)} requests/s base answered ${formatPercent(base, 1)} and head ${formatPercent(head, 1)}. The rate is at the limit of both, so chance decides which of them holds it. Lower load.rate.`,

	// The judging metric of a row.
	'fixed-rate': (_: object) =>
		'Every server that holds a fixed rate answers equally often. So CPU per request decided.',
	'generator-bound': ({ utilisation }: { utilisation: Fraction }) =>
		`The load generator was at its limit (${formatPercent(utilisation, 0)} busy), which hides differences in requests/s. So CPU per request decided.`,
	'servers-wait': ({ utilisation }: { utilisation: Fraction }) =>
		`The servers used only ${formatPercent(utilisation, 0)} of their CPU: they wait for timers, locks or I/O. Throughput decided, because waiting does not show in CPU per request.`,
	'unequal-cpu': ({ share }: { share: Fraction }) =>
		`Head got ${formatPercent(share, 1)} of the CPU time instead of half, which distorts throughput. CPU per request decided.`,
	'no-cpu-time': ({ generatorBound }: { generatorBound: boolean }) =>
		`CPU time could not be read in every round, so it is unknown whether both sides got the same share. Throughput decided${generatorBound ? ', although the load generator was at its limit' : ''}.`,
	'metric-unavailable': ({ label }: { label: string }) =>
		`This machine cannot measure ${label}, so the row cannot be decided.`,

	'not-counted': ({ label }: { label: string }) =>
		`The run ended before it counted ${label}, so the row does not pass. Run it again.`,
	'varying-counts': ({ label, base, head }: { label: string } & Sides<readonly [number, number]>) =>
		`The ${label} of equal requests vary: ${formatSpan(base)} a request in base, ${formatSpan(head)} in head. Only a difference beyond that counts.`,

	'latency-saturated': (_: object) =>
		'The servers had more work than they could do, so this latency mostly shows the length of the queue. To gate latency, set load.rate in the scenario.',

	// Rounds of a row.
	'late-requests': ({ base, head }: { base: Fraction; head: Fraction }) =>
		`Requests were sent later than they were due: ${formatPercent(base)} of base's, ${formatPercent(head)} of head's. Every connection was waiting for an answer, or the load generator for a CPU. That wait counts as latency.`,
	'few-responses': ({ fewest, wanted }: { fewest: number; wanted: number }) =>
		`A side answered only ${Math.round(fewest)} requests in a round; a precise result needs ${wanted}.`,
	'whole-answers': ({ error }: { error: Fraction }) =>
		`Only whole answers were counted, and they come in bursts: one burst more or less changes requests/s by up to ${formatPercent(error, 0)}. Measure again with this version of benchgate, which counts answers by the time they take.`,
	'resent-requests': ({ base, head }: Sides<Fraction>) =>
		`Requests were lost because the server closed their connection, and were sent again: ${formatPercent(base, 2)} of base's, ${formatPercent(head, 2)} of head's. Their latency counts from the first attempt.`,
	'still-warming': ({ drift }: { drift: Fraction }) =>
		`Head gained or lost ${formatPercent(drift, 1)} against base within a round, so one side was still warming up. Between warm servers the change may be different.`,
	'split-rounds': ({ metric, farOut, rounds }: { metric: MetricName; farOut: number; rounds: number }) => {
		const differ = METRICS[metric].unit === 'MB' ? 'use a different amount of memory' : 'run at a different speed';
		const which = farOut === 1 ? `1 of ${rounds} rounds is an outlier` : `${farOut} of ${rounds} rounds are outliers`;
		return `Some processes of this server ${differ} from start to end (${which}). The result relies on rank tests, which outliers hardly affect.`;
	},
	'too-few-rounds': tooFew,
	'budget-too-small': (facts: { rounds: number; needed: number; secondsPerRound: Seconds | null }) => {
		const { secondsPerRound: seconds, needed } = facts;
		if (seconds === null) return `No round was finished within the budget; a decision needs ${needed}.`;
		return `${tooFew(facts)} A round took ${seconds.toFixed(1)} s.`;
	},

	// The verdict of a row.
	'small-drop': ({ change }: Estimated) =>
		`Worse by ${formatPercent(Math.abs(change), 1)}, but clearly within the limit, so it passes.`,
	'possible-improvement': ({ change }: Estimated) =>
		`Head seems better by more than the threshold (${formatSignedPercent(change)}), but this is not certain.`,
	'confirmed-alternating': ({ duet, alternating }: { duet: Duet; alternating: Estimated }) =>
		`${doubtIn(duet)} So base and head were loaded in turn, which decided: ${formatSignedPercent(alternating.change)} over ${alternating.rounds} rounds.`,
	unconfirmed: ({ duet, rounds }: { duet: Duet; rounds: number }) =>
		rounds === 0
			? `${doubtIn(duet)} Loading base and head in turn would decide, but the budget was used up.`
			: `${doubtIn(duet)} Loading base and head in turn did not decide it in ${rounds === 1 ? '1 round' : `${rounds} rounds`}.`,
	'size-unconfirmed': ({ duet }: { duet: Duet }) =>
		`${doubtIn(duet)} So the slowdown may be larger. Loading base and head in turn would show by how much, but came to no result.`,

	'put-off': ({ base, head }: { base: Fraction; head: Fraction }) =>
		`Head used ${formatPercent(head, 0)} of a CPU while nothing was asked of it and base was loaded; base used ${formatPercent(base, 0)} while head was. Work that head puts off until then hides a slowdown, so the row does not pass.`,

	'unfinished-work': ({ base, head }: { base: Fraction; head: Fraction }) =>
		`Two seconds after the load head still used ${formatPercent(head, 0)} of a CPU, base ${formatPercent(base, 0)}. The amount of work that head puts off is unknown, so the row does not pass.`,
	'work-after-load': ({ base, head }: { base: Fraction; head: Fraction }) =>
		`Work that a side puts off until the load is over counts as a part of its answers: base spent ${formatPercent(base)} more CPU time on it, head ${formatPercent(head)}.`,
	'hidden-cpu': ({ share }: { share: Fraction }) =>
		`${formatPercent(share, 0)} of the servers' CPU time belonged to no known process: short-lived processes of head may have used it, so CPU per request alone is not enough to pass.`,
	'left-cpu': ({ cpus }: { cpus: number }) =>
		`A side used ${cpus.toFixed(1)} CPUs, although both are held on one. So it also ran elsewhere, and the row does not pass.`,

	'crowded-cpu': ({
		owner,
		share,
		shared = false,
	}: {
		owner: 'servers' | 'load generator';
		share: Fraction;
		/** The other programs include one that the servers share. */
		shared?: boolean;
	}) =>
		`Other programs${shared ? ', such as the database of the servers,' : ''} were busy on this machine: they used ${formatPercent(share, 0)} of the CPU of the ${owner}. So it is unknown whether a side waits, and CPU per request alone is not enough to pass.`,
	'crowded-latency': ({ base, head }: { base: Fraction; head: Fraction }) =>
		`Other programs may have been busy on this machine while ${formatPercent(base)} of base's requests and ${formatPercent(head)} of head's were sent late. What delays both sides alike hides how much longer one of them takes, so the row does not pass.`,
	'hidden-drop': ({ change }: Estimated) =>
		`CPU per request shows no slowdown, but requests/s (${formatSignedPercent(change)}) may have dropped beyond the limit, so the row does not pass.`,

	// Rows and runs in shards.
	'shard-missing': ({ shard, of, state }: { shard: number; of: number; state: 'missing' | 'cut-off' }) =>
		`${state === 'missing' ? `Shard ${shard} of ${of} left no measurement` : `Shard ${shard} of ${of} was cut off before its end`}, so this is not decided.`,
	'shard-attempt': ({ shard, counts, others }: { shard: number; counts: number; others: readonly string[] }) =>
		`Shard ${shard} was measured more than once. Attempt ${counts} counts, because it is the first that finished. Left out: ${others.join(', ')}.`,
	'shard-refused': ({ file, why }: { file: string; why: string }) => `The file ${file} does not count: ${why}.`,
	'shard-failed': ({ shard, why }: { shard: number; why: string }) => `Shard ${shard} could not measure: ${why}.`,
	'machines-differ': ({ models }: { models: readonly string[] }) =>
		`The shards ran on different machines (${models.join('; ')}). Changes are valid, because base and head shared a machine. Do not compare figures of different servers.`,

	// The run.
	'machine-event': ({ rounds, slow }: { rounds: readonly number[]; slow: Fraction }) => {
		const which = rounds.length === 1 ? `Round ${rounds[0]} was` : `Rounds ${rounds.join(', ')} were`;
		return `${which} not counted: in most scenarios base and head both ran at less than ${formatPercent(slow, 1)} of their usual rate, so the machine was slow.`;
	},
	'correlated-rounds': ({ lag1, factor }: { lag1: number; factor: number }) =>
		`Neighbouring rounds are not independent (lag-1 autocorrelation ${lag1.toFixed(2)}), so intervals were widened by ${formatPercent(factor - 1, 0)}.`,
	'busy-machine': ({ limit, windows }: { limit: Fraction; windows: Fraction }) =>
		`Other programs used more than ${formatPercent(limit, 1)} of a CPU in ${formatPercent(windows, 0)} of the measurements, which makes results noisier.`,
	'busy-database': ({ limit, windows }: { limit: Fraction; windows: Fraction }) =>
		`The database that the servers share, or other programs, used more than ${formatPercent(limit, 1)} of a CPU in ${formatPercent(windows, 0)} of the measurements, which makes results noisier.`,
	'not-pinned': () =>
		'Base and head could not be pinned to one CPU with the load generator on another, so they may not have seen the same noise.',
} as const satisfies Readonly<Record<string, (facts: never) => string>>;

function formatSpan([least, most]: readonly [number, number]): string {
	const [low, high] = [least, most].map((amount) => `${Number(amount.toFixed(2))}`);
	return low === high ? `${low}` : `${low} to ${high}`;
}

export type WarningCode = keyof typeof WORDS;

export const WARNING_CODES = Object.keys(WORDS) as readonly WarningCode[];

export function warn<Code extends WarningCode>(code: Code, facts: Parameters<(typeof WORDS)[Code]>[0]): Warning {
	const words = WORDS[code] as (facts: Parameters<(typeof WORDS)[Code]>[0]) => string;
	return { code, message: words(facts) };
}

function tooFew({ rounds, needed }: { rounds: number; needed: number }): string {
	const measured = rounds === 0 ? 'No round was' : rounds === 1 ? 'Only 1 round was' : `Only ${rounds} rounds were`;
	return `${measured} measured; a decision needs ${needed}.`;
}

/** Whether a row's interval means nothing. */
export function hasTooFewRounds(warnings: readonly Warning[]): boolean {
	return warnings.some(({ code }) => code === 'too-few-rounds' || code === 'budget-too-small');
}

const UNSEEN: Readonly<Record<Unseen, string>> = {
	hidden: 'so much CPU time belonged to no known process that it may hide a slowdown',
	contradicted: 'loaded alone for a moment head was far slower than that',
	left: 'both sides used more CPU time than their one CPU has',
};

function doubtIn({ throughput, cpu, beside, unseen }: Duet): string {
	const [one, other] = [throughput, cpu].map((estimate) =>
		estimate ? formatSignedPercent(estimate.change) : 'unknown',
	);
	if (unseen) return `Measured side by side, throughput changed by ${one}, but ${UNSEEN[unseen]}.`;
	if (beside)
		return `Measured side by side, throughput changed by ${one}. But other programs, such as the database of the servers, used ${formatPercent(beside, 0)} of a CPU. Loaded alone, a side asks a database up to twice as often, which may be more than it can do.`;
	return `Measured side by side, throughput (${one}) and CPU per request (${other}) disagree.`;
}
