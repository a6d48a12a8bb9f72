/** A matrix divided among machines, simulated: each shard runs until its own rows are decided, then all are gathered. */
import { decide, decideParts, type Part } from '../../src/judge/decide.ts';
import { ofShard } from '../../src/judge/run-parts.ts';
import { warn } from '../../src/judge/warnings.ts';
import { createRandom } from '../../src/stats/random.ts';
import type { Plan } from '../../src/types/plan.ts';
import type { Round } from '../../src/types/round.ts';
import type { Decision } from '../../src/types/verdict.ts';
import { scriptRound } from '../support/rounds.ts';
import { LAWS } from './laws.ts';
import { planOf, type Trial } from './runs.ts';

const ROUNDS = 20;
const SPREAD = 0.02;

/** `together`: one family over all shards. `apart`: one for each shard, as in separate jobs. */
export type Family = 'together' | 'apart';

/** Outcomes of many divided runs. */
export interface ShardTally {
	readonly runs: number;
	readonly rows: number;
	readonly redGates: number;
	readonly regressed: number;
	/** Rows that gathering decided differently than their shard. */
	readonly takenBack: number;
	/** Rows that only all shards together decided. */
	readonly added: number;
	/** Rounds measured, over all cells. */
	readonly rounds: number;
}

/** Returns the cells of each of `of` shards, dealt out in turn. */
export function dealCells({ cells }: Plan, of: number): string[][] {
	const ids = cells.map(({ id }) => id);
	return Array.from({ length: of }, (_, index) => ids.filter((_id, position) => position % of === index));
}

/** Returns a finished shard: rounds of the cells that were open before each, with numbers from `d`. */
export function runPart(whole: Plan, ids: readonly string[], d: readonly (readonly number[])[], shard: number): Part {
	const plan = ofShard(whole, ids);
	const rounds: Round[] = [];
	let undecided: readonly string[] = ids;
	for (let index = 0; index < (d[0]?.length ?? 0); index++) {
		// Decisions fall at looks only, and `decide` takes most of the time of a simulation.
		if (plan.looks.some((look) => look.rounds === index)) undecided = decide(plan, rounds, null).undecided;
		if (undecided.length === 0) return { plan, rounds, ended: 'decided', shard };
		const turns = whole.cells.flatMap(({ id, scenario }, cell) =>
			undecided.includes(id) ? [[scenario, { d: d[cell]?.[index] as number, windows: [0] }] as const] : [],
		);
		rounds.push(scriptRound(index + 1, Object.fromEntries(turns)));
	}
	return { plan, rounds, ended: 'rounds', shard };
}

/** Returns the decision about all shards together. */
export function gatherParts(whole: Plan, parts: readonly Part[]): Decision {
	return decideParts(whole, parts, () => warn('shard-missing', { shard: 0, of: parts.length, state: 'missing' }));
}

/**
 * Returns the outcomes of `runs` runs of `trial` in `of` shards, determined by `seed`. `onRun` receives the number of
 * finished runs.
 */
export function simulateShards(
	trial: Trial,
	of: number,
	family: Family,
	runs: number,
	seed: number,
	onRun: (done: number) => void = () => {},
): ShardTally {
	const random = createRandom(seed);
	const whole = planOf(trial);
	const tally = { runs, rows: runs * trial.cells, redGates: 0, regressed: 0, takenBack: 0, added: 0, rounds: 0 };
	for (let run = 0; run < runs; run++) {
		const d = whole.cells.map(() =>
			LAWS[trial.law](random, ROUNDS, SPREAD).map((deviation) => Math.log1p(-trial.drop) + deviation),
		);
		const parts = dealCells(whole, of).map((ids, index) => {
			return runPart(family === 'together' ? whole : { ...whole, family: ids.length }, ids, d, index + 1);
		});
		const alone = parts.flatMap((part) => decide(part.plan, part.rounds, part.ended).rows);
		const rows = family === 'together' ? gatherParts(whole, parts).rows : alone;
		const before = new Map(alone.map((row) => [row.cell, row.verdict]));
		const red = rows.filter(({ verdict }) => verdict === 'regressed').length;
		tally.regressed += red;
		if (red > 0) tally.redGates++;
		for (const { cell, verdict } of rows) {
			if (before.get(cell) === verdict) continue;
			if (before.get(cell) === 'inconclusive') tally.added++;
			else if (!(before.get(cell) === 'unchanged' && verdict === 'improved')) tally.takenBack++;
		}
		tally.rounds += parts.flatMap((part) => part.rounds).reduce((sum, round) => sum + round.cells.length, 0);
		onRun(run + 1);
	}
	return tally;
}
