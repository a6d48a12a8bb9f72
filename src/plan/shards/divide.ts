/** Divides the cells of a comparison, or the servers of a ranking, among machines. */
import { UserError } from '../../types/errors.ts';
import type { Cell } from '../../types/plan.ts';
import type { PlannedShard, ShardCosts } from '../../types/shards.ts';
import type { Seconds } from '../../types/units.ts';

/** Concurrent jobs of a free GitHub account. */
const MOST_CHOSEN = 20;
/** Servers are split if the longest shard takes this multiple of the mean. */
const UNEVEN = 1.2;
/** The same, as a multiple of the shortest shard. */
const APART = 1.3;

export interface ShardPrice {
	readonly count: number;
	/** From start to the slowest end, with preparation. */
	readonly waitSeconds: Seconds;
	readonly machineSeconds: Seconds;
}

/** Cells of one server that stay together, to share its start and warm-up. */
interface Unit {
	readonly server: string;
	readonly cells: readonly string[];
	readonly seconds: Seconds;
}

type Asked = Pick<Cell, 'id' | 'server'>;

/** Returns `cells` divided among `count` machines; null for as many as `chooseCount` returns. */
export function divideCells(
	cells: readonly Asked[],
	costs: ShardCosts,
	budget: Seconds,
	count: number | null,
): PlannedShard[] {
	return balanceShards(cells, costs, count ?? chooseCount(cells, costs, budget));
}

/**
 * Returns `cells` divided among at most `count` shards of about equal time, each with cells. Source: longest
 * processing time first, Graham 1969.
 */
export function balanceShards(cells: readonly Asked[], costs: ShardCosts, count: number): PlannedShard[] {
	const most = Math.max(1, Math.min(count, cells.length));
	let units: readonly Unit[] = unitsOf(cells, costs);
	const cut = cutLengths(cells, costs, most);
	let best = isFull(cut) ? cut : null;
	for (;;) {
		const loads = deal(units, most);
		// Of equally long divisions, the one with whole servers is better.
		if (isFull(loads) && (best === null || longest(loads) <= longest(best))) best = loads;
		const next = isFull(loads) && isEven(loads) ? null : splitLongest(units, loads, costs);
		if (next === null) break;
		units = next;
	}
	return (best ?? deal(units, most)).map((load, index) => describeShard(load, index + 1, cells, costs));
}

/**
 * Returns how many shards are needed if each measures within `budget`: at most 20, and so few that no shard prepares
 * longer than it measures.
 */
export function chooseCount(cells: readonly Asked[], costs: ShardCosts, budget: Seconds): number {
	const total = shardSeconds(cells, costs);
	const wanted = Math.ceil(total / budget);
	const worth = costs.setup > 0 ? Math.floor(total / costs.setup) : MOST_CHOSEN;
	return Math.max(1, Math.min(wanted, worth, MOST_CHOSEN, cells.length));
}

function priceOf(shards: readonly PlannedShard[], { setup }: ShardCosts, budget: Seconds): ShardPrice {
	const each = shards.map(({ expectedSeconds }) => setup + Math.min(expectedSeconds, budget));
	return {
		count: shards.length,
		waitSeconds: Math.max(...each),
		machineSeconds: each.reduce((sum, seconds) => sum + seconds, 0),
	};
}

export function pricesAround(
	cells: readonly Asked[],
	costs: ShardCosts,
	budget: Seconds,
	count: number,
): readonly ShardPrice[] {
	const possible = [count - 1, count, count + 1].filter((some) => some >= 1 && some <= cells.length);
	return possible.map((some) => priceOf(balanceShards(cells, costs, some), costs, budget));
}

/** Returns shard `number` (from 1) of `what`. Throws UserError `no-shard`, which `note` explains. */
export function findShard<T>(shards: readonly T[], number: number, what: 'plan' | 'ranking', note = ''): T {
	const found = shards[number - 1];
	if (found !== undefined) return found;
	throw new UserError({
		code: 'no-shard',
		where: `--shard ${number}`,
		message: `the ${what} has ${shards.length === 1 ? '1 shard' : `${shards.length} shards`}${note}`,
		remedy: `give a number from 1 to ${shards.length}`,
	});
}

