import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fitWindows, pairUp, partWindows, singleOrder } from '../../../src/measure/generator/one-sided-windows.ts';
import { scriptRound } from '../../support/rounds.ts';

describe('windows in turn', () => {
	const usual = { windows: 12, windowSeconds: 0.1, settleSeconds: 0.03 };
	const rounded = (value: number) => Number(value.toFixed(9));
	const fit = (lap: number) => {
		const { windows, windowSeconds, settleSeconds } = fitWindows(usual, lap);
		return { windows, windowSeconds: rounded(windowSeconds), settleSeconds: rounded(settleSeconds) };
	};

	test('are short if answers are fast', () => {
		assert.deepEqual(fit(0), usual);
		assert.deepEqual(fit(0.004), usual);
		assert.deepEqual(fit(0.0125), { ...usual, settleSeconds: 0.0375 });
	});

	test('are fewer and longer if answers are slow, with the same total time for each side', () => {
		for (const lap of [0.013, 0.02, 0.05, 0.3, 5]) {
			const fitted = fit(lap);
			assert.equal(rounded(fitted.windows * fitted.windowSeconds), 1.2, String(lap));
			assert.equal(fitted.windows % 2, 0);
			assert.ok(fitted.windowSeconds >= Math.min(0.6, 5 * lap), `${lap}: ${fitted.windowSeconds}`);
			assert.ok(fitted.settleSeconds >= Math.min(rounded(3 * lap), 0.6) && fitted.settleSeconds <= 0.6);
		}
		assert.deepEqual(fit(0.02), { windows: 8, windowSeconds: 0.15, settleSeconds: 0.06 });
		assert.deepEqual(fit(5), { windows: 2, windowSeconds: 0.6, settleSeconds: 0.6 });
	});

	test('are longer once one side is seen to stop, with the same total time for both', () => {
		const lengths = { windows: 40, windowSeconds: 0.05, settleSeconds: 0.005 };
		const { first, rest } = partWindows(lengths, true);
		assert.deepEqual(first, { ...lengths, windows: 8 });
		const counted = { base: 0.4, head: 0.5 };
		const usual = { ...lengths, windows: 32 };
		// A fifth of its time in stops of 20 ms, and a few short ones.
		const stopping = [20, 20, 20, 20, 20, 7, 6];
		assert.deepEqual(rest({ base: [], head: stopping }, counted), { ...lengths, windows: 10, windowSeconds: 0.16 });
		assert.deepEqual(rest({ base: stopping, head: [] }, counted), { ...lengths, windows: 10, windowSeconds: 0.16 });
		assert.deepEqual(rest({ base: [], head: [300] }, counted), { ...lengths, windows: 8, windowSeconds: 0.2 });
		// Stops of both sides come from the machine.
		assert.deepEqual(rest({ base: stopping, head: stopping }, counted), usual);
		assert.deepEqual(rest({ base: [], head: [20] }, counted), usual);
		assert.deepEqual(rest({ base: [], head: [] }, { base: 0, head: 0 }), usual);
	});

	test('are all alike at a rate, and if there are few', () => {
		for (const [lengths, isStretched] of [
			[{ ...usual, windows: 40 }, false],
			[{ ...usual, windows: 8 }, true],
		] as const) {
			const { first, rest } = partWindows(lengths, isStretched);
			assert.deepEqual(first, lengths);
			assert.equal(rest({ base: [], head: [20, 20, 20, 20] }, { base: 0.4, head: 0.4 }), null);
		}
	});

	test('take turns as ABBA does, and the n-th of one side belongs to the n-th of the other', () => {
		assert.deepEqual(singleOrder('alternating', 'head', 3), ['head', 'base', 'base', 'head', 'head', 'base']);
		assert.deepEqual(singleOrder('sequential', 'base', 2), ['base', 'base', 'head', 'head']);
		assert.deepEqual(singleOrder('duet', 'base', 2), []);
		const [cell] = scriptRound(1, { ping: { d: 0, windows: [0, 0.1] } }, { design: 'alternating' }).cells;
		const pairs = pairUp(cell?.windows ?? []);
		assert.deepEqual(
			pairs.map(({ kind, base, head }) => [kind, base?.completed, Math.round(head?.completed ?? 0)]),
			[
				['alternating', 2000, 2000],
				['alternating', 2000, 2210],
			],
		);
	});
});
