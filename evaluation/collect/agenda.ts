/** Pure: the series to measure, in order. */
import { DESIGNS, type Design } from '../../src/types/config.ts';
import type { Item } from './item.ts';
import { designsItem, fineItem, liveItem, matrixItem, timingItem, togetherItem, wideItem } from './same-items.ts';
import { validityItems } from './validity-items.ts';

const SERVERS = ['express', 'koa', 'fastify', 'node-http'];
const MATRIX_SERVERS = ['express', 'koa', 'hono', 'fastify', 'node-http'];
const MATRIX_PASSES = 3;
const LIVE_RUNS = 64;
const FINE_SERVERS = ['koa', 'express'];
const WIDE_SERVERS = ['express', 'koa', 'hono', 'fastify'];
const WIDE_RUNS = 3;
/** More rounds to replay rules on; some rules need thirty or fifty runs of each side. */
const PEER_PASSES: readonly {
	readonly server: string;
	readonly passes: readonly number[];
	readonly designs: readonly Design[];
}[] = [
	{ server: 'koa', passes: [2, 3, 4], designs: ['sequential'] },
	{ server: 'koa', passes: [5, 6, 7], designs: ['duet', 'sequential'] },
	{ server: 'express', passes: [2, 3, 4], designs: ['duet', 'sequential'] },
];
/** Two servers one after the other, and both at once. */
const TOGETHER: readonly Pick<Item, 'server' | 'beside'>[] = [
	{ server: 'koa' },
	{ server: 'node-http' },
	{ server: 'koa', beside: 'node-http' },
];

/** Returns the whole agenda in order. */
export function planAgenda(): readonly Item[] {
	return [
		...SERVERS.map(timingItem),
		...SERVERS.map((server) => designsItem(server, 1, DESIGNS)),
		...validityItems(),
		...TOGETHER.map(togetherItem),
		...PEER_PASSES.flatMap(({ server, passes, designs }) => passes.map((pass) => designsItem(server, pass, designs))),
		...FINE_SERVERS.map(fineItem),
		...passes(WIDE_RUNS).map((run) => wideItem(WIDE_SERVERS, run)),
		...passes(MATRIX_PASSES).flatMap((pass) => MATRIX_SERVERS.map((server) => matrixItem(server, pass))),
		...passes(LIVE_RUNS).map((run) => liveItem(MATRIX_SERVERS[(run - 1) % MATRIX_SERVERS.length] as string, run)),
	];
}

function passes(count: number): number[] {
	return Array.from({ length: count }, (_, index) => index + 1);
}
