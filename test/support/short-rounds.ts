import { timingFor } from '../../src/plan/timing.ts';
import type { Design } from '../../src/types/config.ts';
import type { Timing } from '../../src/types/plan.ts';
import type { Prepared, PreparedSide } from '../../src/types/prepared.ts';
import type { Side, Sides } from '../../src/types/units.ts';
import { builtinScenario } from '../config/example-catalogue.ts';
import { behavingServer } from './servers/servers.ts';

/** Answer of the behaviour fixture. */
export const FIXTURE_SCENARIO = {
	...builtinScenario('ping'),
	expect: { status: [200], json: { ok: true } },
	load: { connections: 2, pipelining: 1 },
};

/** For tests that need only any round. */
export function shortTiming({ leastSeconds = 0.05, windowSeconds = 0.1 } = {}): (design: Design) => Timing {
	const warmup = { requests: 50, leastSeconds, mostSeconds: 2 * leastSeconds };
	return (design) => ({
		...timingFor({ design }),
		...{ firstWarmup: warmup, warmup, settleSeconds: 0.05, windowSeconds, windows: 2, soloRounds: 0 },
	});
}

/** Behaviour fixtures for both sides, named `express`. */
export function prepareFixture(behaviours: Sides<string>): Prepared {
	const sideOf = (side: Side): PreparedSide => ({
		side,
		info: { revision: side, kind: 'dir', label: side, versions: {} },
		servers: { express: behavingServer(behaviours[side], 'express') },
	});
	return { sides: { base: sideOf('base'), head: sideOf('head') }, warnings: [], installs: 0 };
}
