import { judgeByT } from '../../evaluation/replay/judge-by-t.ts';
import { createRandom } from '../../src/stats/random.ts';
import type { Fraction } from '../../src/types/units.ts';
import { planOf, USUAL } from './runs.ts';

const ROUNDS = 20;
const CELLS = 6;
const SPREAD = 0.015;
const SEED = 5;

/**
 * Returns the share of `runs` in which the first cell passes although it dropped by the threshold, with rounds that
 * spread `factor` times more.
 */
export function wrongPasses(factor: number, shared: boolean, runs: number): Fraction {
	const random = createRandom(SEED);
	const plan = planOf({ cells: CELLS, ...USUAL });
	const verdicts = Array.from({ length: runs }, () => {
		const d = plan.cells.map((_, cell) => {
			const [sd, effect] = cell === 0 ? [factor * SPREAD, Math.log1p(-USUAL.threshold)] : [SPREAD, 0];
			return Array.from({ length: ROUNDS }, () => effect + sd * random.normal());
		});
		return judgeByT(plan, d, shared)[0]?.verdict;
	});
	return verdicts.filter((verdict) => verdict === 'unchanged' || verdict === 'improved').length / runs;
}
