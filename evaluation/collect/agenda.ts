/** Pure: which series are measured, in which order. */
import { DESIGNS } from '../../src/types/config.ts';
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
/** Servers whose solo runs are many enough for rules that want thirty or fifty of each side. */
const LONG_SERVERS = ['koa'];
const LONG_PASSES = [2, 3, 4];
/** Two servers one after the other, and both at once. */
const TOGETHER: readonly Pick<Item, 'server' | 'beside'>[] = [
	{ server: 'koa' },
	{ server: 'node-http' },
	{ server: 'koa', beside: 'node-http' },
];

/** Returns the whole agenda, in the order it is measured. */
export function planAgenda(): readonly Item[] {
	return [
		...SERVERS.map(timingItem),
		...SERVERS.map((server) => designsItem(server, 1, DESIGNS)),
		...validityItems(),
		...TOGETHER.map(togetherItem),
		...LONG_PASSES.flatMap((pass) => LONG_SERVERS.map((server) => designsItem(server, pass, ['sequential']))),
		...FINE_SERVERS.map(fineItem),
		...passes(WIDE_RUNS).map((run) => wideItem(WIDE_SERVERS, run)),
		...passes(MATRIX_PASSES).flatMap((pass) => MATRIX_SERVERS.map((server) => matrixItem(server, pass))),
		...passes(LIVE_RUNS).map((run) => liveItem(MATRIX_SERVERS[(run - 1) % MATRIX_SERVERS.length] as string, run)),
	];
}

function passes(count: number): number[] {
	return Array.from({ length: count }, (_, index) => index + 1);
}
