import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packLatency } from '../../src/formats/raw/packed-histogram.ts';
import { renderRaw } from '../../src/formats/raw/raw-file.ts';
import type { Raw } from '../../src/types/result.ts';
import type { LatencyHistogram } from '../../src/types/round.ts';
import { shardPlanOf, shardRawOf } from '../support/shards.ts';

const RAW = shardRawOf(shardPlanOf(['koa/ping', 'koa/json'], 1), 1);

function withLatency(latency: LatencyHistogram): Raw {
	const side = <T extends { readonly latency: LatencyHistogram } | null>(one: T) => one && { ...one, latency };
	return {
		...RAW,
		rounds: RAW.rounds.map((round) => ({
			...round,
			cells: round.cells.map((turn) => ({
				...turn,
				windows: turn.windows.map((window) => ({ ...window, base: side(window.base), head: side(window.head) })),
			})),
		})),
	};
}

const HISTOGRAMS: readonly (readonly [string, LatencyHistogram])[] = [
	[
		'whole numbers',
		[
			[90, 3],
			[1000, 0],
			[2 ** 32 - 1, 2 ** 32 - 1],
		],
	],
	[
		'numbers beyond 32 bits',
		[
			[90, 3],
			[2 ** 32, 2 ** 33 + 1],
		],
	],
	[
		'each length',
		[0, 127, 128, 16_383, 16_384, 2 ** 21, 2 ** 28 - 1, 2 ** 28, 2 ** 31, 2 ** 32 - 1].map((value) => [value, value]),
	],
	[
		'values that fall',
		[
			[200, 1],
			[100, 2],
		],
	],
	['parts of answers', [[1e3, 900.1 / 3]]],
	['nothing', []],
];

for (const [label, latency] of HISTOGRAMS) {
	test(`packed latencies of ${label} are the same to the last bit, and are written alike`, () => {
		const raw = withLatency(latency);
		const packed = packLatency(raw);
		assert.deepEqual(packed, raw);
		assert.equal(renderRaw(packed), renderRaw(raw));
		const side = packed.rounds[0]?.cells[0]?.windows[0]?.base;
		assert.equal(typeof Object.getOwnPropertyDescriptor(side, 'latency')?.get, 'function');
		assert.notEqual(side?.latency, side?.latency, 'the list of pairs is not kept');
	});
}
