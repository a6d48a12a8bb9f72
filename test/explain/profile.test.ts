/** From samples of both sides to named functions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { explainProfile } from '../../src/explain/explain-profile.ts';
import { changeOf, differencesOf } from '../../src/explain/profile-differences.ts';
import { createIdentify } from '../../src/explain/profile-identity.ts';
import { createRandom } from '../../src/stats/random.ts';
import type { CpuProfile, ProfiledRound } from '../../src/types/explain/profile.ts';
import type { Side } from '../../src/types/units.ts';

const BASE = 'exports.route = function route() {\n\treturn match();\n};\nfunction match() {\n\treturn 1;\n}\n';
const HEAD = `// A line more.\n${BASE.replace('return 1;', 'for (let i = 0; i < 9; i++);\n\treturn 1;')}`;
const FILE = 'node_modules/router/index.js';
const sideOf = (side: Side, text: string) => ({ root: `/${side}/`, tree: new Map([[FILE, text]]) });
const CHANGED = createIdentify({ base: sideOf('base', BASE), head: sideOf('head', HEAD) });

/** `hits`: idle, route, match, garbage collector. */
function profileOf(side: Side, [idle, route, match, collector]: readonly [number, number, number, number]): CpuProfile {
	const added = side === 'head' ? 1 : 0;
	const frame = (functionName: string, lineNumber = -1, columnNumber = -1) => ({
		...{ functionName, lineNumber, columnNumber },
		url: lineNumber < 0 ? '' : `file:///${side}/${FILE}`,
	});
	return [
		{ id: 1, callFrame: frame('(root)'), hitCount: 0, children: [2, 3, 5] },
		{ id: 2, callFrame: frame('(idle)'), hitCount: idle },
		{ id: 3, callFrame: frame('route', added, 31), hitCount: route, children: [4] },
		{ id: 4, callFrame: frame('match', 3 + added, 14), hitCount: 0, children: [6] },
		{ id: 5, callFrame: frame('(garbage collector)'), hitCount: collector },
		// A forged cycle.
		{ id: 6, callFrame: frame('RegExp: ^a'), hitCount: match, children: [3] },
	];
}

/** Rounds in which head has `match` samples of that function and costs `cost` µs. */
function roundsOf(mode: ProfiledRound['mode'], count: number, match: number, cost: number): ProfiledRound[] {
	return Array.from({ length: count }, (_, at) => {
		const jitter = (at * 7) % 5;
		// The speed of the machine is common to both sides.
		const speed = 1 + 0.05 * at;
		const halves = (hits: readonly [number, number, number, number], side: Side) => [
			profileOf(side, hits),
			profileOf(side, [5, 0, 0, 0]),
		];
		return {
			mode,
			sides: {
				base: { cost: 20 * speed, profiles: halves([900, 1_000 + jitter, 200 - jitter, 100], 'base') },
				head: { cost: cost * speed, profiles: halves([100, 1_000 - jitter, match + jitter, 100], 'head') },
			},
		};
	});
}

function explain(natural: readonly [number, number], flat: readonly [number, number] | null, identify = CHANGED) {
	const rounds = [...roundsOf('natural', 6, ...natural), ...(flat ? roundsOf('flat', 3, ...flat) : [])];
	const explained = explainProfile(rounds, identify);
	assert.ok(explained);
	return explained;
}

test('names the changed function with its native code, at its line in head', () => {
	for (const flat of [
		[500, 25],
		[800, 31],
	] as const) {
		const { cause, functions, cost } = explain([500, 25], flat);
		assert.equal(cause.kind, 'located');
		const [named] = cause.functions;
		const { path, line, name, state, package: home, clear } = functions[named?.function ?? -1] ?? {};
		const place = { path, line, name, state, home, clear, scope: named?.scope };
		const expected = { path: FILE, line: 5, name: 'match', state: 'changed', home: 'router', clear: true };
		assert.deepEqual(place, { ...expected, scope: 'itself' });
		assert.ok((named?.cost.change ?? 0) > 0.8 * cost.change, JSON.stringify({ named, cost }));
	}
});

test('names a slower function without any change in its code', () => {
	const same = createIdentify({ base: sideOf('base', BASE), head: sideOf('head', `// A line more.\n${BASE}`) });
	const { cause, functions } = explain([500, 25], [500, 25], same);
	assert.equal(cause.kind, 'located');
	const { name, state } = functions[cause.functions[0]?.function ?? -1] ?? {};
	assert.deepEqual({ name, state }, { name: 'match', state: 'same' });
});

test('a difference that disappears without inlining is a lost optimisation', () => {
	assert.deepEqual(explain([500, 25], [200, 20]).cause, { kind: 'optimisation-lost' });
});

test('no function is named without rounds without inlining, which count each function separately', () => {
	const { cause, functions, frames } = explain([500, 25], null);
	assert.deepEqual(
		{ cause, functions, frames },
		{ cause: { kind: 'not-located', functions: 0 }, functions: [], frames: [] },
	);
});

/** Natural and flat rounds at these speeds of base and head. */
function roundsAt(speeds: readonly (readonly [number, number])[], cost = 25): ProfiledRound[] {
	return (['natural', 'flat'] as const).flatMap((mode) =>
		roundsOf(mode, speeds.length, 500, cost).map(({ sides: { base, head } }, at) => {
			const [one, other] = speeds[at] ?? [1, 1];
			return { mode, sides: { base: { ...base, cost: base.cost * one }, head: { ...head, cost: head.cost * other } } };
		}),
	);
}

