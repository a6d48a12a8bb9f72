/** One server's fresh base process and fresh head process. */

import { randomBytes } from 'node:crypto';
import type { ServerSpec } from '../types/config.ts';
import type { PairPlan } from '../types/plan.ts';
import type { Prepared } from '../types/prepared.ts';
import type { Fault } from '../types/round.ts';
import { otherSide, type Seconds, SIDES, type Side, type Sides } from '../types/units.ts';
import { findFreePort } from './ports.ts';
import { type ServerProcess, StartFailure, type StartOptions, startServer } from './server-process.ts';

/** Equal lengths, and neither of them tells the other. */
const BYTES = 5;

/** A built-in server is up within a second; a machine that needs longer than this is not worth measuring on. */
export const BUILTIN_RULES = { ready: { timeoutSeconds: 30 } } as const;

export type Pair = Sides<ServerProcess> &
	AsyncDisposable & {
		/** From spawn to first answer; null where that was not timed, or the server did not answer. */
		readonly coldStart: Sides<Seconds | null>;
	};

/** Asks a server once; returns whether it answered. */
export type FirstAsk = (origin: string) => Promise<boolean>;

export interface StartContext extends Omit<StartOptions, 'side' | 'server' | 'ready' | 'hooks' | 'port' | 'slot'> {
	/** Names of the two places of a pair. */
	readonly slots: readonly [string, string];
}

/**
 * Starts both processes in the planned order and returns them ready, or the faults of the sides that did not come up. With `firstAsk`
 * the second waits for the first one's answer: at once they would compete for their CPU, and each would time the other's start, too.
 */
export async function startPair(
	spec: ServerSpec,
	prepared: Prepared,
	plan: Pick<PairPlan, 'startFirst' | 'slot'>,
	context: StartContext,
	firstAsk?: FirstAsk,
): Promise<Pair | readonly Fault[]> {
	const ports = [await findFreePort(), await findFreePort()] as const;
	const isTimed = firstAsk !== undefined;
	const start = (side: Side) =>
		startSide(spec, prepared, plan, context, { side, port: ports[plan.slot[side]], isTimed });
	const order = [plan.startFirst, otherSide(plan.startFirst)];
	const coldStart: Sides<Seconds | null> = { base: null, head: null };
	const timed = async (side: Side, ask: FirstAsk) => {
		const server = await start(side);
		try {
			if (await ask(server.origin)) coldStart[side] = (performance.now() - server.spawnedAt) / 1000;
			return server;
		} catch (error) {
			// Nobody else knows of it yet.
			await server.stop();
			throw error;
		}
	};
	const outcomes =
		firstAsk === undefined
			? await Promise.allSettled(order.map(start))
			: [
					...(await settle(timed(plan.startFirst, firstAsk))),
					...(await settle(timed(otherSide(plan.startFirst), firstAsk))),
				];
	const started = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
	const stop = async () => void (await Promise.all(started.map((server) => server.stop())));
	const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
	if (failures.length > 0) {
		await stop();
		return failures.map((failure) => {
			if (failure instanceof StartFailure) return failure.fault;
			throw failure;
		});
	}
	const find = (side: Side) => started.find((server) => server.side === side) as ServerProcess;
	return { base: find('base'), head: find('head'), coldStart, [Symbol.asyncDispose]: stop };
}

/** Starts one side's process of a pair at `port`; one that is timed is looked at more often. Throws as `startServer` does. */
export function startSide(
	spec: ServerSpec,
	prepared: Prepared,
	plan: Pick<PairPlan, 'slot'>,
	context: StartContext,
	{ side, port, isTimed }: { readonly side: Side; readonly port: number; readonly isTimed: boolean },
): Promise<ServerProcess> {
	const server = prepared.sides[side].servers[spec.name];
	if (!server) throw new Error(`${spec.name} was planned but not prepared on ${side}`);
	const rules = server.starting ?? (spec.kind === 'custom' ? { ready: spec.ready, hooks: spec } : BUILTIN_RULES);
	const ready = { ...rules.ready, isTimed };
	return startServer({ ...context, side, server, port, slot: context.slots[plan.slot[side]], ...rules, ready });
}

function settle<T>(work: Promise<T>): Promise<PromiseSettledResult<T>[]> {
	return Promise.allSettled([work]);
}

/** Which process of the pair ended by itself, and how; null while both run. */
export function findEnded(pair: Pair): { side: Side; how: string } | null {
	for (const side of SIDES) {
		const how = pair[side].ending();
		if (how !== null) return { side, how };
	}
	return null;
}

// Names for the places of a pair's processes: of a database, a schema or a file of their own.

/**
 * Returns the names of a pair's two places: letters, digits and underscores, of equal length, good for a database, a schema or a
 * file. No other run on the machine has them.
 */
export function nameSlots(): readonly [string, string] {
	const name = () => `slot_${randomBytes(BYTES).toString('hex')}`;
	return [name(), name()];
}
