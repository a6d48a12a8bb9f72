import type { Scenario } from '../../types/config.ts';
import type { Unseen } from '../../types/coverage.ts';
import type { Cell, Traffic } from '../../types/plan.ts';
import type { Side } from '../../types/units.ts';
import { type Verification, verifyScenario } from '../answers/verify-scenario.ts';
import { firstRows } from '../generator/order-turn.ts';
import { TurnFailed } from '../generator-process.ts';
import { startSide } from '../pair.ts';
import { findFreePort } from '../ports.ts';
import { type ServerProcess, StartFailure } from '../server-process.ts';
import { hostServer } from '../start/host-server.ts';
import { findScenario, findServer, type LaboratoryOptions, startingOf } from '../turn-parts.ts';
import { type HeardReports, listenToProbes } from './listen-to-probes.ts';
import type { ProbeSetting } from './probe.ts';

const SLOTS = { base: 0, head: 1 } as const;

/** A verified server under a probe. */
export interface Probed {
	readonly server: ServerProcess;
	readonly scenario: Scenario;
	readonly traffic: Traffic | undefined;
	readonly verified: Verification;
	/** Folder of its files, with a final slash. */
	readonly root: string;
	take(): Promise<HeardReports>;
}

export class Refused extends Error {}

/** Starts one side alone, under a probe. Returns why if the server fails. Throws the abort reason. */
export async function runProbed<T>(
	options: LaboratoryOptions,
	cell: Cell,
	{ side, ...setting }: { readonly side: Side } & Omit<ProbeSetting, 'port' | 'root'>,
	run: (probed: Probed) => Promise<T>,
): Promise<T | Unseen> {
	const spec = findServer(options, cell.server);
	const scenario = findScenario(options, cell.scenario);
	const prepared = hostServer(options.prepared, spec.name, scenario, { only: side, folder: options.start.logFolder });
	const installed = prepared.sides[side].servers[spec.name];
	if (installed === undefined) return { kind: 'failed', detail: `${side} has no server ${spec.name}` };
	const root = `${installed.root ?? installed.cwd}/`;
	const probes = await listenToProbes({ ...setting, root });
	try {
		const context = { ...startingOf(options, scenario), vitals: false, probe: probes.flag };
		const port = await findFreePort();
		await using server = await startSide(spec, prepared, { slot: SLOTS }, context, { side, port, isTimed: false });
		const traffic = options.traffic?.(scenario);
		const origins = { base: server.origin, head: server.origin };
		const verified = await verifyScenario(origins, scenario, { rows: firstRows(scenario, traffic) });
		const [fault] = verified.faults;
		if (fault) throw new Refused(fault.message);
		return await run({ server, scenario, traffic, verified, root, take: () => probes.take(server.pid) });
	} catch (error) {
		options.start.signal.throwIfAborted();
		if (error instanceof StartFailure || error instanceof TurnFailed || error instanceof Refused)
			return { kind: 'failed', detail: error.message };
		throw error;
	} finally {
		probes.close();
	}
}

export function isUnseen(outcome: object): outcome is Unseen {
	return 'kind' in outcome;
}
