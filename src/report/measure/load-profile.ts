/** The load of a run with a preset, phase by phase, as pages have it. */
import { formatCount, formatDuration, NONE } from '../../text/numbers.ts';
import type { Load } from '../../types/config.ts';
import { isSteady, placeStages } from '../../types/plan.ts';
import type { MeasureSetup } from '../../types/ranking/measure-setup.ts';
import type { WordedTable } from '../worded-table.ts';
import { callsOf } from './load-words.ts';
import { own } from './measure-figures.ts';

/** Phase, how long, connections × pipelining, and whether it counts. */
type Phase = readonly [phase: string, time: string, connections: string, counted: string];

/** Returns what each server gets in a trial; null for a run without a preset, whose windows are described in words. */
export function loadProfile(setup: MeasureSetup): WordedTable | null {
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

function calledPhases({ timing: { calls } }: MeasureSetup): Phase[] {
	const { warmup = 0, counted = 0 } = calls ?? {};
	return [
		['warm-up', `${formatCount(warmup)} calls`, NONE, 'no'],
		['measurement', `${formatCount(counted)} calls`, NONE, 'yes'],
	];
}

function loadedPhases({ timing, scenarios }: MeasureSetup): Phase[] {
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

function stagedPhases(stages: NonNullable<MeasureSetup['timing']['stages']>): Phase[] {
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
