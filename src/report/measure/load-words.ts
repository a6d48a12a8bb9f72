import { countOf, formatCount, formatPair, NONE } from '../../text/numbers.ts';
import type { Timing } from '../../types/plan.ts';
import type { MeasuredScenario, MeasureSetup } from '../../types/ranking/measure-setup.ts';

type Loaded = Pick<MeasuredScenario, 'load' | 'metrics' | 'inProcess'>;

/** Returns who sends the requests of a scenario, as it stands beside the request: `20 connections`, `without load`. */
export function describeConnections(scenario: Loaded): string {
	if (scenario.inProcess) return 'one call after the other in its process, without a socket';
	if (!isLoaded(scenario)) return 'without load';
	const { connections, pipelining, rate } = scenario.load;
	return [
		countOf(connections, 'connection'),
		...(pipelining > 1 ? [`pipelining ${pipelining}`] : []),
		...(rate === undefined ? [] : [`at ${formatPair(rate, null, 'requests/s').base} requests/s`]),
	].join(', ');
}

/** Returns connections and pipelining for a table; dashes where there is no connection. */
export function writeLoad(scenario: Loaded): readonly [connections: string, pipelining: string] {
	if (!isLoaded(scenario)) return [NONE, NONE];
	const { connections, pipelining } = scenario.load;
	return [formatCount(connections), formatCount(pipelining)];
}

/** Returns how many calls a run counted in place of a time; undefined for a run that has other scenarios, too. */
export function callsOf({ timing, scenarios }: Pick<MeasureSetup, 'timing' | 'scenarios'>): Timing['calls'] {
	return scenarios.every(({ inProcess }) => inProcess) ? timing.calls : undefined;
}

/** Whether anything is sent through connections while it is measured. */
function isLoaded({ metrics, inProcess }: Loaded): boolean {
	return !inProcess && (metrics === undefined || metrics.includes('memory-after-100k'));
}
