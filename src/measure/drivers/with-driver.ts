import { listTree, readMemoryPeak } from '../../process/process-tree.ts';
import { type DriverName, OWN_DRIVER } from '../../types/ranking/driver.ts';
import type { Janitor } from '../../types/run-services.ts';
import type { Affinity } from '../affinity.ts';
import type { Generator } from '../generator-process.ts';
import { runWrk } from './run-wrk.ts';

/**
 * Returns a generator whose windows alone are loaded by another program. Ours still asks first and warms up, so that servers are as warm
 * as they are for it. For turns that load one side only.
 */
export function withDriver(driver: DriverName, generator: Generator, affinity: Affinity, janitor: Janitor): Generator {
	if (driver === OWN_DRIVER) return generator;
	return {
		pid: generator.pid,
		close: () => generator.close(),
		async runTurn(order, signal, onOpened) {
			const { soloFirst: side, ...turn } = order.turn;
			const report = await generator.runTurn({ ...order, turn }, signal, onOpened);
			if (side === undefined) return report;
			const window = await runWrk(
				{
					target: order.targets[side],
					side,
					load: order.load,
					seconds: order.timing.soloSeconds,
					refusals: order.statuses.some((status) => status >= 400),
					runStartedAt: order.runStartedAt,
				},
				affinity,
				janitor,
				signal,
			);
			const memoryPeak = { ...report.memoryPeak, [side]: readMemoryPeak(listTree(order.targets[side].pid)) };
			return { ...report, windows: [...report.windows, window], memoryPeak };
		},
	};
}
