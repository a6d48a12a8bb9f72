import type { Janitor } from '../../types/run-services.ts';
import type { Sides } from '../../types/units.ts';
import type { Affinity } from '../affinity.ts';
import { watchClosedConnections } from './closed-connections.ts';
import type { Watched } from './live-connections.ts';
import { createLedger, onOwnConnection } from './own-connections.ts';
import { type TurnWatch, watchTurn } from './turn-watch.ts';

export interface ConnectionWatch {
	readonly exact: boolean;
	/** Counts events on the port. Call it before our server listens. */
	follow(port: number): void;
	begin(servers: Sides<Watched>, generator: number): TurnWatch;
	close(): Promise<void>;
}

/**
 * Without `asksKernel`, or without `ss`, it reads only counters and tables.
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
