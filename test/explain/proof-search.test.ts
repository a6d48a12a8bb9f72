import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Piece, suspectsOf, weigh, wholePiece } from '../../src/explain/proof-part.ts';
import { leadersOf, narrow, nextMove, proofRule, type Trial, widen } from '../../src/explain/proof-search.ts';
import { nextRound, shareFrom, shareOf } from '../../src/explain/proof-share.ts';
import { createRandom } from '../../src/stats/random.ts';
import type { BisectState } from '../../src/trend/bisect/bisect-state.ts';
import type { CountedFunction } from '../../src/types/explain/counts.ts';

const LOSS = Math.log(0.94);
const NOISE = 0.015;

interface Case {
	readonly prior: readonly number[];
	/** Step of each piece. */
	readonly steps: readonly number[];
	readonly broken?: readonly number[];
}

/** Plays a search against noise; returns the proved spans, the last one right, and the number of probes. */
function search({ prior, steps, broken = [] }: Case, seed: number) {
	const random = createRandom(seed);
	const levelOf = (applied: number) => steps.slice(0, applied).reduce((sum, step) => sum + step, 0);
	const rule = proofRule(LOSS);
	let state: BisectState = {
		count: prior.length,
		prior,
		expected: { theta: LOSS, se: 0.008 },
		...{ probes: [], broken: [], same: [], proofs: [] },
	};
	const proved: (readonly [number, number])[] = [];
	for (let step = 0; step < 40; step++) {
		const move = nextMove(state, rule);
		if (move.kind === 'stuck') return { proved, probes: state.probes.length + state.broken.length, found: null };
		if (move.kind === 'probe') {
			if (broken.includes(move.applied)) {
				state = { ...state, broken: [...state.broken, move.applied] };
				continue;
			}
			const d = Array.from({ length: rule.rounds }, () => levelOf(move.applied) + NOISE * random.normal());
			state = { ...state, probes: [...state.probes, { commit: move.applied, d, seconds: 18, buildSeconds: 4 }] };
			continue;
		}
		const { before, after } = move.span;
		proved.push([before, after]);
		const carried = levelOf(after) - levelOf(before);
		if (carried < LOSS / 2) return { proved, probes: state.probes.length + state.broken.length, found: move.span };
		const d = Array.from({ length: 4 }, () => carried + NOISE * random.normal());
		state = { ...state, proofs: [...state.proofs, { before, after, d, outcome: 'refuted' }] };
	}
	throw new Error('the search does not end');
}

const stepAt = (at: number, count: number) => Array.from({ length: count }, (_, index) => (index === at ? LOSS : 0));
const flat = (count: number) => Array.from({ length: count }, () => 1);

test('one slow piece of twelve is found by about four probes', () => {
	const runs = Array.from({ length: 36 }, (_, seed) => {
		const at = seed % 12;
		return { at, ...search({ prior: flat(12), steps: stepAt(at, 12) }, seed + 1) };
	});
	const right = runs.filter(({ at, found }) => found?.before === at && found.after === at + 1);
	assert.ok(right.length >= 35, `${right.length} of ${runs.length}`);
	const probes = runs.reduce((sum, one) => sum + one.probes, 0) / runs.length;
	assert.ok(probes <= 5, `${probes}`);
});

test('a suspected piece is proved at once, and given up when the proof refutes it', () => {
	const prior = [1, 1, 1, 30, 1, 1, 1, 1];
	const right = search({ prior, steps: stepAt(3, 8) }, 1);
	assert.deepEqual([right.proved, right.probes], [[[3, 4]], 0]);
	const wrong = search({ prior, steps: stepAt(6, 8) }, 1);
	assert.deepEqual(wrong.proved[0], [3, 4]);
	assert.equal(wrong.found?.after, 7);
});

test('of many pieces that only run together, the likeliest is proved alone first', () => {
	const prior = [0.1, 31, ...flat(13).map(() => 7), 0.1];
	const broken = Array.from({ length: 14 }, (_, index) => index + 1);
	const right = search({ prior, steps: stepAt(1, prior.length), broken }, 1);
	assert.deepEqual([right.proved, right.found?.after], [[[1, 2]], 2]);
	const wrong = search({ prior, steps: stepAt(9, prior.length), broken }, 1);
	assert.deepEqual(wrong.proved[0], [1, 2]);
	assert.ok(wrong.found !== null && wrong.found.before <= 9 && wrong.found.after > 9);
});

