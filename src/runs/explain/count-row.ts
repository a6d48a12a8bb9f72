import { compareCounts } from '../../explain/counts.ts';
import type { CountedRepeat } from '../../types/explain/counts.ts';
import type { ExplainedRow } from '../../types/explain.ts';
import type { Seconds } from '../../types/units.ts';
import type { Open, RowToExplain } from './step.ts';

const REPEATS = 3;
const NOT_ASKED = 'Counts need requests, and this row measures a process.';

/** Counts the work of a request on both sides. */
export async function countRow(
	{ cell }: RowToExplain,
	{ pair, laboratory, trees }: Open,
	secondsLeft: () => Seconds,
): Promise<Partial<ExplainedRow>> {
	const scenario = pair.config.scenarios.find(({ name }) => name === cell.scenario);
	if (scenario === undefined || scenario.metrics !== undefined || scenario.inProcess) return { notes: [NOT_ASKED] };
	const repeats: CountedRepeat[] = [];
	for (let at = 0; at < REPEATS && (at === 0 || secondsLeft() > 0); at++) {
		const repeat = await laboratory.count(cell);
		repeats.push(repeat);
		const failed = [...repeat.base.unseen, ...repeat.head.unseen].find(({ kind }) => kind === 'failed');
		if (failed) return { notes: [`Nothing was counted: ${failed.detail}`] };
	}
	return { counts: compareCounts(await trees(cell.server), repeats) };
}
