import type { ExplainPolicy, UnexplainedRow } from '../types/explain.ts';
import { isCounted, METRICS } from '../types/metric.ts';
import type { CellResult, Result } from '../types/result.ts';
import type { Verdict } from '../types/verdict.ts';

const ORDER: readonly Verdict[] = ['regressed', 'inconclusive', 'improved', 'unchanged'];
const WITH_RED: readonly Verdict[] = ['regressed', 'inconclusive'];

/** Returns the rows to explain, worst first, one a cell. `auto` chooses some only if a row regressed. */
export function chooseRows({ cells }: Pick<Result, 'cells'>, policy: ExplainPolicy): readonly UnexplainedRow[] {
	const isRed = cells.some(({ verdict }) => verdict === 'regressed');
	const verdicts = policy === 'always' ? ORDER : policy === 'auto' && isRed ? WITH_RED : [];
	const chosen = cells
		.filter(({ verdict }) => verdicts.includes(verdict))
		.toSorted(
			(a, b) =>
				ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict) ||
				Number(isCounted(a.judgedBy)) - Number(isCounted(b.judgedBy)) ||
				harmOf(b) - harmOf(a),
		);
	return [...Map.groupBy(chosen, ({ server, scenario }) => `${server}/${scenario}`).values()].flatMap(([row]) =>
		row ? [rowOf(row)] : [],
	);
}

function harmOf({ change, judgedBy }: CellResult): number {
	if (change === null || change <= -1) return 0;
	return METRICS[judgedBy].better === 'higher' ? -Math.log1p(change) : Math.log1p(change);
}

export function rowOf({
	server,
	scenario,
	verdict,
	judgedBy,
	change,
	interval,
	threshold,
}: CellResult): UnexplainedRow {
	return { server, scenario, verdict, metric: judgedBy, change, interval, threshold };
}