test('the likeliest piece is proved while there is still time for a proof', () => {
	const rule = proofRule(LOSS);
	const d = [LOSS, LOSS, LOSS];
	const state: BisectState = {
		...{ count: 8, prior: [1, 1, 4, 1, 1, 1, 1, 1], expected: { theta: LOSS, se: 0.008 } },
		...{ probes: [{ commit: 6, d, seconds: 30, buildSeconds: 5 }], broken: [], same: [], proofs: [] },
	};
	assert.equal(nextMove(state, rule, true, 91).kind, 'probe');
	const move = nextMove(state, rule, true, 89);
	assert.deepEqual([move.kind, move.kind === 'prove' && move.span.before], ['prove', 2]);
});

test('a piece that does not run without the next is named with it', () => {
	const { found } = search({ prior: flat(8), steps: stepAt(4, 8), broken: [4, 5] }, 3);
	assert.deepEqual([found?.before, found?.after], [3, 6]);
});

test('without a slow piece the search ends', () => {
	for (let seed = 1; seed <= 5; seed++)
		assert.equal(search({ prior: flat(6), steps: flat(6).map(() => 0) }, seed).found, null);
});

const piece = (path: string, line = 1, lines = 1): Piece => ({
	...wholePiece({ path, kind: 'hunk', change: 'changed' }),
	...{ line, lines },
});

test('a set grows by conflicts, then by all that head removes, but never to everything', () => {
	const pieces = [piece('a.js'), piece('b.js'), { ...piece('c.js'), change: 'deleted' as const }];
	const [a, b, c] = pieces as [Piece, Piece, Piece];
	const division = { pieces, conflicts: () => [], related: () => new Set<Piece>() };
	assert.deepEqual(widen(division, [b]), [[b], [b, c]]);
	assert.deepEqual(widen({ ...division, pieces: [a, b] }, [b]), [[b]]);
	assert.deepEqual(widen({ ...division, pieces: [a, b, c, piece('d.js')], related: () => new Set([a]) }, [b])[1], [
		a,
		b,
		c,
	]);
	const [b2, d] = [piece('b.js', 9), piece('d.js')];
	assert.deepEqual(widen({ ...division, pieces: [a, b, b2, d] }, [b]), [[b], [b, b2]]);
	const conflicts = (isApplied: (one: Piece) => boolean) => (isApplied(b) ? [] : [a]);
	assert.deepEqual(widen({ ...division, pieces: [...pieces, piece('d.js')], conflicts }, [b])[0], [a, b]);
});

test('the share is one minus the ratio of both losses, with the interval of Fieller', () => {
	const estimate = (centre: number, half: number) => ({ centre, low: centre - half, high: centre + half });
	const { share, shareInterval } = shareOf(estimate(-0.06, 0.012), estimate(-0.004, 0.01));
	assert.ok(Math.abs(share - (1 - 0.004 / 0.06)) < 1e-12);
	// Both ends solve (y − r x)² = v² + r² u².
	for (const end of [shareInterval.low, shareInterval.high]) {
		const ratio = 1 - (end ?? Number.NaN);
		const square = (-0.004 - ratio * -0.06) ** 2;
		assert.ok(Math.abs(square - (0.01 ** 2 + ratio ** 2 * 0.012 ** 2)) < 1e-12, `${end}`);
	}
	assert.ok((shareInterval.low ?? 2) < share && share < (shareInterval.high ?? -2));
	assert.deepEqual(shareOf(estimate(-0.01, 0.012), estimate(0, 0.01)).shareInterval, { low: null, high: null });
});

