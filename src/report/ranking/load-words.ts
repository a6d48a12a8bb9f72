import { countOf, formatCount, formatDuration, formatPair, NONE } from '../../text/numbers.ts';
import type { Load } from '../../types/config.ts';
import { isSteady, placeStages, type Timing } from '../../types/plan.ts';
import type { RankedScenario, RankingSetup } from '../../types/ranking/ranking-setup.ts';
import type { WordedTable } from '../document/document.ts';
import { own } from './ranking-figures.ts';

type Phase = readonly [phase: string, time: string, connections: string, counted: string];

type Loaded = Pick<RankedScenario, 'load' | 'metrics' | 'inProcess'>;

/** Returns the load beside a request: `20 connections`, `without load`. */
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

export function writeLoad(scenario: Loaded): readonly [connections: string, pipelining: string] {
	if (!isLoaded(scenario)) return [NONE, NONE];
	const { connections, pipelining } = scenario.load;
	return [formatCount(connections), formatCount(pipelining)];
}

/** Returns the number of calls, if they are counted instead of time; otherwise undefined. */
export function callsOf({ timing, scenarios }: Pick<RankingSetup, 'timing' | 'scenarios'>): Timing['calls'] {
	return scenarios.every(({ inProcess }) => inProcess) ? timing.calls : undefined;
}

function isLoaded({ metrics, inProcess }: Loaded): boolean {
	return !inProcess && (metrics === undefined || metrics.includes('memory-after-100k'));
}

export function loadProfile(setup: RankingSetup): WordedTable | null {
	if (setup.preset === null) return null;
	const phases = callsOf(setup) ? calledPhases(setup) : loadedPhases(setup);
	return {
		title: 'Load profile',
		columns: [
			{ label: 'phase', align: 'left' },
			...['time', 'connections', 'counted'].map((label) => ({ label, align: 'right' as const })),
		],
		rows: phases.map((phase) => phase.map(own)),
		note: 'Of each server in each scenario, in every trial.',
	};
}

function calledPhases({ timing: { calls } }: RankingSetup): Phase[] {
	const { warmup = 0, counted = 0 } = calls ?? {};
	return [
		['warm-up', `${formatCount(warmup)} calls`, NONE, 'no'],
		['measurement', `${formatCount(counted)} calls`, NONE, 'yes'],
	];
}

function loadedPhases({ timing, scenarios }: RankingSetup): Phase[] {
	const { firstWarmup, stages, soloSeconds, pauseSeconds = 0 } = timing;
	const usual = scenarios.find(({ metrics, inProcess }) => metrics === undefined && !inProcess)?.load;
	const warmup: Phase = ['warm-up', formatDuration(firstWarmup.mostSeconds), describe(firstWarmup.load ?? usual), 'no'];
	const pause: Phase = ['pause before the next trial', formatDuration(pauseSeconds), NONE, 'no'];
	const steady: Phase = ['measurement', formatDuration(soloSeconds), describe(usual), 'yes'];
	return [
		...(firstWarmup.mostSeconds > 0 ? [warmup] : []),
		...(stages === undefined ? [steady] : stagedPhases(stages)),
		...(pauseSeconds > 0 ? [pause] : []),
	];
}

function stagedPhases(stages: NonNullable<RankingSetup['timing']['stages']>): Phase[] {
	return placeStages(stages).map((stage) => {
		const { seconds, from, connections } = stage;
		const isHeld = isSteady(stage);
		const phase = isHeld ? 'steady' : from < connections ? 'climb' : 'way down';
		const range = isHeld ? formatCount(connections) : `${formatCount(from)} → ${formatCount(connections)}`;
		return [phase, formatDuration(seconds), range, 'yes'];
	});
}

function describe(load: Pick<Load, 'connections' | 'pipelining'> | undefined): string {
	if (load === undefined) return NONE;
	const { connections, pipelining } = load;
	return pipelining > 1 ? `${formatCount(connections)} × ${formatCount(pipelining)}` : formatCount(connections);
}
