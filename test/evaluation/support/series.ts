import { type Effect, type Experiment, SERIES_VERSION, type Series } from '../../../evaluation/series.ts';
import { planLooks } from '../../../src/plan/looks.ts';
import { timingFor } from '../../../src/plan/timing.ts';
import { createRandom } from '../../../src/stats/random.ts';
import type { Design } from '../../../src/types/config.ts';
import type { Cell, Plan } from '../../../src/types/plan.ts';
import type { Fraction, Seconds } from '../../../src/types/units.ts';
import { makeRound } from './synthetic-round.ts';

export interface SyntheticOptions {
	readonly id?: string;
	readonly experiment?: Experiment;
	readonly effect?: Effect;
	readonly createdAt?: string;
	/** Names of servers; one cell for each with each scenario. */
	readonly servers?: readonly string[];
	readonly scenarios?: readonly string[];
	/** Take turns, round by round. */
	readonly designs?: readonly Design[];
	/** Rounds of each design. */
	readonly rounds?: number;
	readonly seed?: number;
	/** Standard deviation of a process pair's log ratio, the same in all its windows. */
	readonly sd?: number;
	/** Standard deviation of a window's log ratio around its pair's. */
	readonly windowSd?: number;
	/** Head's true drop. */
	readonly drop?: Fraction;
	/** Wall time of one cell's part of a round. */
	readonly seconds?: Seconds;
	readonly threshold?: Fraction;
	/** Most rounds of the plan. */
	readonly maxRounds?: number;
	/** Standard deviation of both sides' common level from round to round. */
	readonly levelSd?: number;
}

type Settings = Required<Omit<SyntheticOptions, 'effect'>> & { readonly effect: Effect };

const DEFAULTS: Settings = {
	id: 'synthetic',
	experiment: 'designs',
	effect: { kind: 'same' },
	createdAt: '2026-01-01T00:00:00.000Z',
	servers: ['express'],
	scenarios: ['param-json'],
	designs: ['duet', 'alternating', 'sequential'],
	rounds: 20,
	seed: 1,
	sd: 0.01,
	windowSd: 0.01,
	drop: 0,
	seconds: 4,
	threshold: 0.05,
	maxRounds: 20,
	levelSd: 0.05,
};

/**
 * Returns the series of a saturated pair of servers: in a duet each side has half of the CPU and of the answers. The
 * same options give the same series.
 */
export function syntheticSeries(options: SyntheticOptions = {}): Series {
	const settings = { ...DEFAULTS, ...options };
	const { id, experiment, effect, createdAt, servers, scenarios, designs, threshold, seed, maxRounds } = settings;
	const cells: Cell[] = servers.flatMap((server) =>
		scenarios.map((scenario) => ({
			id: `${server}/${scenario}`,
			server,
			scenario,
			threshold,
			tolerance: threshold / 2,
		})),
	);
	const plans = designs.map(
		(design): Plan => ({
			seed,
			design,
			cells,
			oneSided: [],
			metrics: ['throughput'],
			looks: planLooks(maxRounds),
			timing: timingFor({ design }),
			budgetSeconds: 600,
		}),
	);
	const random = createRandom(seed);
	return {
		kind: 'benchgate-series',
		version: SERIES_VERSION,
		id,
		experiment,
		effect,
		createdAt,
		environment: {
			os: 'linux',
			kernel: '6.0',
			cpuModel: 'synthetic',
			cpus: 2,
			memoryBytes: 8e9,
			node: '24.0.0',
			loadAverage: 0,
			pinning: 'servers on CPU 0, generator on CPU 1',
		},
		versions: { base: {}, head: {} },
		plans,
		rounds: Array.from({ length: settings.rounds * plans.length }, (_, index) =>
			makeRound(plans[index % plans.length] as Plan, index, settings, random),
		),
	};
}