test('a proof loads head until its part of the width is small, and ends when the share is precise or too small', () => {
	const random = createRandom(7);
	const play = (remaining: number, loss: number) => {
		const rounds = { head: [] as number[], without: [] as number[] };
		for (let turn = 0; turn < 60; turn++) {
			const kinds = nextRound(rounds, 0.25);
			if (kinds.length === 0) break;
			for (const kind of kinds) rounds[kind].push((kind === 'head' ? loss : remaining) + NOISE * random.normal());
		}
		return rounds;
	};
	const large = play(0, -0.3);
	assert.deepEqual([large.head.length, large.without.length], [2, 4]);
	const small = play(-0.003, -0.06);
	assert.ok(small.head.length < small.without.length, `${small.head.length} of ${small.without.length}`);
	const { low, high } = shareFrom(small)?.shareInterval ?? {};
	assert.ok(low != null && high != null && high - low <= 0.3 && low > 0.5, `${low} … ${high}`);
	const refuted = shareFrom(play(-0.1, -0.1));
	assert.ok((refuted?.shareInterval.high ?? 1) < 0.25);
});

test('nine of ten intervals of the share hold it', () => {
	const random = createRandom(11);
	const draw = (count: number, mean: number) => Array.from({ length: count }, () => mean + NOISE * random.normal());
	const held = Array.from({ length: 1_000 }, () =>
		shareFrom({ head: draw(3, -0.08), without: draw(6, -0.016) }),
	).filter((found) => (found?.shareInterval.low ?? 1) <= 0.8 && (found?.shareInterval.high ?? 0) >= 0.8);
	assert.ok(held.length > 870 && held.length < 935, `${held.length}`);
});

function counted(fields: Partial<CountedFunction>): CountedFunction {
	return {
		...{ path: 'node_modules/app/lib/a.js', line: 10, name: 'f', side: 'head', state: 'changed' },
		...{ base: 1, head: 1, varies: false, resumes: false, caller: null, package: null },
		...fields,
	};
}

test('counts point at the hunk of the caller, of the function, then at their files', () => {
	const pieces = [
		piece('lib/a.js', 5),
		piece('lib/a.js', 12),
		piece('lib/a.js', 90),
		piece('lib/b.js', 3),
		piece('lib/c.js'),
	];
	const caller = { path: 'node_modules/app/lib/b.js', line: 2, name: 'g' };
	const suspects = suspectsOf({
		functions: [counted({}), counted({ path: 'node_modules/x/i.js', state: 'same', head: 2, caller })],
	});
	const weights = weigh(pieces, suspects);
	const order = weights.map((weight, at) => [weight, at] as const).sort(([one], [other]) => other - one);
	assert.deepEqual(
		order.map(([, at]) => at),
		[3, 1, 0, 2, 4],
	);
	assert.equal(weights[4], 1);
});

test('a package whose version differs is suspected by its name', () => {
	const upgrade = (name: string) =>
		wholePiece({
			path: 'package-lock.json',
			kind: 'package',
			change: 'changed',
			package: { name, base: '1', head: '2' },
		});
	const suspects = suspectsOf({
		functions: [counted({ state: 'same', head: 2, package: { name: 'qs', base: '1', head: '2' } })],
	});
	const [qs = 0, ms] = weigh([upgrade('qs'), upgrade('ms')], suspects);
	assert.ok(qs > 20);
	assert.equal(ms, 1);
});

/** Pieces, of which each needs others. */
function bound(count: number, needs: (at: number) => readonly number[]) {
	const pieces = Array.from({ length: count }, (_, at) => piece(`${at}.js`));
	const conflicts = (isApplied: (one: Piece) => boolean) =>
		pieces.filter((one, at) => isApplied(one) && needs(at).some((other) => !isApplied(pieces[other] as Piece)));
	return { pieces, conflicts };
}

/** Narrows a proven set against noise; returns the last set, the number of its measurements, and its leaders. */
function narrowed(
	division: ReturnType<typeof bound>,
	{ proven, steps, weights }: Record<'steps' | 'weights', readonly number[]> & { readonly proven: readonly Piece[] },
	{ seed, fails = () => false }: { readonly seed: number; readonly fails?: (out: readonly Piece[]) => boolean },
) {
	const { pieces } = division;
	const random = createRandom(seed);
	const lostBy = (out: readonly Piece[]) => out.reduce((sum, one) => sum + (steps[pieces.indexOf(one)] as number), 0);
	const loss = lostBy(proven);
	const trials: Trial[] = [];
	for (let turns = 0; turns < 40; turns++) {
		const weightOf = (one: Piece) => weights[pieces.indexOf(one)] ?? 0;
		const { out, isProof, suspects } = narrow(division, proven, weightOf, trials);
		const ended = (set: readonly Piece[]) => ({ set, turns, leaders: leadersOf(division, set, suspects, weightOf) });
		if (out === null) return ended(proven);
		const isBroken = fails(out);
		const carried = (lostBy(out) + NOISE * random.normal() * (isProof ? 0.5 : 1)) / loss;
		if (isProof && !isBroken && carried > 0.65) return { ...ended(out), turns: turns + 1 };
		const outcome = carried < 0.3 ? 'carries-nothing' : isProof ? 'broken' : carried > 0.7 ? 'carries' : 'between';
		trials.push({ out, outcome: isBroken ? 'broken' : outcome });
	}
	throw new Error('the narrowing does not end');
}

