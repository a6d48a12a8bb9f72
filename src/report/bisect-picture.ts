/** Picture of a bisect: one bar per commit. */
import { NAME_LIMIT, plainText } from '../text/escape.ts';
import { countOf, formatChange, formatDuration, formatPercent } from '../text/numbers.ts';
import type { BisectCommit } from '../trend/bisect/bisect-result.ts';
import { type BisectState, type Posterior, pooledProbes } from '../trend/bisect/bisect-state.ts';
import type { BisectStep } from '../trend/bisect/next-step.ts';
import type { Seconds } from '../types/units.ts';

const BARS = ['·', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const BROKEN = '×';
const LEGEND = 'Oldest first. Higher: more probably the first bad commit. ×: not measurable.';
/** Commits per line. */
const WIDTH = 64;
const NAMED = 5;
const HASH = 7;

/**
 * Returns the live picture: each bar is the probability that its commit is the first bad one, `×` a commit that cannot
 * be measured. A legend and the most probable commits follow.
 */
export function drawBisect(
	commits: readonly BisectCommit[],
	state: BisectState,
	posterior: Posterior,
	step: BisectStep | null,
	secondsLeft: Seconds | null,
): string {
	const rounds = state.probes.reduce((sum, { d }) => sum + d.length, 0);
	const time = secondsLeft === null ? '' : `, at most ${formatDuration(Math.max(0, secondsLeft))} left`;
	const head = `${state.count} commits; ${countOf(rounds, 'round')} on ${pooledProbes(state).size} of them${time}`;
	const size = rounds === 0 ? [] : [describeSize(posterior)];
	const next = step === null ? [] : describeStep(commits, step);
	const bars = drawBars(state, posterior);
	return [head, ...size, ...bars, `  ${LEGEND}`, ...nameProbable(commits, state, posterior), ...next].join('\n');
}

/** Sorts the named commits in branch order. */
function nameProbable(commits: readonly BisectCommit[], state: BisectState, { first }: Posterior): readonly string[] {
	const pooled = pooledProbes(state);
	const order = first.map((probability, index) => ({ commit: index + 1, probability }));
	const best = order.toSorted((a, b) => b.probability - a.probability || a.commit - b.commit).slice(0, NAMED);
	return best
		.filter(({ probability }) => probability >= 0.005)
		.sort((a, b) => a.commit - b.commit)
		.map(({ commit, probability }) => {
			const { sha, title } = commits[commit] as BisectCommit;
			const chance = formatPercent(probability, 0).padStart(5);
			const measured = describeRounds(pooled.get(commit)).padEnd(22);
			return `  ${sha.slice(0, HASH)} ${chance}  ${measured}  ${plainText(title, NAME_LIMIT)}`.trimEnd();
		});
}

function drawBars({ count, broken }: BisectState, { first }: Posterior): string[] {
	const most = Math.max(...first, 1e-9);
	const bars = Array.from({ length: count }, (_, index) => {
		if (broken.includes(index + 1)) return BROKEN;
		return BARS[Math.ceil(((first[index] as number) / most) * 8 - 0.05)] ?? BARS[0];
	}).join('');
	return Array.from(
		{ length: Math.ceil(count / WIDTH) },
		(_, line) => `  ${bars.slice(line * WIDTH, (line + 1) * WIDTH)}`,
	);
}

function describeSize({ theta, thetaSd, roundSd }: Posterior): string {
	const ends = [theta - 2 * thetaSd, theta + 2 * thetaSd].map((end) => formatChange(Math.expm1(end)));
	return `size of the change: ${formatChange(Math.expm1(theta))} (${ends.join(' to ')}); noise of a round: ${formatPercent(roundSd)}`;
}

function describeRounds(d: readonly number[] | undefined): string {
	if (d === undefined) return '';
	const mean = d.reduce((sum, value) => sum + value, 0) / d.length;
	return `${formatChange(Math.expm1(mean))} in ${countOf(d.length, 'round')}`;
}

function describeStep(commits: readonly BisectCommit[], step: BisectStep): string[] {
	const name = (commit: number) => (commits[commit]?.sha ?? '').slice(0, HASH);
	if (step.kind === 'probe') return [`next: ${name(step.commit)} against good`];
	if (step.kind === 'prove') return [`next: proof, ${name(step.span.before)} against ${name(step.span.after)}`];
	return [];
}
