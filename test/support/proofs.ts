import type { BaselineCell, BaselineRecord } from '../../src/types/baseline.ts';

/** Two levels measured against each other. */
export interface ProofSketch {
	/** Indexes into the levels. */
	readonly before: number;
	readonly after: number;
	/** Log ratio; negative is worse. */
	readonly theta: number;
	readonly verdict: BaselineCell['verdict'];
	/** Workflow run. */
	readonly run?: number;
}

/** Returns a duet's record for every cell of `levels`. */
export function proofRecord(
	levels: readonly BaselineRecord[],
	{ before, after, theta, verdict, run = 1 }: ProofSketch,
): BaselineRecord {
	const [base, head] = [levels[before], levels[after]] as [BaselineRecord, BaselineRecord];
	const newest = levels.map(({ createdAt }) => Date.parse(createdAt)).reduce((one, other) => Math.max(one, other));
	return {
		...head,
		purpose: 'proof',
		createdAt: new Date(newest + run * 60_000).toISOString(),
		run: { id: `${8_000_000 + run}`, attempt: 1, url: null },
		anchor: { sha: base.commit.sha, label: base.commit.label, kind: 'commit' },
		cells: head.cells.map((cell) => ({
			...cell,
			...{ theta, se: 0.006, low: theta - 0.012, high: theta + 0.012, rounds: 14, verdict },
			threshold: 0.04,
			solo: null,
			reference: null,
			warnings: [],
		})),
	};
}
