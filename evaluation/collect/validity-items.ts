/** Pure: question 2, series with different sides. */
import { costOfDrop, type InjectionKind, TAIL_EVERY } from '../../src/inject/injection.ts';
import { DESIGNS } from '../../src/types/config.ts';
import type { Effect } from '../series.ts';
import type { Item } from './item.ts';
import { NO_SOLO } from './same-items.ts';

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

/** Of each design: enough for a useful mean in the sequential design, which spreads most. */
const ROUNDS = 8;
/** For effects that are large when loaded alone, or counted answer by answer. */
const FEW_ROUNDS = 4;

/** `amount` is in the unit of the kind; for kinds that burn CPU time it follows from the drop. */
const INJECTIONS: readonly {
	readonly kind: InjectionKind;
	readonly drop?: number;
	readonly amount?: number;
	readonly every?: number;
	/** Base does the same work in this way; the sides differ in nothing else. */
	readonly insteadOf?: InjectionKind;
	readonly server: string;
	readonly rounds?: number;
}[] = [
	{ kind: 'cpu', drop: 0.1, server: 'express' },
	{ kind: 'cpu', drop: 0.05, server: 'koa' },
	{ kind: 'cpu', drop: 0.1, server: 'node-http' },
	{ kind: 'cpu', drop: 0.05, every: TAIL_EVERY, server: 'koa' },
	{ kind: 'threadpool', drop: 0.1, server: 'express' },
	{ kind: 'wait', amount: 2, server: 'express', rounds: FEW_ROUNDS },
	{ kind: 'lock', amount: 0.02, server: 'express', rounds: FEW_ROUNDS },
	{ kind: 'allocation', amount: 4, server: 'express' },
	{ kind: 'leak', amount: 1, server: 'koa' },
	{ kind: 'threadpool', amount: costOfDrop(0.1), every: TAIL_EVERY, insteadOf: 'cpu', server: 'express' },
	{ kind: 'lock', amount: 0.35, every: TAIL_EVERY, server: 'express' },
	{ kind: 'lock', amount: 0.35, every: 400, server: 'express' },
	{ kind: 'wait', amount: 20, every: TAIL_EVERY, server: 'koa', rounds: FEW_ROUNDS },
	{ kind: 'wrong', amount: 0.01, server: 'koa', rounds: FEW_ROUNDS },
];

/** Returns the items of every real pair and every injection. */
export function validityItems(): readonly Item[] {
	return [...PAIRS.map(pairItem), ...INJECTIONS.map(injectionItem)];
}

function pairItem({ server, effect }: (typeof PAIRS)[number], index: number): Item {
	const name = effect.kind === 'servers' ? `${effect.base}-${effect.head}` : `${server}-versions`;
	return validityItem(`validity-${name}`, server, effect, 300 + index);
}

function injectionItem(one: (typeof INJECTIONS)[number], index: number): Item {
	const { kind, drop, amount, every = 1, insteadOf, server, rounds } = one;
	const injection = { kind, amount: amount ?? costOfDrop(drop ?? 0), every };
	const base = insteadOf ? { base: { ...injection, kind: insteadOf } } : {};
	const seldom = every > 1 ? [every === TAIL_EVERY ? 'tail' : `1-in-${every}`] : [];
	const how = [...(insteadOf ? ['for', insteadOf] : []), ...seldom];
	const name = ['validity', kind, ...how, ...(drop ? [`${drop * 100}`] : []), server].join('-');
	return validityItem(name, server, { kind: 'injection', injection, ...base, drop: drop ?? null }, 400 + index, rounds);
}

function validityItem(id: string, server: string, effect: Effect, seed: number, rounds = ROUNDS): Item {
	return {
		id,
		experiment: 'validity',
		server,
		scenarios: ['param-json'],
		effect,
		designs: DESIGNS,
		rounds,
		timing: NO_SOLO,
		seed,
	};
}