export function shardSeconds(cells: readonly Asked[], { cells: cellCosts, servers }: ShardCosts): Seconds {
	const starts = [...new Set(cells.map(({ server }) => server))].map((server) => servers[server] ?? 0);
	return [...starts, ...cells.map(({ id }) => cellCosts[id] ?? 0)].reduce((sum, seconds) => sum + seconds, 0);
}

function unitsOf(cells: readonly Asked[], costs: ShardCosts): Unit[] {
	return [...Map.groupBy(cells, ({ server }) => server)].map(([server, serverCells]) =>
		unitOf(
			server,
			serverCells.map(({ id }) => id),
			costs,
		),
	);
}

function unitOf(server: string, ids: readonly string[], costs: ShardCosts): Unit {
	return {
		server,
		cells: ids,
		seconds: shardSeconds(
			ids.map((id) => ({ id, server })),
			costs,
		),
	};
}

function deal(units: readonly Unit[], count: number): Unit[][] {
	const loads: Unit[][] = Array.from({ length: count }, () => []);
	const seconds = loads.map(() => 0);
	for (const unit of units.toSorted(byLength)) {
		const least = seconds.indexOf(Math.min(...seconds));
		(loads[least] as Unit[]).push(unit);
		seconds[least] = (seconds[least] as number) + unit.seconds;
	}
	return loads;
}

function byLength(a: Unit, b: Unit): number {
	return b.seconds - a.seconds || ((a.cells[0] as string) < (b.cells[0] as string) ? -1 : 1);
}

/** Splits the longest unit with several cells in the longest shard that has one. */
function splitLongest(
	units: readonly Unit[],
	loads: readonly (readonly Unit[])[],
	costs: ShardCosts,
): readonly Unit[] | null {
	const inOrder = loads.toSorted((a, b) => secondsOf(b) - secondsOf(a)).map((load) => load.toSorted(byLength));
	const unit = inOrder.flat().find(({ cells }) => cells.length > 1);
	if (unit === undefined) return null;
	const halves: [string[], string[]] = [[], []];
	const sums = [0, 0];
	for (const id of unit.cells.toSorted((a, b) => (costs.cells[b] ?? 0) - (costs.cells[a] ?? 0))) {
		const half = (sums[0] as number) <= (sums[1] as number) ? 0 : 1;
		halves[half].push(id);
		sums[half] = (sums[half] as number) + (costs.cells[id] ?? 0);
	}
	// Cells of cost 0 would all go into one half.
	if (halves[1].length === 0) halves[1].push(halves[0].pop() as string);
	return [...units.filter((other) => other !== unit), ...halves.map((ids) => unitOf(unit.server, ids, costs))];
}

function cutLengths(cells: readonly Asked[], costs: ShardCosts, count: number): readonly (readonly Unit[])[] {
	const inRow = [...Map.groupBy(cells, ({ server }) => server).values()].flat();
	const total = inRow.reduce((sum, { id }) => sum + (costs.cells[id] ?? 0), 0);
	const lengths: Asked[][] = Array.from({ length: count }, () => []);
	let before = 0;
	for (const cell of inRow) {
		const seconds = costs.cells[cell.id] ?? 0;
		const middle = total > 0 ? (before + seconds / 2) / total : 0;
		(lengths[Math.min(count - 1, Math.floor(middle * count))] as Asked[]).push(cell);
		before += seconds;
	}
	return lengths.map((shardCells) => unitsOf(shardCells, costs));
}

function isFull(loads: readonly (readonly Unit[])[]): boolean {
	return loads.every((load) => load.length > 0);
}

function isEven(loads: readonly (readonly Unit[])[]): boolean {
	const mean = loads.reduce((sum, load) => sum + secondsOf(load), 0) / loads.length;
	return longest(loads) <= Math.min(UNEVEN * mean, APART * Math.min(...loads.map(secondsOf)));
}

function longest(loads: readonly (readonly Unit[])[]): Seconds {
	return Math.max(...loads.map(secondsOf));
}

function secondsOf(load: readonly Unit[]): Seconds {
	return load.reduce((sum, { seconds }) => sum + seconds, 0);
}

function describeShard(load: readonly Unit[], index: number, cells: readonly Asked[], costs: ShardCosts): PlannedShard {
	const cellIds = new Set(load.flatMap((unit) => unit.cells));
	const shardCells = cells.filter(({ id }) => cellIds.has(id));
	return { index, cells: shardCells.map(({ id }) => id), expectedSeconds: shardSeconds(shardCells, costs) };
}
