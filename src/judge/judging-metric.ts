import { GENERATOR_LIMIT, summariseGuards } from '../stats/guards.ts';
import type { Design } from '../types/config.ts';
import type { MetricName } from '../types/metric.ts';
import type { Warning } from '../types/units.ts';
import type { Guards } from '../types/verdict.ts';
import type { Sample } from './looks/samples.ts';
import { warn } from './warnings.ts';

/** CPU utilisation from which servers count as saturated. */
export const SATURATED = 0.9;
const EVEN_SHARE = 0.5;
const SHARE_MARGIN = 0.03;

type Distrust = 'fixed-rate' | 'generator-bound' | 'servers-wait' | 'unequal-cpu';

export interface Judging {
	readonly by: MetricName;
	/** Why throughput misrepresents a request's cost. With `servers-wait` it judges nevertheless. */
	readonly because: Distrust | null;
	readonly warnings: readonly Warning[];
}

export function judgeSamples(metric: MetricName, samples: readonly Sample[], design: Design): Judging {
	const guards = summariseGuards(
		samples.map((sample) => sample.cellRound),
		[],
	);
	const cpuKnown = samples.length > 0 && samples.every((sample) => sample.d['cpu-per-request'] !== null);
	return chooseJudge(metric, guards, design, cpuKnown);
}

/**
 * Returns the metric that decides a row of `metric`: CPU per request instead of throughput where that shows less.
 * `cpuKnown`: CPU time is known in every round. Source: docs/statistics.md 6.1.
 */
export function chooseJudge(metric: MetricName, guards: Guards, design: Design, cpuKnown: boolean): Judging {
	if (metric !== 'throughput') return { by: metric, because: null, warnings: [] };
	if (guards.fixedRate) return { by: 'cpu-per-request', because: 'fixed-rate', warnings: [warn('fixed-rate', {})] };
	const because = distrust(guards, design);
	if (!cpuKnown) {
		const generatorBound = because === 'generator-bound';
		return { by: metric, because: null, warnings: [warn('no-cpu-time', { generatorBound })] };
	}
	if (!because) return { by: metric, because, warnings: [] };
	const by = because === 'servers-wait' ? metric : 'cpu-per-request';
	return { by, because, warnings: [describe(because, guards)] };
}

function distrust(guards: Guards, design: Design): Exclude<Distrust, 'fixed-rate'> | null {
	const { generatorUtilisation, serverUtilisation, cpuShare } = guards;
	if (generatorUtilisation !== null && generatorUtilisation >= GENERATOR_LIMIT) return 'generator-bound';
	if (serverUtilisation !== null && serverUtilisation < SATURATED) return 'servers-wait';
	if (design === 'duet' && cpuShare !== null && Math.abs(cpuShare - EVEN_SHARE) > SHARE_MARGIN) return 'unequal-cpu';
	return null;
}

function describe(
	code: Exclude<Distrust, 'fixed-rate'>,
	{ generatorUtilisation, serverUtilisation, cpuShare }: Guards,
): Warning {
	switch (code) {
		case 'generator-bound':
			return warn(code, { utilisation: generatorUtilisation ?? 0 });
		case 'servers-wait':
			return warn(code, { utilisation: serverUtilisation ?? 0 });
		case 'unequal-cpu':
			return warn(code, { share: cpuShare ?? 0 });
	}
}
