/** Pure: which series are measured, in which order. */
import { costOfDrop, type InjectionKind, TAIL_EVERY } from '../../src/inject/injection.ts';
import type { Design } from '../../src/types/config.ts';
import type { Timing } from '../../src/types/plan.ts';
import type { Effect, Experiment } from '../series.ts';

/** One series that is to be measured. */
export interface Item {
	readonly id: string;
	readonly experiment: Experiment;
	/** Built-in server both sides run; of `servers` effects the one whose name the cells have. */
	readonly server: string;
	readonly scenarios: readonly string[];
	readonly effect: Effect;
	/** Server whose pair is measured at the same time, on the same CPUs. */
	readonly beside?: string;
	/** Take turns, round by round. */
	readonly designs: readonly Design[];
	/** Rounds of each design. */
	readonly rounds: number;
	/** Limits of a live run where they differ from the defaults, as flags. */
	readonly limits?: { readonly threshold: string; readonly budget: string };
	/** What differs from the timing of a comparison. */
	readonly timing: Partial<Timing>;
	readonly seed: number;
}

/** No warm-up to speak of and many short windows: any warm-up and any number of windows can be cut out of it afterwards. */
const FINE: Partial<Timing> = {
	soloRounds: 0,
	firstWarmup: { requests: 1, leastSeconds: 0.1, mostSeconds: 0.2 },
	warmup: { requests: 1, leastSeconds: 0.1, mostSeconds: 0.2 },
	windowSeconds: 0.25,
	windows: 22,
};

const ALL_DESIGNS: readonly Design[] = ['duet', 'alternating', 'sequential'];
/** Windows that load one side alone decide nothing. */
const NO_SOLO: Partial<Timing> = { soloRounds: 0 };
const SAME: Effect = { kind: 'same' };

/** Real pairs: versions of frameworks, and frameworks against each other. */
const PAIRS: readonly { readonly server: string; readonly effect: Effect }[] = [
	{ server: 'express', effect: { kind: 'revisions', base: 'npm:express@4.21.2', head: 'npm:express@5.1.0' } },
	{ server: 'hono', effect: { kind: 'revisions', base: 'npm:hono@4.12.8', head: 'npm:hono@4.13.19' } },
	{ server: 'koa', effect: { kind: 'servers', base: 'koa', head: 'express' } },
	{ server: 'fastify', effect: { kind: 'servers', base: 'fastify', head: 'koa' } },
	{ server: 'node-http', effect: { kind: 'servers', base: 'node-http', head: 'hono' } },
	{ server: 'node-http', effect: { kind: 'servers', base: 'node-http', head: 'koa' } },
	{ server: 'hono', effect: { kind: 'servers', base: 'hono', head: 'koa' } },
];

/** Two servers one after the other, and both at once. */
const TOGETHER: readonly { readonly server: string; readonly beside?: string }[] = [
	{ server: 'koa' },
	{ server: 'node-http' },
	{ server: 'koa', beside: 'node-http' },
];

/** `amount` is in the unit of the kind; of those that burn CPU time it follows from the drop. */
const INJECTIONS: readonly {
	readonly kind: InjectionKind;
	readonly drop?: number;
	readonly amount?: number;
	readonly every?: number;
	readonly server: string;
}[] = [
	{ kind: 'cpu', drop: 0.1, server: 'express' },
	{ kind: 'cpu', drop: 0.05, server: 'koa' },
	{ kind: 'cpu', drop: 0.1, server: 'node-http' },
	{ kind: 'cpu', drop: 0.05, every: TAIL_EVERY, server: 'koa' },
	{ kind: 'threadpool', drop: 0.1, server: 'express' },
	{ kind: 'wait', amount: 2, server: 'express' },
	{ kind: 'lock', amount: 0.02, server: 'express' },
	{ kind: 'allocation', amount: 4, server: 'express' },
	{ kind: 'leak', amount: 1, server: 'koa' },
];

const SERVERS = ['express', 'koa', 'fastify', 'node-http'];
/** Servers whose solo runs are many enough for rules that want thirty or fifty of each side. */
const LONG_SERVERS = ['koa'];
const LONG_PASSES = [2, 3];

/** Runs of a six-cell matrix against itself, as a user would run it. */
const LIVE_SERVERS = ['express', 'koa', 'hono', 'fastify', 'node-http'];
const LIVE_RUNS = 100;
/** Servers whose matrix is run with a small threshold and much time too. */
const FINE_SERVERS = ['koa', 'express'];
const FINE_LIMITS = { threshold: '2%', budget: '30m' };

/** Returns the whole agenda, in the order it is measured. */
export function planAgenda(): readonly Item[] {
	return [
		...SERVERS.map(timingItem),
		...SERVERS.map((server) => designsItem(server, 1, ALL_DESIGNS)),
		...PAIRS.map(pairItem),
		...INJECTIONS.map(injectionItem),
		...TOGETHER.map(togetherItem),
		...LONG_PASSES.flatMap((pass) => LONG_SERVERS.map((server) => designsItem(server, pass, ['sequential']))),
		...FINE_SERVERS.map(fineItem),
		...Array.from({ length: LIVE_RUNS }, (_, index) => liveItem(index + 1)),
	];
}

function timingItem(server: string): Item {
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

function designsItem(server: string, pass: number, designs: readonly Design[]): Item {
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

function pairItem({ server, effect }: (typeof PAIRS)[number], index: number): Item {
	const name = effect.kind === 'servers' ? `${effect.base}-${effect.head}` : `${server}-versions`;
	return validityItem(`validity-${name}`, server, effect, 300 + index);
}

function injectionItem({ kind, drop, amount, every = 1, server }: (typeof INJECTIONS)[number], index: number): Item {
	const injection = { kind, amount: amount ?? costOfDrop(drop ?? 0), every };
	const name = [kind, ...(every > 1 ? ['tail'] : []), ...(drop ? [`${drop * 100}%`] : []), server].join('-');
	return validityItem(
		`validity-${name.replace('%', '')}`,
		server,
		{ kind: 'injection', injection, drop: drop ?? null },
		400 + index,
	);
}

function validityItem(id: string, server: string, effect: Effect, seed: number): Item {
	return {
		id,
		experiment: 'validity',
		server,
		scenarios: ['param-json'],
		effect,
		designs: ALL_DESIGNS,
		rounds: 4,
		timing: NO_SOLO,
		seed,
	};
}

function togetherItem({ server, beside }: (typeof TOGETHER)[number], index: number): Item {
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

function liveItem(run: number): Item {
	const server = LIVE_SERVERS[(run - 1) % LIVE_SERVERS.length] as string;
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

function fineItem(server: string, index: number): Item {
	return { ...liveItem(1), id: `live-fine-${server}`, server, limits: FINE_LIMITS, seed: 900 + index };
}
