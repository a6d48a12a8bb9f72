/** Question 2: lines of one design's d on another's. */
import { studentQuantile } from '../../src/stats/student-t.ts';
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

/** What the lines are fitted to. */
const AMONG: Readonly<Record<string, (pair: ValidityPair) => boolean>> = {
	real: ({ effect }) => isReal(effect),
	injected: ({ effect }) => !isReal(effect),
	all: () => true,
};

const METRIC_LABELS: Readonly<Record<Metric, string>> = { throughput: 'throughput', cpu: 'CPU per request' };
const TAIL = 0.025;

/**
 * Returns the lines of York's regression, which weighs every pair by the standard errors of both of its means: d of the duet in
 * throughput and in CPU per request on that of the designs that load one side at a time. `of` and `on` name design and metric,
 * `among` the pairs: `real`, `injected` or `all`. Intervals are 95 % by Student's t with n − 2 degrees of freedom; where the pairs lie
 * farther from the line than their errors say, these are multiplied by √(χ² / (n − 2)). Lines of fewer than three pairs are left out.
 */
export function linesOf(pairs: readonly ValidityPair[]): readonly FittedLine[] {
	return PAIRS.flatMap(({ of, on }) =>
		Object.entries(AMONG).flatMap(([among, belongs]) => {
			const points = pairs
				.filter(belongs)
				.flatMap((pair) => pointOf(pair[on.metric][on.design], pair[of.metric][of.design]) ?? []);
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

function pointOf(x: Mean | null, y: Mean | null): Point | null {
	const [xError, yError] = [x, y].map(standardErrorOf);
	return x && y && xError && yError ? { x: x.value, y: y.value, xError, yError } : null;
}

/** The inverse of how the interval was made; null where there is none. */
function standardErrorOf(mean: Mean | null): number | null {
	if (!mean || mean.low === null || mean.high === null) return null;
	return (mean.high - mean.low) / 2 / -studentQuantile(TAIL, mean.of - 1);
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
