import { compareCounts } from '../../explain/counts.ts';
import type { CountedRepeat, SideCount } from '../../types/explain/counts.ts';
import type { ExplainedRow } from '../../types/explain.ts';
import { type Seconds, SIDES } from '../../types/units.ts';
import { failureOf, NOT_REQUESTED } from '../count-cells.ts';
import type { Open, RowToExplain } from './step.ts';

const FEWEST_REPEATS = 2;
const MOST_REPEATS = 3;

/** Counts the work of a request on both sides; a third time only where two repeats differ. */
export async function countRow(
	{ cell }: RowToExplain,
	{ pair, laboratory, trees }: Open,
	secondsLeft: () => Seconds,
): Promise<Partial<ExplainedRow>> {
	const scenario = pair.config.scenarios.find(({ name }) => name === cell.scenario);
	if (scenario === undefined || scenario.metrics !== undefined || scenario.inProcess) return { notes: [NOT_REQUESTED] };
	const repeats: CountedRepeat[] = [];
	for (;;) {
		repeats.push(await laboratory.count(cell));
		const failure = failureOf(repeats);
		if (failure !== null) return { notes: [`Nothing was counted: ${failure.detail}`] };
		const isSeen = repeats.some((repeat) => SIDES.some((side) => hasCounts(repeat[side])));
		if (isSeen && repeats.length < FEWEST_REPEATS && secondsLeft() > 0) continue;
		const counts = compareCounts(await trees(cell.server), repeats);
		const varies = [...counts.functions, ...counts.work].some((each) => each.varies);
		if (!varies || repeats.length === MOST_REPEATS || secondsLeft() <= 0) return { counts };
	}
}

/** Another runtime without a database has none, so a repeat would only cost time. */
function hasCounts({ scripts, work, peers }: SideCount): boolean {
	return scripts.length + Object.keys(work).length + peers.length > 0;
}
