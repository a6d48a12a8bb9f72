import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decide } from '../../src/judge/decide.ts';
import type { RowDecision, Verdict } from '../../src/types/verdict.ts';
import { drawCase, roundsIn } from './cases.ts';

/** Better is higher. A rise may be called unchanged before it is proven, so these two have one rank. */
const RANK: Partial<Record<Verdict, number>> = { regressed: 0, inconclusive: 1, unchanged: 2, improved: 2 };
const GATE = { fail: 0, inconclusive: 1, pass: 2, error: -1 } as const;

// test/judge/replay.test.ts has the same for 4 rounds of one row; here are all looks, families and laws.
test('the same amount added to every d never makes a verdict, or the gate, worse', () => {
	const changed = new Set<string>();
	fc.assert(
		fc.property(
			fc.integer({ min: 0, max: 1e6 }),
			fc.constantFrom(1, 3),
			fc.oneof(fc.double({ min: 0, max: 0.02, noNaN: true }), fc.double({ min: 0.02, max: 0.15, noNaN: true })),
			(seed, cells, shift) => {
				const some = drawCase(seed, cells);
				const before = decide(some.plan, roundsIn(some), 'rounds');
				const after = decide(some.plan, roundsIn(some, shift), 'rounds');
				assert.ok(
					GATE[after.gate.outcome] >= GATE[before.gate.outcome],
					`${before.gate.outcome}, ${after.gate.outcome}`,
				);
				for (const [index, { verdict }] of before.rows.entries()) {
					const later = (after.rows[index] as RowDecision).verdict;
					assert.ok((RANK[later] as number) >= (RANK[verdict] as number), `${verdict} became ${later}`);
					if (later !== verdict) changed.add(`${verdict} to ${later}`);
				}
			},
		),
		{ seed: 46, numRuns: 300 },
	);
	for (const path of ['regressed to inconclusive', 'regressed to improved', 'inconclusive to unchanged']) {
		assert.ok(changed.has(path), `no case went from ${path}`);
	}
});
