import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptedSlowdowns } from '../../src/trend/change-life.ts';
import { chooseProofs } from '../../src/trend/group-changes.ts';
import { trendOf } from '../../src/trend/trend-of.ts';
import type { BaselineRecord } from '../../src/types/baseline.ts';
import type { ChangeNote, ChangePoint } from '../../src/types/trend.ts';
import { type HistorySketch, syntheticRecords } from '../support/baselines/records.ts';
import { type ProofSketch, proofRecord } from '../support/proofs.ts';

const SKETCH: HistorySketch = { seed: 15, cells: ['koa/ping'], commits: 40, steps: [{ commit: 20, size: -0.04 }] };
const LEVELS = syntheticRecords(SKETCH);
const NOTE = { by: 'ada', at: '2026-03-01T00:00:00Z', issue: null };

function changeIn(records: readonly BaselineRecord[], notes: readonly ChangeNote[] = []): ChangePoint {
	const [change, ...others] = trendOf(records, { notes }).rows[0]?.changes ?? [];
	assert.ok(change && others.length === 0, 'one change');
	return change;
}

const withProofs = (...sketches: Omit<ProofSketch, 'before' | 'after'>[]) => [
	...LEVELS,
	...sketches.map((sketch, index) => proofRecord(LEVELS, { before: 18, after: 21, run: index + 1, ...sketch })),
];
const [SHOWN, NONE, UNSURE] = [
	{ theta: -0.041, verdict: 'regressed' },
	{ theta: 0.001, verdict: 'unchanged' },
	{ theta: -0.02, verdict: 'inconclusive' },
] as const;

test('a fresh duet of its two ends proves a change, refutes it, or leaves it open', () => {
	assert.deepEqual([changeIn(LEVELS).state, changeIn(LEVELS).proof], ['suspected', undefined]);
	const proven = changeIn(withProofs(SHOWN));
	assert.equal(proven.state, 'confirmed');
	assert.deepEqual([proven.proof?.before, proven.proof?.after, proven.proof?.theta], [18, 21, -0.041]);
	assert.equal(changeIn(withProofs(NONE)).state, 'disproved');
	assert.equal(changeIn(withProofs({ theta: 0.05, verdict: 'improved' })).state, 'disproved', 'the other way');
	assert.equal(changeIn(withProofs(UNSURE)).state, 'suspected');
	assert.equal(changeIn(withProofs(UNSURE, SHOWN, UNSURE)).state, 'confirmed', 'what decided counts');
	assert.equal(changeIn(withProofs(NONE, SHOWN)).state, 'confirmed', 'the latest that decided counts');
});

test('a row below its anchor is reported with who accepted its slowdown, once it is accepted', () => {
	const [{ id } = { id: '' }] = [changeIn(LEVELS)];
	const slowdownsWith = (notes: readonly ChangeNote[]) => acceptedSlowdowns(trendOf(LEVELS, { notes }));
	assert.deepEqual(slowdownsWith([]), []);
	const [accepted, ...others] = slowdownsWith([{ ...NOTE, id, state: 'accepted' }]);
	assert.match(accepted?.text ?? '', /^koa\/ping: ada accepted the slowdown of about [34](?:\.\d)? % since /);
	assert.deepEqual([accepted?.isOnly, others], [true, []]);
	const again = syntheticRecords({
		...SKETCH,
		steps: [
			{ commit: 20, size: -0.04 },
			{ commit: 32, size: -0.06 },
		],
	});
	const [first] = trendOf(again).rows[0]?.changes ?? [];
	const notes = [{ ...NOTE, id: first?.id ?? '', state: 'accepted' as const }];
	assert.deepEqual(
		acceptedSlowdowns(trendOf(again, { notes })).map(({ isOnly }) => isOnly),
		[false],
	);
	assert.deepEqual(slowdownsWith([{ ...NOTE, id, state: 'confirmed' }]), []);
});

test('a duet beside the change proves nothing about it', () => {
	const beside = { ...SHOWN, before: 2, after: 9 };
	assert.equal(changeIn([...LEVELS, proofRecord(LEVELS, beside)]).state, 'suspected');
});

test('the threshold of a proof is the size of the step, not that of the row', () => {
	const sizes = [LEVELS, withProofs(SHOWN)].map((records) => changeIn(records).step);
	assert.equal(sizes[0], sizes[1], 'no level moves');
	// A step of 2 % is reported at a threshold of 5 %, but not at the 40 % of this proof.
	const small = syntheticRecords({ ...SKETCH, steps: [{ commit: 20, size: -0.02 }] });
	const proof = proofRecord(small, { before: 18, after: 21, ...SHOWN });
	const coarse = { ...proof, cells: proof.cells.map((cell) => ({ ...cell, threshold: 0.4 })) };
	assert.equal(changeIn([...small, coarse]).state, 'confirmed');
});

