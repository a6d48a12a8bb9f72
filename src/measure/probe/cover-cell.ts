/** Starts base under a probe. */
import type { CellCoverage } from '../../types/coverage.ts';
import type { Cell, Timing } from '../../types/plan.ts';
import { learnerOf, verifyScenario } from '../answers/verify-scenario.ts';
import { firstRows, orderTurn } from '../generator/order-turn.ts';
import { TurnFailed } from '../generator-process.ts';
import { type Pair, startSide } from '../pair.ts';
import { findFreePort } from '../ports.ts';
import { type ServerProcess, StartFailure } from '../server-process.ts';
import { hostServer } from '../start/host-server.ts';
import { findScenario, findServer, type LaboratoryOptions, startingOf } from '../turn-parts.ts';
import { listenToProbes } from './listen-to-probes.ts';
import { mergeReports } from './merge-reports.ts';

/** Base alone answers about twice as often as beside head. */
const ALONE = 0.5;

/** `round`: as many requests as a round sends. `glance`: some. */
export type CoverExtent = 'round' | 'glance';

const GLANCE_SECONDS = 0.2;
const NO_WARMUP = { requests: 0, leastSeconds: 0, mostSeconds: 0 };
const PLACE = { startFirst: 'base', slot: { base: 0, head: 1 } } as const;

/** Starts and loads base alone. Failures of the server are in `unseen`. Throws the abort reason. */
export async function coverCell(options: LaboratoryOptions, cell: Cell, extent: CoverExtent): Promise<CellCoverage> {
	const spec = findServer(options, cell.server);
	const scenario = findScenario(options, cell.scenario);
	const prepared = hostServer(options.prepared, spec.name, scenario, { only: 'base', folder: options.start.logFolder });
	const server = prepared.sides.base.servers[spec.name];
	if (server === undefined) return failed(`base has no server ${spec.name}`);
	const root = `${server.root ?? server.cwd}/`;
	const probes = await listenToProbes(root);
	try {
		const context = { ...startingOf(options, scenario), vitals: false, probe: probes.flag };
		const setting = { side: 'base', port: await findFreePort(), isTimed: false } as const;
		await using base = await startSide(spec, prepared, PLACE, context, setting);
		const { before, answered } = await load(options, cell, base, extent, () => probes.take(base.pid));
		const after = await probes.take(base.pid);
		return mergeReports(before, after, { root, answered });
	} catch (error) {
		options.start.signal.throwIfAborted();
		if (error instanceof StartFailure || error instanceof TurnFailed || error instanceof Refused)
			return failed(error.message);
		throw error;
	} finally {
		probes.close();
	}
}

class Refused extends Error {}

function failed(detail: string): CellCoverage {
	return { requests: 0, scripts: [], reads: [], texts: [], unseen: [{ kind: 'failed', detail }] };
}

async function load<T>(
	options: LaboratoryOptions,
	cell: Cell,
	base: ServerProcess,
	extent: CoverExtent,
	takeBefore: () => Promise<T>,
): Promise<{ readonly before: T; readonly answered: number }> {
	const scenario = findScenario(options, cell.scenario);
	const { affinity, signal } = options.start;
	const origins = { base: base.origin, head: base.origin };
	const traffic = options.traffic?.(scenario);
	const verified = await verifyScenario(origins, scenario, { rows: firstRows(scenario, traffic) });
	const [fault] = verified.faults;
	if (fault) throw new Refused(fault.message);
	const before = await takeBefore();
	if (scenario.metrics !== undefined || scenario.inProcess) return { before, answered: 0 };
	const pair = { base, head: base } as Pair;
	const timing = timingAlone(options.timing('duet'), extent);
	const turn = { cell: cell.id, clientFirst: 'base', windowFirst: 'base', soloFirst: 'base', only: 'base' } as const;
	const held = base.held;
	const order = {
		turn,
		design: 'sequential',
		timing,
		fresh: true,
		affinity,
		held,
		startedAt: options.startedAt,
	} as const;
	const learner = learnerOf(origins, scenario, () => {});
	const { windows } = await options.generator.runTurn(
		orderTurn(scenario, traffic, verified, pair, order),
		signal,
		() => {},
		learner,
	);
	return { before, answered: windows.reduce((sum, window) => sum + (window.base?.completed ?? 0), 0) };
}

function timingAlone(timing: Timing, extent: CoverExtent): Timing {
	const { firstWarmup, windows, windowSeconds, soloSeconds, soloRounds } = timing;
	if (extent === 'glance')
		return { ...timing, firstWarmup: NO_WARMUP, windows: 0, settleSeconds: 0, soloSeconds: GLANCE_SECONDS };
	const seconds = ALONE * windows * windowSeconds + soloRounds * soloSeconds;
	const mostSeconds = Math.max(firstWarmup.leastSeconds, ALONE * firstWarmup.mostSeconds);
	return { ...timing, firstWarmup: { ...firstWarmup, mostSeconds }, windows: 0, soloSeconds: seconds };
}
