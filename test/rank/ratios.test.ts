import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cellStates, openCells } from '../../src/rank/cell-state.ts';
import { expectedRounds, halfWidthOf, logShareOf, ratioOf, shareOf, spreadOf } from '../../src/rank/ratios.ts';
import type { Spread } from '../../src/stats/pooled-spread.ts';
import { createRandom } from '../../src/stats/random.ts';
import type { RankingSample } from '../../src/types/ranking/ranking.ts';
import { scriptSample } from '../support/ranking-cases.ts';

test('a share is the exponential of the mean, with a t interval from the spread of its rounds', () => {
	// Mean ln 0.5, s = 0.02, n = 4: half the width is t(0.975, 3) = 3.1824463 × 0.01.
	const d = [-0.03, 0.01, 0.01, 0.01].map((offset) => Math.log(0.5) + offset);
	const share = logShareOf(d, []);
	assert.ok(share);
	const { value, low, high } = shareOf(share);
	assert.ok(Math.abs(value - 0.5) < 1e-12);
	assert.ok(Math.abs(Math.log(high / value) - 0.031824463) < 1e-8);
	assert.ok(Math.abs(Math.log(value / low) - 0.031824463) < 1e-8);
	assert.ok(Math.abs(halfWidthOf({ value, low, high }) - 0.0318) < 1e-4);
});

test('rounds that agree by chance get the spread of the others, noisy ones keep their own', () => {
	const others: Spread[] = [{ sd: 0.02, df: 6 }];
	const lucky = logShareOf([0.001, 0, -0.001], others);
	assert.ok(lucky && lucky.df === 8 && lucky.se > 0.009);
	const noisy = logShareOf([0.1, 0, -0.1], others);
	assert.deepEqual(noisy?.df, 2);
	assert.ok(Math.abs((noisy?.se ?? 0) - 0.1 / Math.sqrt(3)) < 1e-12);
});

test('one round has no spread of its own, and no spread at all in a run without other rows', () => {
	assert.equal(spreadOf([0.1]), null);
	assert.equal(logShareOf([0.1], []), null);
	assert.equal(logShareOf([0.1], [{ sd: 0.02, df: 4 }])?.se, 0.02);
	assert.equal(logShareOf([], []), null);
});

test('the ratio of two shares has the error of both; that of the reference has none', () => {
	const one = { theta: Math.log(0.8), se: 0.03, df: 3 };
	const other = { theta: Math.log(0.4), se: 0.04, df: 3 };
	const reference = { theta: 0, se: 0, df: 1 };
	assert.ok(Math.abs(ratioOf(one, other).value - 2) < 1e-12);
	// Welch and Satterthwaite: (9 + 16)² / (81 / 3 + 256 / 3) = 5.564 degrees of freedom, whose t is 2.494.
	assert.ok(Math.abs(Math.log(ratioOf(one, other).high / 2) - 2.494 * 0.05) < 1e-3);
	assert.deepEqual(ratioOf(one, reference), shareOf(one));
	assert.deepEqual(ratioOf(reference, reference), { value: 1, low: 1, high: 1 });
});

describe('intervals of rows that share a run keep their coverage', () => {
	const ROUNDS = 3;
	const RUNS = 4000;
	for (const [noise, most] of [
		[1, 0.05],
		[2, 0.075],
		[4, 0.075],
	] as const) {
		test(`one of four rows ${noise} times as noisy as the others misses in at most ${100 * most} % of runs`, () => {
			const random = createRandom(7, noise);
			const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
			let missed = 0;
			for (let run = 0; run < RUNS; run++) {
				const draw = (sd: number) => Array.from({ length: ROUNDS }, () => sd * normal());
				const others = [draw(0.02), draw(0.02), draw(0.02)].flatMap((d) => spreadOf(d) ?? []);
				const share = logShareOf(draw(0.02 * noise), others);
				const { low, high } = shareOf(share ?? { theta: 0, se: 0, df: 1 });
				if (low > 1 || high < 1) missed++;
			}
			assert.ok(missed / RUNS <= most, `${missed} of ${RUNS}`);
		});
	}
});

describe('intervals of many rows keep their coverage, though a row gets rounds until its own is narrow', () => {
	const rule = { precision: 0.04, fewest: 3, most: 20 };
	for (const [rows, unlike, noisy] of [
		[12, 0, 0],
		[12, 0.4, 1],
		[60, 0, 0],
		[60, 0.5, 4],
	] as const) {
		test(`of ${rows} rows whose spreads differ by a factor of e^${unlike}, ${noisy} of them three times as noisy`, () => {
			const random = createRandom(13, rows, 10 * unlike);
			const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
			const missed = { usual: 0, noisy: 0 };
			const runs = Math.ceil(1800 / rows);
			for (let run = 0; run < runs; run++) {
				const spreads = Array.from(
					{ length: rows },
					(_, row) => 0.035 * (row < noisy ? 3 : Math.exp(unlike * normal())),
				);
				const d = spreads.map((sd) => Array.from({ length: rule.fewest }, () => sd * normal()));
				const judge = () => {
					const spreadsOf = d.map(spreadOf);
					return d.map((offsets, row) =>
						logShareOf(
							offsets,
							spreadsOf.flatMap((one, at) => (at === row ? [] : (one ?? []))),
						),
					);
				};
				for (let shares = judge(); ; shares = judge()) {
					const open = shares.map(
						(share, row) =>
							(d[row]?.length ?? 0) < rule.most && share !== null && halfWidthOf(shareOf(share)) > rule.precision,
					);
					if (!open.includes(true)) {
						for (const [row, share] of shares.entries()) {
							const { low, high } = shareOf(share ?? { theta: 0, se: 0, df: 1 });
							if (low > 1 || high < 1) missed[row < noisy ? 'noisy' : 'usual']++;
						}
						break;
					}
					for (const [row, isOpen] of open.entries()) if (isOpen) d[row]?.push((spreads[row] ?? 0) * normal());
				}
			}
			assert.ok(missed.usual / (runs * (rows - noisy)) <= 0.065, `${missed.usual} of ${runs * (rows - noisy)}`);
			assert.ok(noisy === 0 || missed.noisy / (runs * noisy) <= 0.1, `${missed.noisy} of ${runs * noisy}`);
		});
	}
});

describe('the expected number of rounds matches the rule that ends them', () => {
	const rule = { precision: 0.04, fewest: 3, most: 100 };
	const scenarios = [{ name: 'ping' }];
	for (const [rows, spread] of [
		[30, 0.01],
		[30, 0.03],
		[30, 0.04],
		[30, 0.05],
		[4, 0.025],
	] as const) {
		test(`of ${rows} rows whose rounds spread by ${spread}`, () => {
			const random = createRandom(11, rows);
			const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
			const ids = Array.from({ length: rows }, (_, at) => `s${at}/ping`);
			let rounds = 0;
			const runs = Math.ceil(180 / rows);
			for (let run = 0; run < runs; run++) {
				const samples: RankingSample[] = [];
				for (let round = 1; ; round++) {
					const open = openCells(ids, cellStates(samples, { scenarios, design: 'alternating' }), rule);
					if (open.length === 0) break;
					for (const id of open) {
						const server = id.slice(0, -'/ping'.length);
						samples.push(scriptSample({ server, round, share: Math.exp(spread * normal()) }));
					}
				}
				rounds += samples.length / rows / runs;
			}
			const expected = expectedRounds(rule.precision, spread, rows, rule.fewest);
			assert.ok(Math.abs(rounds / expected - 1) < 0.15, `${rounds} instead of ${expected}`);
		});
	}
});
