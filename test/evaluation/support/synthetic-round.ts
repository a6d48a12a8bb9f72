import type { Random } from '../../../src/stats/random.ts';
import type { Design } from '../../../src/types/config.ts';
import type { Plan } from '../../../src/types/plan.ts';
import type { CellRound, Round, Window, WindowSide } from '../../../src/types/round.ts';
import type { Fraction, Seconds } from '../../../src/types/units.ts';

/** Passed on by `syntheticSeries`, see its options. */
export interface RoundSettings {
	readonly designs: readonly Design[];
	readonly sd: number;
	readonly windowSd: number;
	readonly levelSd: number;
	readonly drop: Fraction;
	readonly seconds: Seconds;
}

/** Answers per second of base with the whole CPU. */
const RATE = 20_000;

/** Returns round `index`, from 0 over all designs, of a saturated pair of servers. Draws from `random`. */
export function makeRound(plan: Plan, index: number, settings: RoundSettings, random: Random): Round {
	const round = Math.floor(index / settings.designs.length) + 1;
	const seconds = settings.seconds * plan.cells.length;
	const level = Math.exp(settings.levelSd * random.normal());
	const startedAt = index * seconds;
	return {
		round,
		purpose: 'main',
		startedAt,
		seconds,
		loadSeconds: seconds / 2,
		cells: plan.cells.map(({ id }, turn): CellRound => {
			const pair = Math.log1p(-settings.drop) + settings.sd * random.normal();
			const began = startedAt + turn * settings.seconds + settings.seconds / 2;
			return {
				cell: id,
				round,
				purpose: 'main',
				design: plan.design,
				windows: Array.from({ length: plan.timing.windows }, (_, window) =>
					makeWindow(
						plan,
						began + window * plan.timing.windowSeconds,
						level,
						pair + settings.windowSd * random.normal(),
					),
				),
				memoryPeak: { base: 80e6, head: 80e6 },
				faults: [],
				pinned: true,
			};
		}),
	};
}

/** Windows of one side are joined, the n-th of base with the n-th of head, as the generator reports them. */
function makeWindow({ design, timing }: Plan, startedAt: Seconds, level: number, ratio: number): Window {
	const share = design === 'duet' ? 0.5 : 1;
	const side = (factor: number): WindowSide => {
		const completed = Math.round(RATE * share * timing.windowSeconds * level * factor);
		return {
			seconds: timing.windowSeconds,
			completed,
			bytes: completed * 120,
			statuses: {},
			unexpected: 0,
			errors: 0,
			cpuSeconds: timing.windowSeconds * share,
			latency: [],
		};
	};
	return {
		kind: design,
		startedAt,
		base: side(1),
		head: side(Math.exp(ratio)),
		generatorUtilisation: 0.4,
		generatorCpuSeconds: timing.windowSeconds / 2,
		otherCpu: 0,
		serverCpuIdle: 0,
	};
}
