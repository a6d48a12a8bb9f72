/** Pure: series of servers against themselves. */
import type { Design } from '../../src/types/config.ts';
import type { Timing } from '../../src/types/plan.ts';
import type { Effect } from '../series.ts';
import type { Item } from './item.ts';

/** Almost no warm-up and many short windows: any warm-up and any number of windows can be cut out of it afterwards. */
const FINE: Partial<Timing> = {
	soloRounds: 0,
	firstWarmup: { requests: 1, leastSeconds: 0.1, mostSeconds: 0.2 },
	warmup: { requests: 1, leastSeconds: 0.1, mostSeconds: 0.2 },
	windowSeconds: 0.25,
	windows: 22,
};

/** Windows that load one side alone decide nothing. */
export const NO_SOLO: Partial<Timing> = { soloRounds: 0 };
const SAME: Effect = { kind: 'same' };
/** As many rounds as several runs of a matrix need. */
const MATRIX_ROUNDS = 24;
const FINE_LIMITS = { threshold: '2%', budget: '30m' };
/** The goal is ten minutes; a run that stops there would not show by how much it misses it. */
const WIDE_LIMITS = { threshold: '5%', budget: '20m' };

/** Question 1: two scenarios per process, everything recorded from the first request on. */
export function timingItem(server: string): Item {
	return {
		id: `timing-${server}`,
		experiment: 'timing',
		server,
		scenarios: ['param-json', 'json-post'],
		effect: SAME,
		designs: ['duet'],
		rounds: 16,
		timing: FINE,
		seed: 101,
	};
}

/** The designs in turn on one cell, to replay every rule on. */
export function designsItem(server: string, pass: number, designs: readonly Design[]): Item {
	return {
		id: `designs-${server}-${pass}`,
		experiment: 'designs',
		server,
		scenarios: ['param-json'],
		effect: SAME,
		designs,
		rounds: 16,
		timing: NO_SOLO,
		seed: 200 + pass,
	};
}

/** Question 6: one server alone, or two at the same time. */
export function togetherItem({ server, beside }: Pick<Item, 'server' | 'beside'>, index: number): Item {
	const names = beside ? `2-${server}-${beside}` : `1-${server}`;
	return {
		id: `together-${names}`,
		experiment: 'together',
		server,
		...(beside && { beside }),
		scenarios: ['param-json'],
		effect: SAME,
		designs: ['duet'],
		rounds: 14,
		timing: NO_SOLO,
		seed: 500 + index,
	};
}

/** Run `run` of a six-cell matrix under user conditions. */
export function liveItem(server: string, run: number): Item {
	return {
		id: `live-${String(run).padStart(3, '0')}-${server}`,
		experiment: 'live',
		server,
		scenarios: ['core'],
		effect: SAME,
		designs: ['duet'],
		rounds: 20,
		timing: {},
		seed: 1000 + run,
	};
}

/** The same matrix, but every round measures every cell. */
export function matrixItem(server: string, pass: number): Item {
	return {
		id: `matrix-${server}-${pass}`,
		experiment: 'matrix',
		server,
		scenarios: ['core'],
		effect: SAME,
		designs: ['duet'],
		rounds: MATRIX_ROUNDS,
		timing: NO_SOLO,
		seed: 600 + pass,
	};
}

/** Several servers in one run, with enough time. */
export function wideItem(servers: readonly string[], run: number): Item {
	return {
		...liveItem(servers.join(','), run),
		id: `live-${servers.length}-servers-${run}`,
		limits: WIDE_LIMITS,
		seed: 1100 + run,
	};
}

/** The same matrix with a small threshold and much time. */
export function fineItem(server: string, index: number): Item {
	return { ...liveItem(server, 1), id: `live-fine-${server}`, limits: FINE_LIMITS, seed: 900 + index };
}
