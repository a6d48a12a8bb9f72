/** Picture of a bisect: one bar per commit. */
import { NAME_LIMIT, plainText } from '../text/escape.ts';
import { countOf, formatChange, formatDuration, formatPercent } from '../text/numbers.ts';
import type { BisectCommit } from '../trend/bisect/bisect-result.ts';
import { type BisectState, type Posterior, pooledProbes } from '../trend/bisect/bisect-state.ts';
import type { BisectStep } from '../trend/bisect/next-step.ts';
import type { Fraction, Seconds } from '../types/units.ts';

const BARS = ['·', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const BROKEN = '×';
export const LEGEND = 'Oldest first. Higher: more probably the first bad commit. ×: not measurable.';
/** Commits per line: fits the narrowest terminal. */
const WIDTH = 38;
const NAMED = 5;
export const SHORT_HASH = 7;
const LEAST_PROBABLE = 0.005;

const [STEP, HEIGHT] = [10, 60];

/** Returns the live picture, with a legend and the most probable commits. */
export function drawBisect(
	commits: readonly BisectCommit[],
	state: BisectState,
	posterior: Posterior,
	step: BisectStep | null,
	secondsLeft: Seconds | null,
): string {
	const time = secondsLeft === null ? '' : `, at most ${formatDuration(Math.max(0, secondsLeft))} left`;
	const size = state.probes.length === 0 ? [] : [`size of the change: ${describeSize(posterior)}`];
	const next = step === null ? [] : describeStep(commits, step);
	const named = probableCommits(commits, state, posterior).map(({ commit: { sha, title }, probability, d }) => {
		const measured = d === null ? '' : `${meanChange(d)} in ${countOf(d.length, 'round')}`;
		const chance = formatPercent(probability, 0).padStart(5);
		return `  ${sha.slice(0, SHORT_HASH)} ${chance}  ${measured.padEnd(22)}  ${plainText(title, NAME_LIMIT)}`.trimEnd();
	});
	return [
		`${describeRounds(state)}${time}`,
		...size,
		drawBars(state, posterior),
		`  ${LEGEND}`,
		...named,
		...next,
	].join('\n');
}

/** Returns `12 commits; 24 rounds on 4 of them`. */
export function describeRounds(state: BisectState): string {
	const rounds = state.probes.reduce((sum, { d }) => sum + d.length, 0);
	return `${state.count} commits; ${countOf(rounds, 'round')} on ${pooledProbes(state).size} of them`;
}

export interface ProbableCommit {
	readonly commit: BisectCommit;
	readonly probability: Fraction;
	/** Log ratios of its rounds against good; null without any. */
	readonly d: readonly number[] | null;
}

/** Returns the most probable commits in branch order. */
export function probableCommits(
	commits: readonly BisectCommit[],
	state: BisectState,
	{ first }: Posterior,
): readonly ProbableCommit[] {
	const pooled = pooledProbes(state);
	const order = first.map((probability, index) => ({ at: index + 1, probability }));
	return order
		.toSorted((a, b) => b.probability - a.probability || a.at - b.at)
		.slice(0, NAMED)
		.filter(({ probability }) => probability >= LEAST_PROBABLE)
		.sort((a, b) => a.at - b.at)
		.map(({ at, probability }) => ({ commit: commits[at] as BisectCommit, probability, d: pooled.get(at) ?? null }));
}

/** Averages log ratios: `−4.1 %`. */
export function meanChange(d: readonly number[]): string {
	return formatChange(Math.expm1(d.reduce((sum, value) => sum + value, 0) / d.length));
}

export function drawBars({ count, broken }: BisectState, { first }: Posterior): string {
	const most = Math.max(...first, 1e-9);
	const bars = Array.from({ length: count }, (_, index) => {
		if (broken.includes(index + 1)) return BROKEN;
		return BARS[Math.ceil(((first[index] as number) / most) * 8 - 0.05)] ?? BARS[0];
	}).join('');
	const lines = Array.from({ length: Math.ceil(count / WIDTH) }, (_, line) =>
		bars.slice(line * WIDTH, (line + 1) * WIDTH),
	);
	return lines.map((line) => `  ${line}`).join('\n');
}

/** Returns inline SVG; a pointer names the commits. */
export function drawBarsSvg(
	commits: readonly BisectCommit[],
	{ count, broken }: BisectState,
	{ first }: Posterior,
): string {
	const most = Math.max(...first, 1e-9);
	const bars = Array.from({ length: count }, (_, index) => {
		const x = index * STEP;
		const sha = (commits[index + 1]?.sha ?? '').slice(0, SHORT_HASH);
		if (broken.includes(index + 1)) {
			return `<text x="${x + 1}" y="${HEIGHT}" font-size="${STEP}" fill="currentColor">${BROKEN}<title>${sha}: not measurable</title></text>`;
		}
		const probability = first[index] ?? 0;
		const height = Math.max(1, (HEIGHT * probability) / most);
		return `<rect x="${x}" y="${(HEIGHT - height).toFixed(1)}" width="${STEP - 2}" height="${height.toFixed(1)}" fill="currentColor"><title>${sha}: ${formatPercent(probability, 0)}</title></rect>`;
	});
	return `<svg width="${count * STEP}" viewBox="0 0 ${count * STEP} ${HEIGHT}" role="img" aria-label="Probability of each commit to be the first bad one" style="max-width: 100%; color: var(--head)">${bars.join('\n')}</svg><p class="hint">${LEGEND}</p>`;
}

/** The interval is ± two standard deviations. */
export function describeSize({ theta, thetaSd, roundSd }: Posterior): string {
	const ends = [theta - 2 * thetaSd, theta + 2 * thetaSd].map((end) => formatChange(Math.expm1(end)));
	return `${formatChange(Math.expm1(theta))} (${ends.join(' to ')}); noise of a round: ${formatPercent(roundSd)}`;
}

function describeStep(commits: readonly BisectCommit[], step: BisectStep): string[] {
	const name = (commit: number) => (commits[commit]?.sha ?? '').slice(0, SHORT_HASH);
	if (step.kind === 'probe') return [`next: ${name(step.commit)} against good`];
	if (step.kind === 'prove') return [`next: proof, ${name(step.span.before)} against ${name(step.span.after)}`];
	return [];
}
