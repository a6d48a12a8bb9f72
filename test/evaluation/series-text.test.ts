import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { headerLine, parseSeries, roundLine } from '../../evaluation/series-text.ts';
import type { Round } from '../../src/types/round.ts';
import { syntheticSeries } from './support/series.ts';

const HEADER = headerLine(syntheticSeries({ rounds: 0 }));

/** Seconds and shares, small enough for six digits. */
const number = fc.double({ noNaN: true, min: -99_999, max: 99_999 });
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const count = fc.nat();
const side = fc.record({
	...{ seconds: number, completed: count, bytes: count, unexpected: count, errors: count, cpuSeconds: orNull(number) },
	statuses: fc.constant({}),
	latency: fc.constant([]),
});
const window = fc.record({
	kind: fc.constantFrom('duet' as const, 'alternating' as const, 'sequential' as const, 'solo' as const),
	...{ startedAt: number, generatorUtilisation: number, generatorCpuSeconds: number },
	...{ otherCpu: orNull(number), serverCpuIdle: orNull(number), base: orNull(side), head: orNull(side) },
});
const fault = fc.record({
	...{ code: fc.string(), message: fc.string() },
	side: fc.constantFrom('base' as const, 'head' as const, null),
});
const round: fc.Arbitrary<Round> = fc
	.record({
		round: count,
		purpose: fc.constantFrom('main' as const, 'confirm' as const),
		...{ startedAt: number, seconds: number, loadSeconds: number },
		cells: fc.array(
			fc.record({
				cell: fc.string(),
				design: fc.constantFrom('duet' as const, 'alternating' as const),
				windows: fc.array(window, { maxLength: 5 }),
				memoryPeak: fc.record({ base: orNull(count), head: orNull(count) }),
				faults: fc.array(fault, { maxLength: 2 }),
				pinned: fc.boolean(),
			}),
			{ maxLength: 3 },
		),
	})
	.map((one) => ({
		...one,
		cells: one.cells.map((cell) => ({ ...cell, round: one.round, purpose: one.purpose })),
	}));

const lines = (rounds: readonly Round[]) => `${[HEADER, ...rounds.map(roundLine)].join('\n')}\n`;

test('text → series → text is the same text, for any rounds', () => {
	fc.assert(
		fc.property(fc.array(round, { maxLength: 4 }), (rounds) => {
			const text = lines(rounds);
			const series = parseSeries(text);
			assert.equal(lines(series.rounds), text);
			assert.equal(headerLine(series), HEADER);
		}),
		{ seed: 5 },
	);
});

test('series → text → series keeps everything, numbers to six digits, and moments to the millisecond', () => {
	fc.assert(
		fc.property(round, (one) => {
			const [read] = parseSeries(lines([one])).rounds;
			assert.deepEqual(shorten(read), shorten(one));
		}),
		{ seed: 6 },
	);
});

test('text cut off anywhere gives the whole rounds before the cut', () => {
	fc.assert(
		fc.property(fc.array(round, { minLength: 1, maxLength: 3 }), fc.nat(), (rounds, position) => {
			const text = lines(rounds);
			const length = HEADER.length + 1 + (position % (text.length - HEADER.length));
			const whole = text.slice(0, length).split('\n').length - 2;
			assert.equal(lines(parseSeries(text.slice(0, length)).rounds), lines(rounds.slice(0, whole)));
		}),
		{ seed: 7 },
	);
});

test('a round a week after its series began still has the gaps between its windows', () => {
	const [one] = syntheticSeries({ rounds: 1 }).rounds as readonly [Round];
	const [cell] = one.cells as readonly [Round['cells'][number]];
	const week = 7 * 86_400;
	const late = {
		...cell,
		windows: cell.windows.map((each) => ({ ...each, startedAt: week + each.startedAt + 0.1234 })),
	};
	const [read] = parseSeries(lines([{ ...one, startedAt: week + 0.0006, cells: [late] }])).rounds;
	assert.ok(Math.abs((read?.startedAt ?? 0) - week - 0.0006) < 0.00051);
	const moments = read?.cells[0]?.windows.map(({ startedAt }) => startedAt) ?? [];
	assert.equal(moments.length, late.windows.length);
	for (const [index, { startedAt }] of late.windows.entries()) {
		assert.ok(Math.abs((moments[index] ?? 0) - startedAt) < 0.00051, `${moments[index]} for ${startedAt}`);
	}
});

/** Measured numbers to six digits, moments to three decimals; counts and bytes are kept whole. −0 is 0 in JSON. */
function shorten(value: unknown): unknown {
	return JSON.parse(
		JSON.stringify(value, (key, each) => {
			if (typeof each !== 'number' || Number.isInteger(each)) return each;
			return Number(key === 'startedAt' ? each.toFixed(3) : each.toPrecision(6));
		}),
	);
}
