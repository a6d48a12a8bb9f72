import { afterJump, type Curve } from './level-filter.ts';

export interface PartitionRule {
	readonly penalty: number;
	/** Fewest points of a segment. */
	readonly shortest: number;
}

/** Longer histories are cut into overlapping stretches. The results in the first part of a stretch are final. */
const STRETCH = 1200;
const SETTLED = 900;

/**
 * Returns the segment starts that minimise Σ cost(segment) + penalty × changes. They are exact up to 1200 points.
 * Source: optimal partitioning, Jackson et al. 2005, with the pruning of Killick, Fearnhead and Eckley 2012.
 */
export function partition(curve: Curve, rule: PartitionRule): number[] {
	const count = curve.y.length;
	const starts = count === 0 ? [] : [0];
	for (let from = 0; from < count; ) {
		const until = Math.min(from + STRETCH, count);
		const changes = partitionStretch(curve, from, until, rule).filter((start) => start > from);
		const settled = until === count ? changes : changes.filter((start) => start <= from + SETTLED);
		starts.push(...settled);
		if (until === count) break;
		from = settled.at(-1) ?? from + SETTLED / 2;
	}
	return starts;
}

function partitionStretch({ y, weight, jump }: Curve, from: number, until: number, rule: PartitionRule): number[] {
	const { penalty, shortest } = rule;
	const count = until - from;
	const best = new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY);
	const previous = new Int32Array(count + 1);
	best[0] = -penalty;
	for (let start = 0; start + shortest <= count; start++) {
		const before = best[start] as number;
		if (before === Number.POSITIVE_INFINITY) continue;
		let [mean, precision, cost] = [0, 0, 0];
		let stop = count;
		for (let end = start + 1; end <= stop; end++) {
			const at = from + end - 1;
			if (end > start + 1) precision = afterJump(precision, jump[at] as number);
			const pointWeight = weight[at] as number;
			const total = precision + pointWeight;
			const miss = (y[at] as number) - mean;
			cost += (miss * miss * precision * pointWeight) / total;
			mean += (miss * pointWeight) / total;
			precision = total;
			if (end - start < shortest) continue;
			if (before + cost + penalty < (best[end] as number)) {
				best[end] = before + cost + penalty;
				previous[end] = start;
			}
			// From here on, a segment that starts at `end` is never worse than one that starts at `start`.
			else if (stop === count && before + cost >= (best[end] as number)) stop = Math.min(count, end + shortest - 1);
		}
	}
	if (best[count] === Number.POSITIVE_INFINITY) return [from];
	const starts: number[] = [];
	for (let end = count; end > 0; end = previous[end] as number) starts.push(from + (previous[end] as number));
	return starts.reverse();
}
