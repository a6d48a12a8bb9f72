/** Sees connections to servers under test that are not ours, over a whole run. */
import type { Janitor } from '../../types/run-services.ts';
import type { Sides } from '../../types/units.ts';
import type { Affinity } from '../affinity.ts';
import { watchClosedConnections } from './closed-connections.ts';
import { createLedger } from './ledger.ts';
import type { Watched } from './live-connections.ts';
import { onOwnConnection } from './own-connections.ts';
import { type TurnWatch, watchTurn } from './turn-watch.ts';

export interface ConnectionWatch {
	/** Whether the kernel reports each connection that ends. */
	readonly exact: boolean;
	/** A server of ours is about to listen there: what happens on the port counts from now on. */
	follow(port: number): void;
	/** Watches a turn of these servers, which a generator process loads. */
	begin(servers: Sides<Watched>, generator: number): TurnWatch;
	close(): Promise<void>;
}

/**
 * Begins to watch. With `asksKernel` false only counters and tables are read, as where there is no `ss`. With `refusesRival` no side
 * can connect to the other one's server.
 */
export async function openConnectionWatch(
	affinity: Affinity,
	janitor: Janitor,
	asksKernel = true,
	refusesRival = false,
): Promise<ConnectionWatch> {
	const clock = () => performance.now();
	const ledger = createLedger(clock);
	const followed = new Set<number>();
	const forget = onOwnConnection((port, peer) => {
		if (followed.has(port)) ledger.opened(port, peer);
	});
	const closed = asksKernel
		? await watchClosedConnections(
				(connection) => {
					if (followed.has(connection.port)) ledger.closed(connection);
				},
				affinity,
				janitor,
			)
		: null;
	return {
		exact: closed !== null,
		follow: (port) => void followed.add(port),
		begin: (servers, generator) =>
			watchTurn({
				servers,
				ours: () => ({
					'the load generator': generator,
					...(closed && { 'the process that watches connections': closed.pid }),
					benchgate: process.pid,
				}),
				ledger,
				settle: closed && (() => closed.settle()),
				losses: () => closed?.losses ?? 0,
				refusesRival,
				clock,
			}),
		async close() {
			forget();
			await closed?.close();
		},
	};
}
