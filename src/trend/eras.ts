/** Links eras with different anchors into one curve. */
import { formatPercent } from '../text/numbers.ts';
import { type BaselineCommit, type BaselineRecord, commitKey } from '../types/baseline.ts';
import type { Era, Link } from '../types/trend.ts';
import type { Warning } from '../types/units.ts';
import { type Figure, poolFigures, type RowMeasurements } from './measurements.ts';

/** Closure errors of more than this many standard errors are reported. */
const CLOSURE_SES = 3;

export interface Chain {
	/** Log ratio of each era's anchor against the first. */
	readonly offsets: readonly number[];
	readonly variances: readonly number[];
	/** Measured links only. */
	readonly links: readonly Link[];
	/** Eras without a measured link. Their offset makes the levels at the boundary equal. */
	readonly assumed: readonly number[];
	/**
	 * Variance of the difference of two eras' offsets: that of the links that only one of them uses. Infinite across an
	 * assumed link.
	 */
	readonly between: (one: number, other: number) => number;
}

interface Step {
	readonly to: number;
	readonly lambda: Figure;
	readonly assumed: boolean;
	readonly closure: Link['closure'];
}

/** Points on each side that an assumed link uses. */
const NEAR = 5;

/**
 * Returns the chain of a row's eras: Θ(anchor) = Σ λ along the links with the least variance. Source:
 * docs/statistics.md, "Levels across releases".
 */
export function linkEras(row: RowMeasurements, eras: readonly Era[]): Chain {
	const table = tableOf(row);
	const steps: (Step | null)[] = [];
	const offsets: number[] = [];
	const variances: number[] = [];
	for (const { index } of eras) {
		const step = index === 0 ? null : (bestStep(table, eras, index, variances) ?? assumeStep(table, eras, index));
		steps.push(step);
		offsets.push(step === null ? 0 : (offsets[step.to] as number) + step.lambda.theta);
		variances.push(step === null ? 0 : (variances[step.to] as number) + step.lambda.se ** 2);
	}
	const links = steps.flatMap((step, era): Link[] =>
		step === null || step.assumed
			? []
			: [
					{
						cell: row.cell,
						metric: row.metric,
						era,
						lambda: step.lambda.theta,
						se: step.lambda.se,
						closure: step.closure,
					},
				],
	);
	const assumed = steps.flatMap((step, era) => (step?.assumed && step.lambda.se > 0 ? [era] : []));
	return { offsets, variances, links, assumed, between: (one, other) => varianceBetween(steps, one, other) };
}

interface Table {
	readonly links: ReadonlyMap<string, ReadonlyMap<string, Figure>>;
	readonly all: ReadonlyMap<string, ReadonlyMap<string, Figure>>;
	/** Commits with several anchors, by anchor. */
	readonly several: ReadonlyMap<string, readonly Several[]>;
	readonly byAnchor: ReadonlyMap<string, readonly Figure[]>;
}

type Several = readonly [commit: string, anchors: ReadonlyMap<string, Figure>];

function tableOf({ all }: RowMeasurements): Table {
	const gather = (wanted: (purpose: string) => boolean) => {
		const byCommit = new Map<string, Map<string, Figure[]>>();
		for (const { record, commit, anchor, figure } of all) {
			if (figure === null || !wanted(record.purpose)) continue;
			const anchors = byCommit.get(commit) ?? new Map<string, Figure[]>();
			byCommit.set(commit, anchors);
			anchors.set(anchor, [...(anchors.get(anchor) ?? []), figure]);
		}
		return new Map(
			[...byCommit].map(([commit, anchors]) => [
				commit,
				new Map([...anchors].map(([anchor, figures]) => [anchor, poolFigures(figures) as Figure])),
			]),
		);
	};
	const levels = all.filter(({ record }) => record.purpose === 'level');
	const figures = gather((purpose) => purpose !== 'proof');
	const several = [...figures].filter(([, anchors]) => anchors.size > 1);
	const inOrder = [...new Set(levels.map(({ commit }) => commit))];
	return {
		links: gather((purpose) => purpose === 'link'),
		all: figures,
		several: groupAll(several.flatMap((one) => [...one[1].keys()].map((anchor) => [anchor, one] as const))),
		byAnchor: groupAll(inOrder.flatMap((commit) => [...(figures.get(commit) ?? [])])),
	};
}

function groupAll<T>(pairs: readonly (readonly [key: string, value: T])[]): ReadonlyMap<string, readonly T[]> {
	const groups = new Map<string, T[]>();
	for (const [key, value] of pairs) {
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [value]);
		else group.push(value);
	}
	return groups;
}