test('a proven set is narrowed to the piece that carries the loss, with what needs it', () => {
	// The second of each pair needs the first.
	const division = bound(16, (at) => (at % 2 === 1 ? [at - 1] : []));
	const { pieces } = division;
	const runs = Array.from({ length: 160 }, (_, seed) => {
		const at = seed % 16;
		const setup = { proven: pieces, steps: stepAt(at, 16), weights: flat(16) };
		return { at, ...narrowed(division, setup, { seed: seed + 1 }) };
	});
	for (const { at, set, leaders } of runs) {
		assert.ok(set.includes(pieces[at] as Piece), `${at}`);
		assert.ok(set.length === 16 || leaders.includes(pieces[at] as Piece), `${at}`);
	}
	const smallest = runs.filter(({ at, set }) => set.length === (at % 2 === 0 ? 2 : 1));
	assert.ok(smallest.length >= 150, `${smallest.length} of ${runs.length}`);
	const turns = runs.reduce((sum, one) => sum + one.turns, 0) / runs.length;
	assert.ok(turns <= 6, `${turns}`);
});

test('the heaviest piece of a proven set is proved alone at once', () => {
	const division = bound(8, (at) => (at === 4 ? [3] : []));
	const weights = [1, 1, 1, 40, 1, 1, 1, 1];
	const right = narrowed(division, { proven: division.pieces, steps: stepAt(3, 8), weights }, { seed: 1 });
	const names = (set: readonly Piece[]) => set.map(({ path }) => path);
	assert.deepEqual([names(right.set), names(right.leaders), right.turns], [['3.js', '4.js'], ['3.js'], 1]);
	const wrong = narrowed(division, { proven: division.pieces, steps: stepAt(6, 8), weights }, { seed: 1 });
	assert.deepEqual(names(wrong.set), ['6.js']);
});

test('a bound set is not measured again to drop pieces of next to no weight', () => {
	const pieces = Array.from({ length: 3 }, (_, at) => piece(`${at}.js`));
	const [chief, second] = pieces as [Piece, Piece];
	// Without the second piece too, the third may stay.
	const conflicts = (isApplied: (one: Piece) => boolean) => (isApplied(chief) !== isApplied(second) ? pieces : []);
	const division = { pieces, conflicts };
	const setup = { proven: pieces, steps: stepAt(0, 3), weights: [31, 1, 0.1] };
	const { turns, set, leaders } = narrowed(division, setup, { seed: 1 });
	assert.deepEqual([turns, set, leaders], [0, division.pieces, [division.pieces[0]]]);
});

test('a set without a part that runs alone stays, and two equal carriers are not divided', () => {
	const division = bound(4, () => []);
	const setup = { proven: division.pieces, steps: stepAt(2, 4), weights: flat(4) };
	assert.equal(narrowed(division, setup, { seed: 1, fails: () => true }).set, division.pieces);
	const ring = bound(4, (at) => [(at + 1) % 4]);
	const tied = narrowed(ring, { ...setup, proven: ring.pieces, weights: [1, 1, 9, 1] }, { seed: 1 });
	assert.deepEqual([tied.turns, tied.set, tied.leaders], [0, ring.pieces, [ring.pieces[2]]]);
	for (let seed = 1; seed <= 20; seed++) {
		const steps = [0, LOSS, 0, LOSS];
		const { set } = narrowed(division, { ...setup, steps }, { seed });
		assert.ok(set.includes(division.pieces[1] as Piece) && set.includes(division.pieces[3] as Piece));
	}
});
