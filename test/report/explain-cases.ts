import type { CountedFunction, Counts } from '../../src/types/explain/counts.ts';
import type { Profile } from '../../src/types/explain/profile.ts';
import type { Carrier, Proof, ProofPiece } from '../../src/types/explain/proof.ts';
import type { ExplainedRow, Explanation } from '../../src/types/explain.ts';

export function countedFunction(more: Partial<CountedFunction> = {}): CountedFunction {
	return {
		...{ path: 'lib/router.js', line: 122, name: 'layer.match', side: 'head', state: 'changed' },
		...{ base: 12, head: 24, varies: false, resumes: false, caller: null, package: null },
		...more,
	};
}

export function countsOf(more: Partial<Counts> = {}): Counts {
	return { requests: 200, repeats: 3, functions: [], omitted: 0, work: [], peers: [], unseen: [], ...more };
}

export function explainedRow(more: Partial<ExplainedRow> = {}): ExplainedRow {
	return {
		...{ server: 'express', scenario: 'param-json', verdict: 'regressed', metric: 'throughput', change: -0.081 },
		interval: { low: -0.095, high: -0.067, confidence: 0.9 },
		...{ threshold: 0.05, counts: countsOf(), proof: null, profile: null, unreached: [], notes: [] },
		...more,
	};
}

export function explanationOf(rows: readonly ExplainedRow[]): Explanation {
	return {
		...{ schemaVersion: 1, kind: 'benchgate-explanation', tool: { name: 'benchgate', version: '0.1.0' } },
		...{ createdAt: '2026-03-01T10:00:00.000Z', seed: 7, budgetSeconds: 300, seconds: 9.2 },
		base: { revision: 'main', kind: 'git', label: 'main@1a2b3c4', sha: '1'.repeat(40), versions: {} },
		head: { revision: '.', kind: 'dir', label: 'this folder', versions: {} },
		...{ rows, warnings: [], reproduce: 'npx benchgate explain --base main --head .' },
	};
}

export const HUNK: ProofPiece = {
	...{ path: 'lib/router.js', line: 118, lines: 9, kind: 'hunk', change: 'changed' },
	package: null,
};

export function carrier(more: Partial<Carrier> = {}): Carrier {
	return {
		...{ pieces: [HUNK], companions: [], share: 0.951, shareInterval: { low: 0.82, high: 1.1 } },
		without: { change: -0.004, interval: { low: -0.016, high: 0.008, confidence: 0.9 }, rounds: 6 },
		...more,
	};
}

export function proofOf(more: Partial<Proof> = {}): Proof {
	return { pieces: 12, upgrades: 0, carriers: [carrier()], because: null, steps: [], notes: [], seconds: 94, ...more };
}

export function profileOf(more: Partial<Profile> = {}): Profile {
	const cost = { base: 20, head: 23.4, change: 3.4, low: 2.9, high: 3.9 };
	const slower = { base: 1, head: 4.1, change: 3.1, low: 2.6, high: 3.6 };
	return {
		...{ rounds: { natural: 6, flat: 3 }, plannedRounds: { natural: 6, flat: 3 }, seconds: 84, cost, flat: cost },
		cause: { kind: 'located', functions: [{ function: 1, scope: 'itself', cost: slower }] },
		functions: [
			{ path: '', line: 0, name: 'all', package: null, state: 'same', cost, clear: false },
			{
				...{ path: 'node_modules/router/lib/layer.js', line: 122, name: 'match<script>', package: 'router' },
				...{ state: 'changed', cost: slower, clear: true },
			},
		],
		frames: [
			[-1, 0, 20, 23.4],
			[0, 1, 1, 4.1],
		],
		gaps: [],
		...more,
	};
}