test('a recovered loss is repaired, whatever earlier notes state; a smaller recovery is not', () => {
	const stepsOf = (...steps: (readonly [commit: number, size: number])[]) =>
		syntheticRecords({ ...SKETCH, commits: 60, steps: steps.map(([commit, size]) => ({ commit, size })) });
	const stateIn = (records: readonly BaselineRecord[], notes: readonly ChangeNote[] = []) => {
		const { changes } = trendOf(records, { notes }).rows[0] ?? { changes: [] };
		return changes.map(({ state }) => state);
	};
	const repaired = stepsOf([20, -0.04], [40, 0.04]);
	const [change] = trendOf(repaired).rows[0]?.changes ?? [];
	assert.ok(change?.repair && Math.abs(change.repair.commit - 40) <= 2, JSON.stringify(change?.repair));
	assert.deepEqual(stateIn(repaired), ['repaired', 'suspected'], 'an improvement is nothing to repair');
	const id = change.id;
	const proof = proofRecord(repaired, { before: 18, after: 21, ...SHOWN });
	assert.equal(stateIn([...repaired, proof])[0], 'repaired');
	assert.equal(stateIn(repaired, [{ ...NOTE, id, state: 'confirmed' }])[0], 'repaired');
	assert.equal(stateIn(repaired, [{ ...NOTE, id, state: 'accepted' }])[0], 'accepted', 'wanted stays wanted');
	assert.equal(stateIn(stepsOf([20, -0.06], [40, 0.02]))[0], 'suspected', 'a third is not back');
	assert.deepEqual(stateIn(stepsOf([20, -0.04], [40, -0.03])), ['suspected', 'suspected']);
});

test('a repaired change stays repaired when the row slows down again: that is a new change', () => {
	const steps = [
		{ commit: 20, size: -0.04 },
		{ commit: 35, size: 0.04 },
		{ commit: 50, size: -0.04 },
	];
	const records = syntheticRecords({ ...SKETCH, commits: 70, steps });
	const [row] = trendOf(records).rows;
	assert.deepEqual(
		row?.changes.map(({ state }) => state),
		['repaired', 'suspected', 'suspected'],
	);
});

test('a repair counts across a release as far as the link is certain', () => {
	const steps = [
		{ commit: 12, size: -0.05 },
		{ commit: 45, size: 0.05 },
	];
	const records = syntheticRecords({ ...SKETCH, commits: 60, eras: 2, steps });
	assert.equal(trendOf(records).rows[0]?.changes[0]?.state, 'repaired');
	// Without any link the old and new levels are not comparable. The anchor's own level would be a link.
	const anchors = records.map(({ anchor }) => anchor.sha);
	const unlinked = records.filter(({ purpose, commit }) => purpose === 'level' && !anchors.includes(commit.sha));
	assert.equal(trendOf(unlinked).rows[0]?.changes[0]?.repair, undefined);
});

test('losses are put to the proof, at most three times, unless accepted, in the past, or no longer measured', () => {
	const chosen = (records: readonly BaselineRecord[], notes: readonly ChangeNote[] = [], can = true) =>
		chooseProofs(trendOf(records, { notes }), () => can);
	const [group, ...others] = chosen(LEVELS);
	assert.equal(others.length, 0);
	const commits = group?.changes[0].change.candidates.map(({ commit }) => commit) ?? [];
	assert.equal(group?.before, Math.min(...commits) - 1);
	assert.equal(group?.after, Math.max(...commits));
	assert.equal(chosen(withProofs(UNSURE, UNSURE)).length, 1);
	assert.equal(chosen(withProofs(UNSURE, UNSURE, UNSURE)).length, 0);
	assert.equal(chosen(withProofs(SHOWN)).length, 0);
	assert.equal(chosen(LEVELS, [{ ...NOTE, id: changeIn(LEVELS).id, state: 'accepted' }]).length, 0);
	assert.equal(chosen(LEVELS, [], false).length, 0);
	assert.equal(chosen(syntheticRecords({ ...SKETCH, commits: 90 })).length, 0, 'seventy commits ago');
	assert.equal(chosen(syntheticRecords({ ...SKETCH, steps: [{ commit: 20, size: 0.04 }] })).length, 0, 'improved');
});

test('rows that one commit can explain are proven together, others apart', () => {
	const cells = ['koa/ping', 'koa/query', 'koa/html'];
	const records = syntheticRecords({
		...{ seed: 21, cells, commits: 40 },
		steps: [
			{ commit: 15, size: -0.04, cell: 'koa/ping' },
			{ commit: 15, size: -0.05, cell: 'koa/query' },
			{ commit: 28, size: -0.04, cell: 'koa/html' },
		],
	});
	const groups = chooseProofs(trendOf(records), () => true);
	assert.deepEqual(
		groups.map(({ changes }) => changes.map(({ row }) => row.cell).sort()),
		[['koa/html'], ['koa/ping', 'koa/query']],
		'the latest first',
	);
});
