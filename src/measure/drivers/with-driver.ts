import { listTree, readMemoryPeak, readResident } from '../../process/process-tree.ts';
import { type DriverName, OWN_DRIVER } from '../../types/ranking/driver.ts';
import type { Janitor } from '../../types/run-services.ts';
import type { Affinity } from '../affinity.ts';
import { type Generator, TurnFailed } from '../generator-process.ts';
import { runDriver } from './run-driver.ts';

/**
 * Returns a generator whose windows alone are loaded by another program. Ours still asks first and warms up, so that servers are as warm
 * as they are for it. For turns that load one side only; a turn that is aborted throws TurnFailed.
 */
export function withDriver(driver: DriverName, generator: Generator, affinity: Affinity, janitor: Janitor): Generator {
	if (driver === OWN_DRIVER) return generator;
	return {
		pid: generator.pid,
		close: () => generator.close(),
		async runTurn(order, signal, onOpened, learn) {
			const { soloFirst: side, ...turn } = order.turn;
			const report = await generator.runTurn({ ...order, turn }, signal, onOpened, learn);
			if (side === undefined) return report;
			const { soloSeconds: seconds, stages } = order.timing;
			const { load, statuses, runStartedAt } = order;
			const target = order.targets[side];
			const asked = { target, side, load, seconds, ...(stages && { stages }), statuses, runStartedAt };
			const window = await runDriver(driver, asked, affinity, janitor, signal).catch((error) => {
				// As our own generator says it: whoever asked knows what has ended.
				throw signal.aborted ? new TurnFailed(`${driver} was stopped`) : error;
			});
			const tree = listTree(target.pid);
			const memoryAfterLoad = { ...report.memoryAfterLoad, [side]: readResident(tree) };
			const memoryPeak = { ...report.memoryPeak, [side]: readMemoryPeak(tree) };
			return { ...report, windows: [...report.windows, window], memoryAfterLoad, memoryPeak };
		},
	};
}
