/** Whether this machine is worth measuring on in several lanes: finds them, measures in them, and says what came out. */

import { checkLanes } from '../../judge/selftest/check-lanes.ts';
import { type Bench, type BenchOptions, openBench } from '../../measure/bench.ts';
import type { Laboratory } from '../../measure/laboratory.ts';
import { describeLanes, type FoundLanes, findLanes } from '../../measure/lanes/find-lanes.ts';
import { holdOrchestrator } from '../../measure/lanes/hold-orchestrator.ts';
import { monotonicSeconds } from '../../process/clock.ts';
import type { Config } from '../../types/config.ts';
import type { Cell } from '../../types/plan.ts';
import type { Janitor, Progress } from '../../types/run-services.ts';
import type { LaneCheck } from '../../types/selftest.ts';
import type { Fraction, Seconds, Warning } from '../../types/units.ts';
import type { Calibrator } from './calibrator.ts';
import { measureLanes, PLANTED } from './measure-lanes.ts';

export interface LanesToCheck {
	/** Null where nobody asked for more than one lane, or there is none. */
	readonly found: FoundLanes | null;
	/** Why there is none. */
	readonly noLanes: readonly Warning[];
}

export interface CheckOptions extends BenchOptions {
	readonly config: Config;
	readonly progress: Progress;
	readonly cells: readonly Cell[];
	readonly calibrator: Calibrator;
	/** Returns the laboratories of a bench, by injected amount. */
	readonly laboratoryOf: (bench: Pick<Bench, 'laboratory'>) => (amount: Fraction) => Laboratory;
	/** Those that measure alone. */
	readonly alone: (amount: Fraction) => Laboratory;
	readonly left: () => Seconds;
}

/** Returns the lanes that a selftest was asked about. Throws as `findLanes`. */
export async function findLanesToCheck({
	config,
	janitor,
	lanes,
}: {
	readonly config: Pick<Config, 'lanes'>;
	readonly janitor: Janitor;
	readonly lanes?: FoundLanes;
}): Promise<LanesToCheck> {
	const wish = config.lanes ?? 1;
	if (lanes === undefined && wish === 1) return { found: null, noLanes: [] };
	const found = lanes ?? (await findLanes({ wish, janitor }));
	if (found.lanes.length > 1) return { found, noLanes: found.warnings };
	const only: Warning = {
		code: 'one-lane',
		message: 'This machine has room for one lane, so a second one could not be tested.',
	};
	return { found: null, noLanes: found.warnings.length > 0 ? found.warnings : [only] };
}

/** Measures in all lanes until the time is over, and returns what that says of them. */
export async function checkLanesOf(found: FoundLanes, options: CheckOptions): Promise<LaneCheck> {
	const { config, cells, calibrator, laboratoryOf, alone, left, progress, signal } = options;
	const pinning = describeLanes(found.lanes);
	progress.step(`Measuring alone and in ${found.lanes.length} lanes at once`);
	const benches: Bench[] = [];
	const letGo = found.orchestrator === null ? () => {} : holdOrchestrator(found.orchestrator);
	try {
		for (const affinity of found.lanes) benches.push(await openBench({ ...options, affinity }));
		const samples = await measureLanes({
			config,
			cells,
			alone,
			lanes: benches.map(laboratoryOf),
			amountFor: (cell, drop, plan) => calibrator.amountFor(cell.server, drop, plan),
			left,
			clock: monotonicSeconds,
			signal,
			onVisit: (cell, drop) =>
				progress.status(`Lanes: ${cell}, ${drop === 0 ? 'against itself' : 'with head slowed down'}`),
		});
		return checkLanes(samples, found.lanes.length, PLANTED, pinning);
	} finally {
		letGo();
		await Promise.all(benches.map((bench) => bench.close()));
	}
}