function bestStep(table: Table, eras: readonly Era[], index: number, variances: readonly number[]): Step | null {
	const eraAnchor = anchorKey(eras, index);
	const earlier = eras.slice(0, index);
	const steps = earlier.flatMap(({ index: to }): Step[] => {
		const earlierAnchor = anchorKey(eras, to);
		const both = onBoth(table, earlierAnchor, eraAnchor);
		const direct = table.links.get(eraAnchor)?.get(earlierAnchor) ?? table.all.get(eraAnchor)?.get(earlierAnchor);
		if (direct !== undefined) return [{ to, lambda: direct, assumed: false, closure: closureOf(direct, both) }];
		const indirect = poolFigures(both);
		return indirect === null ? [] : [{ to, lambda: indirect, assumed: false, closure: null }];
	});
	const total = ({ to, lambda }: Step) => (variances[to] as number) + lambda.se ** 2;
	return steps.reduce<Step | null>((best, step) => (best === null || total(step) < total(best) ? step : best), null);
}

function onBoth({ several }: Table, older: string, newer: string): Figure[] {
	return (several.get(newer) ?? []).flatMap(([commit, anchors]) => {
		const [old, recent] = [anchors.get(older), anchors.get(newer)];
		if (old === undefined || recent === undefined || commit === newer) return [];
		return [{ theta: old.theta - recent.theta, se: Math.hypot(old.se, recent.se) }];
	});
}

function closureOf(link: Figure, both: readonly Figure[]): Link['closure'] {
	const pooled = poolFigures(both);
	if (pooled === null) return null;
	return { error: pooled.theta - link.theta, se: Math.hypot(pooled.se, link.se) };
}

/** Joins the era to the latest earlier era with the row. Without figures the link is 0. */
function assumeStep({ byAnchor }: Table, eras: readonly Era[], index: number): Step {
	const near = (era: number, from: number, until?: number): Figure | null =>
		poolFigures((byAnchor.get(anchorKey(eras, era)) ?? []).slice(from, until));
	const after = near(index, 0, NEAR);
	for (let to = index - 1; after !== null && to >= 0; to--) {
		const before = near(to, -NEAR);
		if (before === null) continue;
		const lambda = { theta: before.theta - after.theta, se: Math.hypot(before.se, after.se) };
		return { to, lambda, assumed: true, closure: null };
	}
	return { to: index - 1, lambda: { theta: 0, se: 0 }, assumed: true, closure: null };
}

function varianceBetween(steps: readonly (Step | null)[], one: number, other: number): number {
	let variance = 0;
	let [a, b] = [one, other];
	while (a !== b) {
		// Steps lead to earlier eras, so the later of both moves.
		const later = Math.max(a, b);
		const step = steps[later] as Step;
		variance += step.assumed ? Number.POSITIVE_INFINITY : step.lambda.se ** 2;
		[a, b] = a === later ? [step.to, b] : [a, step.to];
	}
	return variance;
}

function anchorKey(eras: readonly Era[], index: number): string {
	return commitKey((eras[index] as Era).anchor);
}

/**
 * Returns the eras by first commit. A commit with several anchors belongs to the latest era. For the others it is a
 * closure.
 */
export function findEras(records: readonly BaselineRecord[], commits: readonly BaselineCommit[]): readonly Era[] {
	const order = new Map(commits.map((commit, index) => [commitKey(commit), index]));
	const eras = new Map<string, { anchor: Era['anchor']; first: number; last: number; since: string }>();
	for (const { purpose, commit, anchor, createdAt } of records) {
		const at = order.get(commitKey(commit));
		if (purpose !== 'level' || at === undefined) continue;
		const era = eras.get(commitKey(anchor)) ?? { anchor, first: at, last: at, since: createdAt };
		era.first = Math.min(era.first, at);
		era.last = Math.max(era.last, at);
		if (createdAt < era.since) era.since = createdAt;
		eras.set(commitKey(anchor), era);
	}
	return [...eras.values()]
		.sort((a, b) => a.first - b.first || (a.since < b.since ? -1 : 1))
		.map(({ anchor, first, last }, index) => ({ index, anchor, first, last }));
}

export function erasByAnchor(eras: readonly Era[]): ReadonlyMap<string, number> {
	return new Map(eras.map(({ anchor, index }) => [commitKey(anchor), index]));
}

export function trendWarnings(
	assumed: readonly Pick<Link, 'cell' | 'metric' | 'era'>[],
	links: readonly Link[],
	eras: readonly Era[],
): readonly Warning[] {
	const labelOf = (era: number) => eras[era]?.anchor.label ?? '';
	const missing = [...Map.groupBy(assumed, ({ era }) => era)].map(([era, rows]): Warning => {
		const cells = [...new Set(rows.map(({ cell }) => cell))].join(', ');
		const against = labelOf(era - 1);
		return {
			code: 'link-missing',
			message: `${labelOf(era)} was not measured against ${against} in ${cells}: levels before and after it are drawn as if nothing had changed there.`,
		};
	});
	const open = links.flatMap(({ cell, era, closure }): Warning[] => {
		if (closure === null || Math.abs(closure.error) <= CLOSURE_SES * closure.se) return [];
		const size = formatPercent(Math.abs(Math.expm1(closure.error)));
		return [
			{
				code: 'link-contradicted',
				message: `${cell}: commits measured against both ${labelOf(era)} and an older anchor differ by ${size} from the link between the two, more than chance explains. Levels across ${labelOf(era)} are less sure than they look.`,
			},
		];
	});
	return [...missing, ...open];
}
