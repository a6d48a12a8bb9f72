/** One server's fresh base and head process. */

import { randomBytes } from 'node:crypto';
import type { ServerSpec } from '../types/config.ts';
import type { PairPlan } from '../types/plan.ts';
import type { Prepared } from '../types/prepared.ts';
import type { Fault } from '../types/round.ts';
import { otherSide, type Seconds, SIDES, type Side, type Sides } from '../types/units.ts';
import { findFreePort } from './ports.ts';
import { type ServerProcess, StartFailure, type StartOptions, startServer } from './server-process.ts';

/** Names have equal lengths, and one does not reveal the other. */
const BYTES = 5;

/** Built-in servers start within a second. A machine that needs longer is unfit. */
export const BUILTIN_RULES = { ready: { timeoutSeconds: 30 } } as const;

export type Pair = Sides<ServerProcess> &
	AsyncDisposable & {
		/** Time from spawn to first answer. */
		readonly coldStart: Sides<Seconds | null>;
	};

/** Resolves to whether the server answered. */
export type FirstAsk = (origin: string) => Promise<boolean>;

export interface StartContext extends Omit<StartOptions, 'side' | 'server' | 'ready' | 'hooks' | 'port' | 'slot'> {
	readonly slots: readonly [string, string];
}

/**
 * Starts both processes in the planned order. Returns the pair, or the faults of sides that did not start. With
 * `firstAsk` the second waits for the first's answer.
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
			// The caller does not know this server yet.
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

/** Polls more often if timed. Throws as `startServer` does. */
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

export function findEnded(pair: Pair): { side: Side; how: string } | null {
	for (const side of SIDES) {
		const how = pair[side].ending();
		if (how !== null) return { side, how };
	}
	return null;
}

/** Returns random names of equal length, each valid for a database, schema or file. */
export function nameSlots(): readonly [string, string] {
	const name = () => `slot_${randomBytes(BYTES).toString('hex')}`;
	return [name(), name()];
}
