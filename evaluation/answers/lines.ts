/** Question 2: lines of one design's d on another's. */
import { studentQuantile } from '../../src/stats/distributions.ts';
import type { Design } from '../../src/types/config.ts';
import type { Mean, Validity, ValidityPair } from '../results.ts';
import { type Line, type Point, yorkLine } from './york.ts';

type Metric = 'throughput' | 'cpu';
type FittedLine = Validity['lines'][number];

interface Axis {
	readonly design: Design;
	readonly metric: Metric;
}

const DUET: Axis = { design: 'duet', metric: 'throughput' };
const PAIRS: readonly { readonly of: Axis; readonly on: Axis }[] = [
	{ of: DUET, on: { design: 'sequential', metric: 'throughput' } },
	{ of: DUET, on: { design: 'alternating', metric: 'throughput' } },
	{ of: DUET, on: { design: 'sequential', metric: 'cpu' } },
	{ of: DUET, on: { design: 'alternating', metric: 'cpu' } },
	{ of: { design: 'duet', metric: 'cpu' }, on: { design: 'sequential', metric: 'cpu' } },
	{ of: { design: 'duet', metric: 'cpu' }, on: { design: 'alternating', metric: 'cpu' } },
];

const WAITING: readonly string[] = ['wait', 'lock'];

/** Pairs that a line is fitted to. */
const AMONG: Readonly<Record<string, (pair: ValidityPair) => boolean>> = {
	real: ({ effect }) => isReal(effect),
	'CPU work': ({ effect }) => !isReal(effect) && !WAITING.includes(effect),
	waiting: ({ effect }) => WAITING.includes(effect),
	all: () => true,
};

const METRIC_LABELS: Readonly<Record<Metric, string>> = { throughput: 'throughput', cpu: 'CPU per request' };
const TAIL = 0.025;

/**
 * Returns the lines of York's regression, which weighs every pair by the standard errors of both of its means, from the
 * SD pooled over all pairs: d of the duet in throughput and in CPU per request on that of the designs that load one
 * side at a time. `of` and `on` name design and metric, `among` the pairs: `real`, injected `CPU work`, injected
 * `waiting`, or `all`. Intervals are 95 % by Student's t with n − 2 degrees of freedom; where the pairs lie farther
 * from the line than their errors predict, these are multiplied by √(χ² / (n − 2)). Lines of fewer than three pairs are
 * left out.
 */
export function linesOf(pairs: readonly ValidityPair[]): readonly FittedLine[] {
	return PAIRS.flatMap(({ of, on }) =>
		Object.entries(AMONG).flatMap(([among, belongs]) => {
			const [xSd, ySd] = [pooledSd(pairs, on), pooledSd(pairs, of)];
			const points = pairs
				.filter(belongs)
				.flatMap((pair) => pointOf(pair[on.metric][on.design], pair[of.metric][of.design], xSd, ySd) ?? []);
			const line = yorkLine(points);
			return line ? [{ of: nameOf(of), on: nameOf(on), among, ...intervalsOf(line) }] : [];
		}),
	);
}

function isReal(effect: string): boolean {
	return effect === 'revisions' || effect === 'servers';
}

function nameOf({ design, metric }: Axis): string {
	return `${design} ${METRIC_LABELS[metric]}`;
}

function pointOf(x: Mean | null, y: Mean | null, xSd: number, ySd: number): Point | null {
	if (!x || !y || !(xSd > 0) || !(ySd > 0)) return null;
	return { x: x.value, y: y.value, xError: xSd / Math.sqrt(x.of), yError: ySd / Math.sqrt(y.of) };
}

/**
 * The SD of one value within pairs, over all pairs that have an interval, weighed by degrees of freedom: a pair's own
 * SD is so uncertain with a handful of rounds that a small one would draw the line to it. NaN without any.
 */
function pooledSd(pairs: readonly ValidityPair[], { design, metric }: Axis): number {
	let squares = 0;
	let freedom = 0;
	for (const pair of pairs) {
		const mean = pair[metric][design];
		if (!mean || mean.low === null || mean.high === null) continue;
		const error = (mean.high - mean.low) / 2 / -studentQuantile(TAIL, mean.of - 1);
		squares += (mean.of - 1) * mean.of * error ** 2;
		freedom += mean.of - 1;
	}
	return Math.sqrt(squares / freedom);
}

function intervalsOf(line: Line): { slope: Mean; intercept: Mean } {
	const widen = -studentQuantile(TAIL, line.points - 2) * Math.sqrt(Math.max(1, line.misfit));
	const around = (value: number, error: number): Mean => ({
		value,
		low: value - widen * error,
		high: value + widen * error,
		of: line.points,
	});
	return { slope: around(line.slope, line.slopeError), intercept: around(line.intercept, line.interceptError) };
}
