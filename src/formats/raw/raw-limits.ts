import type { Raw } from '../../types/result.ts';
import type { CellRound, LaneRun, Round, WindowSide } from '../../types/round.ts';
import { LARGEST_NUMBER } from '../../types/units.ts';

/**
 * Far above any file benchgate writes (six hours make 10,000 turns); judging a larger one would take minutes. Checked
 * first: counting is cheap.
 */
export const RAW_LIMITS = {
	/** UTF-8 bytes of the whole text. */
	bytes: 100_000_000,
	/** Nested objects and lists. */
	depth: 16,
	/** Without keys. */
	values: 12_000_000,
	/** Including one-sided cells. */
	cells: 500,
	/** Over all shards. */
	rounds: 20_000,
	shards: 256,
	/** Per machine. */
	lanes: 64,
	/** Over all rounds. */
	turns: 20_000,
	/**
	 * Rounds × rounds × rows, because each round is decided together with all earlier ones. A run of 68 rounds and 240
	 * rows has 1.1 million.
	 */
	decisions: 5_000_000,
	looks: 100,
	windows: 64,
	/** Per turn; also limits refused cells. */
	faults: 500,
	warnings: 500,
	/** Entries per histogram. benchgate's have 90 per power of ten. */
	latency: 2_000,
	statuses: 600,
	/** Per side, over all servers. */
	packages: 20_000,
	/** Characters; `text` limits all other texts. */
	name: 200,
	text: 20_000,
	magnitude: LARGEST_NUMBER,
} as const;

/** Returns which limit valid raw data exceed, without quoting them, or null. */
export function findRawExcess(raw: Raw): string | null {
	return findCountExcess(raw) ?? findTurnExcess(raw.rounds.flatMap(({ cells }) => cells));
}

/** Like `findRawExcess`, but without the contents of turns. */
export function findCountExcess(raw: Raw): string | null {
	const { plan, context } = raw;
	const cells = [...plan.cells, ...plan.oneSided];
	const turns = raw.rounds.flatMap((round) => round.cells);
	const counts: readonly (readonly [string, number, number])[] = [
		['cells', cells.length, RAW_LIMITS.cells],
		['rounds', raw.rounds.length, RAW_LIMITS.rounds],
		['shards', raw.shards?.length ?? 0, RAW_LIMITS.shards],
		['lanes', Math.max(...[raw, ...(raw.shards ?? [])].map(({ lanes }) => lanes?.length ?? 0)), RAW_LIMITS.lanes],
		['turns of cells', turns.length, RAW_LIMITS.turns],
		['decisions', countDecisions(raw), RAW_LIMITS.decisions],
		['looks', plan.looks.length, RAW_LIMITS.looks],
		['refused cells', raw.refused.length, RAW_LIMITS.faults],
		['warnings', context.warnings.length, RAW_LIMITS.warnings],
		['packages of base', packagesOf(context.base.versions), RAW_LIMITS.packages],
		['packages of head', packagesOf(context.head.versions), RAW_LIMITS.packages],
	];
	const [over] = counts.filter(([, count, most]) => count > most);
	if (over) return `it has more than ${over[2]} ${over[0]}`;
	const longName = cells.some(({ id, server, scenario }) =>
		[id, server, scenario].some((text) => text.length > 2 * RAW_LIMITS.name),
	);
	return longName ? `a cell has a name of more than ${2 * RAW_LIMITS.name} characters` : null;
}

/**
 * Returns the number of row decisions, which determines the time to judge. Each shard and lane is judged separately.
 */
export function countDecisions({
	plan,
	rounds,
	shards,
	lanes,
}: Pick<Raw, 'plan' | 'rounds' | 'shards' | 'lanes'>): number {
	const count = (laneRounds: readonly Round[], cells: number) => laneRounds.length ** 2 * cells * plan.metrics.length;
	const countLanes = (machineRounds: readonly Round[], cells: number, runs: readonly LaneRun[] | undefined) => {
		if (runs === undefined) return count(machineRounds, cells);
		const byLane = Map.groupBy(machineRounds, (round) => round.lane);
		return runs.reduce((sum, run) => sum + count(byLane.get(run.lane) ?? [], run.cells.length), 0);
	};
	if (shards === undefined) return countLanes(rounds, plan.cells.length, lanes);
	const byShard = Map.groupBy(rounds, (round) => round.shard);
	return shards.reduce((sum, run) => sum + countLanes(byShard.get(run.shard) ?? [], run.cells.length, run.lanes), 0);
}

function packagesOf(versions: Raw['context']['base']['versions']): number {
	return Object.values(versions).reduce((sum, packages) => sum + 1 + Object.keys(packages).length, 0);
}

/** Like `findRawExcess`, but only for the contents of turns. */
export function findTurnExcess(turns: readonly CellRound[]): string | null {
	for (const turn of turns) {
		const excess = findExcessIn(turn);
		if (excess !== null) return excess;
	}
	return null;
}

function findExcessIn({ windows, faults, remarks = [], counted = [] }: CellRound): string | null {
	if (windows.length > RAW_LIMITS.windows) return `a turn has more than ${RAW_LIMITS.windows} windows`;
	if (counted.length > RAW_LIMITS.windows) return `a turn has more than ${RAW_LIMITS.windows} counts`;
	if (faults.length + remarks.length > RAW_LIMITS.faults) return `a turn has more than ${RAW_LIMITS.faults} faults`;
	const sides = windows.flatMap(({ base, head }) => [base, head]);
	return sides.some((side) => side !== null && isTooFine(side)) ? 'a window has too many different answers' : null;
}

function isTooFine({ latency, statuses }: WindowSide): boolean {
	return latency.length > RAW_LIMITS.latency || Object.keys(statuses).length > RAW_LIMITS.statuses;
}