test('the speed of the machine, which both sides of a round share, widens no interval', () => {
	const [even, uneven] = [
		[1, 1, 1, 1],
		[1, 3, 0.9, 2],
	].map((speeds) => explainProfile(roundsAt(speeds.map((speed) => [speed, speed])), CHANGED));
	assert.equal(uneven?.cause.kind, 'located');
	const spread = (explained: typeof even) => {
		const { change, low, high } = explained?.cost ?? {};
		return ((high ?? Number.NaN) - (low ?? Number.NaN)) / (change ?? Number.NaN);
	};
	assert.ok(Math.abs(spread(uneven) - spread(even)) < 0.001, `${spread(uneven)} is not ${spread(even)}`);
});

test('names changed code that is clearly slower where the whole is not, but no other code', () => {
	const speeds = [
		[1, 1.3],
		[1.5, 0.9],
		[0.9, 1.2],
		[1.4, 1.1],
	] as const;
	const noisy = explainProfile(roundsAt(speeds), CHANGED);
	assert.ok(noisy && (noisy.cost.low ?? 0) < 0 && (noisy.cost.high ?? 0) > 0);
	assert.equal(noisy.cause.kind, 'located');
	const [named] = noisy.cause.functions;
	assert.equal(noisy.functions[named?.function ?? -1]?.name, 'match');
	assert.ok((named?.cost.low ?? 0) > 0);
	const same = createIdentify({ base: sideOf('base', BASE), head: sideOf('head', `// A line more.\n${BASE}`) });
	assert.deepEqual(explainProfile(roundsAt(speeds), same)?.cause, { kind: 'same-cost' });
});

test('names a changed function for unchanged code that it calls', () => {
	const calling = BASE.replace('match();', 'match(1);');
	const identify = createIdentify({ base: sideOf('base', BASE), head: sideOf('head', `// A line more.\n${calling}`) });
	const { cause, functions } = explain([500, 25], [500, 25], identify);
	assert.equal(cause.kind, 'located');
	const [named, ...others] = cause.functions;
	assert.deepEqual([functions[named?.function ?? -1]?.name, named?.scope, others], ['route', 'callees', []]);
});

test('sides of equal cost have no cause, and one round is too few', () => {
	assert.deepEqual(explain([200, 20], [200, 20]).cause, { kind: 'same-cost' });
	assert.equal(explainProfile(roundsOf('natural', 1, 500, 25), CHANGED), null);
});

test('of pairs that differ by noise alone, at most one in twenty names functions', () => {
	const random = createRandom(7, 0, 0);
	const noise = () => 1 + 0.04 * (random.next() + random.next() + random.next() - 1.5);
	const hits = () => [400 * noise(), 1_000 * noise(), 200 * noise(), 100 * noise()].map(Math.round);
	const sideWith = (side: Side) => ({
		cost: 20 * noise(),
		profiles: [profileOf(side, hits() as [number, number, number, number])],
	});
	const trials = 400;
	let named = 0;
	for (let trial = 0; trial < trials; trial++) {
		const rounds = Array.from({ length: 9 }, (_, at) => ({
			mode: at < 4 ? ('natural' as const) : ('flat' as const),
			sides: { base: sideWith('base'), head: sideWith('head') },
		}));
		if (explainProfile(rounds, CHANGED)?.cause.kind === 'located') named++;
	}
	assert.ok(named <= 0.05 * trials, `${named} of ${trials}`);
});

test('frames are those of both sides, parents first, and the root has the whole time', () => {
	const { frames, functions, flat: cost } = explain([400, 23], [500, 25]);
	assert.ok(cost);
	const [parent, , base = 0, head = 0] = frames[0] ?? [];
	assert.equal(parent, -1);
	assert.ok(Math.abs(base - cost.base) < 0.01 && Math.abs(head - cost.head) < 0.01);
	assert.ok(frames.every(([above], at) => above < at));
	const names = frames.map(([, index]) => functions[index]?.name).toSorted();
	assert.deepEqual(names, ['(garbage collector)', 'all', 'match', 'route']);
});

test('changes of functions add up to the change of the whole', () => {
	const hits = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.integer({ min: 1, max: 5_000 }), {
		minKeys: 1,
	});
	const side = fc.record({ cost: fc.double({ min: 1, max: 500, noNaN: true }), hits });
	fc.assert(
		fc.property(fc.array(fc.record({ base: side, head: side }), { minLength: 2, maxLength: 8 }), (rounds) => {
			const sideHits = ({ cost, hits: counts }: (typeof rounds)[number]['base']) => ({
				...{ cost, hits: new Map(Object.entries(counts)) },
				total: Object.values(counts).reduce((sum, count) => sum + count, 0),
			});
			const differences = differencesOf(
				rounds.map(({ base, head }) => ({ base: sideHits(base), head: sideHits(head) })),
			);
			const sum = differences?.functions.reduce((all, { cost }) => all + cost.change, 0) ?? Number.NaN;
			assert.ok(Math.abs(sum - (differences?.total.change ?? 0)) < 1e-9 * 500);
		}),
	);
});

test('a change and its interval are those of the paired t', () => {
	// Student 1908, sleep data: mean 1.58, t = 4.0621 with 9 degrees of freedom, p = 0.002833.
	const base = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2];
	const head = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
	const { cost, p } = changeOf({ base, head }) ?? {};
	assert.ok(cost && cost.low !== null && cost.high !== null);
	for (const [value, expected] of [
		[cost.change, 1.58],
		[cost.low, 0.7001142],
		[cost.high, 2.4598858],
		[p, 0.00283289],
	] as const)
		assert.ok(Math.abs((value ?? 0) - expected) < 1e-6, `${value} is not ${expected}`);
});
