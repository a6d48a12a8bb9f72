/** Counts the requests of cells for gated counts, after all rounds. */
import { uncountedCode } from '../judge/counted-row.ts';
import type { CoveringLaboratory } from '../measure/laboratory.ts';
import { countsOf } from '../plan/timing.ts';
import type { Config } from '../types/config.ts';
import type { CountedRepeat, SideCount } from '../types/explain/counts.ts';
import { METRICS, type MetricName } from '../types/metric.ts';
import type { Cell, Plan } from '../types/plan.ts';
import type { CellRound, CountedAmounts, Fault, Round } from '../types/round.ts';
import { SIDES, type Side } from '../types/units.ts';

/** With fresh processes. */
const REPEATS = 3;

export const NOT_REQUESTED = 'Counts need requests, and this row measures a process.';

/** Returns a round of counts; null if none is gated. */
export async function countCells(
	cells: readonly Cell[],
	{ plan, config, laboratory, startedAt }: CountContext,
	onCell: (cell: Cell) => void,
): Promise<Round | null> {
	const now = () => (Date.now() - startedAt) / 1000;
	const began = now();
	const turns: CellRound[] = [];
	for (const cell of cells) {
		const gated = countsOf(cell, plan.metrics);
		if (gated.length === 0) continue;
		onCell(cell);
		turns.push(await countCell(cell, gated, plan, config, laboratory));
	}
	if (turns.length === 0) return null;
	return { round: 1, purpose: 'count', startedAt: began, seconds: now() - began, loadSeconds: 0, cells: turns };
}

export interface CountContext {
	readonly plan: Plan;
	readonly config: Pick<Config, 'scenarios'>;
	readonly laboratory: CoveringLaboratory;
	/** Of the run, in milliseconds since 1970. */
	readonly startedAt: number;
}

async function countCell(
	cell: Cell,
	gated: readonly MetricName[],
	{ design }: Plan,
	{ scenarios }: CountContext['config'],
	laboratory: CoveringLaboratory,
): Promise<CellRound> {
	const nothing = { base: null, head: null };
	const turn = {
		cell: cell.id,
		round: 1,
		purpose: 'count',
		design,
		windows: [],
		memoryPeak: nothing,
		pinned: true,
	} as const;
	const faultsOf = (side: Side | null, message: string) =>
		gated.map((metric): Fault => ({ code: uncountedCode(metric), side, message }));
	if (scenarios.find(({ name }) => name === cell.scenario)?.inProcess)
		return { ...turn, faults: faultsOf(null, NOT_REQUESTED) };
	const repeats: CountedRepeat[] = [];
	while (repeats.length < REPEATS) {
		repeats.push(await laboratory.count(cell));
		const failure = failureOf(repeats);
		if (failure !== null) return { ...turn, faults: faultsOf(failure.side, failure.detail) };
	}
	const counted = repeats.map((repeat) => ({ base: amountsOf(repeat.base), head: amountsOf(repeat.head) }));
	return { ...turn, counted, faults: gated.flatMap((metric) => missingOf(metric, repeats)) };
}

/** Returns why a side of the repeats was not counted at all. */
export function failureOf(repeats: readonly CountedRepeat[]): { readonly side: Side; readonly detail: string } | null {
	const failures = repeats.flatMap((repeat) =>
		SIDES.flatMap((side) =>
			repeat[side].unseen.flatMap(({ kind, detail }) => (kind === 'failed' ? [{ side, detail }] : [])),
		),
	);
	return failures[0] ?? null;
}

function amountsOf({ requests, scripts, work, peers }: SideCount): CountedAmounts {
	const calls = scripts.flatMap(({ functions }) => functions.map(([, , , , during]) => during));
	const perRequest = (sum: number) => sum / requests;
	const bytes = work['bytes-allocated'];
	return {
		roundTrips: perRequest(peers.reduce((sum, { roundTrips }) => sum + roundTrips, 0)),
		calls: bytes === undefined ? null : perRequest(calls.reduce((sum, count) => sum + count, 0)),
		// Negative only where a side forges it.
		bytesAllocated: bytes === undefined ? null : Math.max(0, perRequest(bytes)),
	};
}

/** A fault of each side whose count of a metric may lack something. */
function missingOf(metric: MetricName, repeats: readonly CountedRepeat[]): readonly Fault[] {
	const kinds = metric === 'round-trips' ? ['peer'] : ['process'];
	const lacking = (side: Side) =>
		repeats.flatMap((repeat) => repeat[side].unseen.filter(({ kind }) => kinds.includes(kind)));
	return SIDES.flatMap((side): Fault[] => {
		const [first] = lacking(side);
		if (first === undefined) return [];
		const message = `The ${METRICS[metric].label} of ${side} cannot be counted in full. Not counted: ${first.detail}. Change that, or remove ${metric} from gate.metrics.`;
		return [{ code: uncountedCode(metric), side, message }];
	});
}
