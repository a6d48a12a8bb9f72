import { bisectLoop, type Progressed } from '../../../src/runs/bisect/bisect-loop.ts';
import { createRandom } from '../../../src/stats/random.ts';
import type { BisectCommit, BisectResult } from '../../../src/trend/bisect/bisect-result.ts';
import { BISECT_RULE } from '../../../src/trend/bisect/bisect-state.ts';

/** A range with simulated rounds; the bisect is real. */
export interface ScriptedRange {
	/** Good first, bad last. */
	readonly commits: readonly BisectCommit[];
	/** Log ratio against good, by index. */
	readonly levelOf: (commit: number) => number;
	/** Per round. */
	readonly sd: number;
	readonly cell: string;
	readonly seed: number;
}

/** Runs a whole bisect, including the proof. */
export async function scriptedBisect({ commits, levelOf, sd, cell, seed }: ScriptedRange): Promise<BisectResult> {
	const count = commits.length - 1;
	let turns = 0;
	const draw = (size: number, rounds: number) => {
		const random = createRandom(seed, turns++);
		return Array.from({ length: rounds }, () => size + sd * random.normal());
	};
	const nothing: Progressed = {
		state: {
			...{ count, prior: Array.from({ length: count }, () => 1), expected: null },
			...{ probes: [], broken: [], same: [], proofs: [] },
		},
		...{ proof: null, reasons: {}, seconds: 0 },
	};
	const { known, posterior, ended } = await bisectLoop(nothing, {
		...{ rule: BISECT_RULE, left: () => 1e6, signal: new AbortController().signal },
		probe: async (commit, rounds) => {
			return { kind: 'rounds', d: draw(levelOf(commit), rounds), seconds: 18, buildSeconds: 5 };
		},
		prove: async (before, after) => {
			const size = levelOf(after) - levelOf(before);
			const d = draw(size, 12);
			const change = Math.expm1(size);
			const interval = { low: change - 0.01, high: change + 0.01, confidence: 0.9 };
			const figures = { before, after, judgedBy: 'throughput' as const, change, interval, rounds: d.length };
			return { d, outcome: size < 0 ? 'shown' : 'refuted', figures, seconds: 60 };
		},
		onStep: async () => {},
	});
	return {
		...{ row: { cell, metric: 'throughput' }, commits, state: known.state, posterior, ended },
		...{ proof: known.proof, reasons: known.reasons, doubts: [], seconds: known.seconds, reproduce: '' },
	};
}
