/** Starts one side under a probe. */
import type { CellCoverage } from '../../types/coverage.ts';
import type { Cell, Timing } from '../../types/plan.ts';
import type { Side } from '../../types/units.ts';
import { learnerOf } from '../answers/verify-scenario.ts';
import { orderTurn } from '../generator/order-turn.ts';
import type { Pair } from '../pair.ts';
import type { LaboratoryOptions } from '../turn-parts.ts';
import { mergeReports } from './listen-to-probes.ts';
import { isUnseen, type Probed, runProbed } from './run-probed.ts';

/** Base alone answers about twice as often as beside head. */
const ALONE = 0.5;

/** `round`: as many requests as a round sends. `glance`: some. */
export type CoverExtent = 'round' | 'glance';

const GLANCE_SECONDS = 0.2;
const NO_WARMUP = { requests: 0, leastSeconds: 0, mostSeconds: 0 };

/** Loads one side alone. Its failures are in `unseen`. Throws the abort reason. */
export async function coverCell(
	options: LaboratoryOptions,
	cell: Cell,
	extent: CoverExtent,
	side: Side,
): Promise<CellCoverage> {
	const covered = await runProbed(options, cell, { side }, async (probed) => {
		const before = await probed.take();
		const answered = await load(options, cell, probed, extent);
		return mergeReports(before, await probed.take(), { root: probed.root, answered });
	});
	return isUnseen(covered) ? { requests: 0, scripts: [], reads: [], texts: [], unseen: [covered] } : covered;
}

async function load(
	options: LaboratoryOptions,
	cell: Cell,
	{ server, scenario, traffic, verified }: Probed,
	extent: CoverExtent,
): Promise<number> {
	if (scenario.metrics !== undefined || scenario.inProcess) return 0;
	const { affinity, signal } = options.start;
	const timing = timingAlone(options.timing('duet'), extent);
	const turn = { cell: cell.id, clientFirst: 'base', windowFirst: 'base', soloFirst: 'base', only: 'base' } as const;
	const { held } = server;
	const order = {
		turn,
		design: 'sequential',
		timing,
		fresh: true,
		affinity,
		held,
		startedAt: options.startedAt,
	} as const;
	const learner = learnerOf({ base: server.origin, head: server.origin }, scenario, () => {});
	const { windows } = await options.generator.runTurn(
		orderTurn(scenario, traffic, verified, { base: server, head: server } as Pair, order),
		signal,
		() => {},
		learner,
	);
	return windows.reduce((sum, window) => sum + (window.base?.completed ?? 0), 0);
}

function timingAlone(timing: Timing, extent: CoverExtent): Timing {
	const { firstWarmup, windows, windowSeconds, soloSeconds, soloRounds } = timing;
	if (extent === 'glance')
		return { ...timing, firstWarmup: NO_WARMUP, windows: 0, settleSeconds: 0, soloSeconds: GLANCE_SECONDS };
	const seconds = ALONE * windows * windowSeconds + soloRounds * soloSeconds;
	const mostSeconds = Math.max(firstWarmup.leastSeconds, ALONE * firstWarmup.mostSeconds);
	return { ...timing, firstWarmup: { ...firstWarmup, mostSeconds }, windows: 0, soloSeconds: seconds };
}
