/** Finds well-formed raw data that no run can produce. */
import type { Margins } from '../../types/config.ts';
import { isCounted, type MetricName } from '../../types/metric.ts';
import { countRows, type Plan } from '../../types/plan.ts';
import type { Raw } from '../../types/result.ts';
import type { CellRound, LaneRun, Round } from '../../types/round.ts';
import { RAW_LIMITS } from './raw-limits.ts';

/** Tolerance for rounding, as weights must add up to 1. */
const WEIGHT_DUST = 1e-9;

/**
 * Returns why well-formed raw data cannot come from a run, without quoting them, or null. For untrusted data: data that
 * pass are safe to judge, but may still be forged.
 */
export function findContradiction(raw: Raw): string | null {
	return inNumbers(raw) ?? inPlan(raw.plan) ?? inRefusals(raw) ?? inShards(raw) ?? inAllRounds(raw);
}

function inNumbers(value: unknown): string | null {
	if (typeof value === 'number' && !(Math.abs(value) <= RAW_LIMITS.magnitude))
		return 'it has a number no benchmark has';
	if (typeof value === 'string' && value.length > RAW_LIMITS.text) {
		return `it has a text of more than ${RAW_LIMITS.text} characters`;
	}
	if (typeof value !== 'object' || value === null) return null;
	const isList = Array.isArray(value);
	if (!isList && Object.hasOwn(value, '__proto__')) return 'it has a key that benchgate never writes';
	for (const part of isList ? value : Object.values(value)) {
		const contradiction = inNumbers(part);
		if (contradiction !== null) return contradiction;
	}
	return null;
}

function inPlan({ cells, oneSided, looks, metrics, margins = {}, family }: Plan): string | null {
	const all = [...cells, ...oneSided];
	if (all.some(({ id, server, scenario }) => id !== `${server}/${scenario}`))
		return 'the id of a cell does not match its server and scenario';
	if (new Set(all.map(({ id }) => id)).size < all.length) return 'a cell is planned twice';
	if (!all.every(areMargins)) {
		return 'a cell has margins that no config can have';
	}
	const isRefused = ([metric, each]: [string, Margins]) =>
		isCounted(metric as MetricName) ? each.threshold < 0 || each.tolerance !== 0 : !areMargins(each);
	if (Object.entries(margins).some(isRefused)) return 'a metric has margins that no config can have';
	if (metrics.length === 0 || new Set(metrics).size < metrics.length) return 'it has no metrics, or one twice';
	if (family !== undefined && family < countRows({ cells, metrics })) return 'its family is smaller than its rows';
	const isSet = (names: readonly string[]) => names.length > 0 && new Set(names).size === names.length;
	if (all.some((cell) => cell.metrics && !isSet(cell.metrics))) return 'a cell has no metrics, or one twice';
	if (looks.length === 0) return 'it plans no look';
	if (looks.some(({ rounds }, index) => rounds <= (looks[index - 1]?.rounds ?? 0))) return 'its looks are out of order';
	const spent = (weights: readonly number[]) => weights.reduce((sum, weight) => sum + weight, 0);
	const regressed = looks.map((look) => look.weightRegressed);
	const unchanged = looks.map((look) => look.weightUnchanged);
	const fair = [regressed, unchanged].every(
		(weights) => weights.every((weight) => weight >= 0) && spent(weights) <= 1 + WEIGHT_DUST,
	);
	return fair ? null : 'its looks spend more than there is';
}

function areMargins({ threshold, tolerance }: Margins): boolean {
	return tolerance >= 0 && tolerance < threshold && threshold < 1;
}

function inRefusals({ plan, refused, rounds }: Raw): string | null {
	const planned = new Set(plan.cells.map(({ id }) => id));
	const names = new Set(refused.map(({ cell }) => cell));
	if (names.size < refused.length || refused.some(({ cell }) => !planned.has(cell))) {
		return 'it refuses a cell that is not planned, or one twice';
	}
	const loaded = rounds.some((round) => round.cells.some(({ cell }) => names.has(cell)));
	return loaded ? 'it loads a cell that it refused' : null;
}

/** Checks that every cell belongs to one shard, and that each shard's state matches its end. */
function inShards({ plan, rounds, shard, shards }: Raw): string | null {
	if (shard && (shard.shard > shard.of || shards)) return 'it is not a shard of its plan';
	if (shards === undefined) return rounds.some((round) => round.shard !== undefined) ? 'a round is of no shard' : null;
	if (shards.some((run, index) => run.shard !== index + 1)) return 'its shards are out of order';
	const shardCells = shards.flatMap(({ cells }) => cells);
	if (new Set(shardCells).size < shardCells.length) return 'two shards have the same cell';
	if (plan.cells.some(({ id }) => !shardCells.includes(id))) return 'a cell is of no shard';
	if (shards.some(({ state, ended }) => (state === 'complete') !== (ended !== undefined))) return 'a shard has no end';
	const [least, most] = [plan.cells, [...plan.cells, ...plan.oneSided]].map((cells) =>
		countRows({ cells, metrics: plan.metrics }),
	);
	const { family = Number.NaN } = plan;
	return family >= (least as number) && family <= (most as number) ? null : 'its family is not the rows of its plan';
}

/** Checks that each shard numbers its rounds from 1. */
function inAllRounds({ plan, rounds, shards, lanes }: Raw): string | null {
	if (shards === undefined) return inAllLanes({ plan, rounds }, lanes);
	if (lanes !== undefined) return 'it has lanes of no machine';
	const complete = shards.filter(({ state }) => state === 'complete');
	const shardNumbers = new Set(complete.map(({ shard }) => shard));
	if (rounds.some(({ shard }) => shard === undefined || !shardNumbers.has(shard)))
		return 'a round is of no shard that counts';
	for (const { shard, cells, lanes: shardLanes } of complete) {
		const contradiction = inAllLanes(
			{ plan: only(plan, cells), rounds: rounds.filter((round) => round.shard === shard) },
			shardLanes,
		);
		if (contradiction !== null) return contradiction;
	}
	return null;
}

/** Checks that each lane numbers its rounds from 1, and that every cell belongs to one lane. */
function inAllLanes(whole: Pick<Raw, 'plan' | 'rounds'>, lanes: readonly LaneRun[] | undefined): string | null {
	const { plan, rounds } = whole;
	if (lanes === undefined)
		return rounds.some(({ lane }) => lane !== undefined) ? 'a round is of no lane' : inRounds(whole);
	if (lanes.length === 0 || lanes.some(({ lane }, index) => lane !== index + 1)) return 'its lanes are out of order';
	const laneCells = lanes.flatMap(({ cells }) => cells);
	if (new Set(laneCells).size < laneCells.length) return 'two lanes have the same cell';
	if (plan.cells.length !== laneCells.length || plan.cells.some(({ id }) => !laneCells.includes(id)))
		return 'a cell is of no lane';
	if (rounds.some(({ lane }) => lane === undefined || lane < 1 || lane > lanes.length)) return 'a round is of no lane';
	for (const { lane, cells } of lanes) {
		const contradiction = inRounds({ plan: only(plan, cells), rounds: rounds.filter((round) => round.lane === lane) });
		if (contradiction !== null) return contradiction;
	}
	return null;
}

function only(plan: Plan, ids: readonly string[]): Plan {
	return { ...plan, cells: plan.cells.filter(({ id }) => ids.includes(id)) };
}

function inRounds({ plan, rounds }: Pick<Raw, 'plan' | 'rounds'>): string | null {
	const planned = new Set(plan.cells.map(({ id }) => id));
	const last = { main: 0, confirm: 0, count: 0 };
	const most = plan.looks.at(-1)?.rounds ?? 0;
	for (const round of rounds) {
		if (round.round !== last[round.purpose] + 1 || round.round > most) return 'its rounds are out of order';
		last[round.purpose] = round.round;
		const contradiction = inRound(round, plan, planned);
		if (contradiction !== null) return contradiction;
	}
	return null;
}

function inRound({ round, purpose, cells }: Round, plan: Plan, planned: ReadonlySet<string>): string | null {
	if (new Set(cells.map(({ cell }) => cell)).size < cells.length) return 'a round has a cell twice';
	const design = purpose === 'confirm' ? 'alternating' : plan.design;
	const fits = (turn: CellRound) =>
		planned.has(turn.cell) &&
		turn.round === round &&
		turn.purpose === purpose &&
		turn.design === design &&
		(purpose === 'count' ? turn.windows.length === 0 : turn.counted === undefined) &&
		turn.windows.every(({ kind }) => kind === design || kind === 'solo');
	return cells.every(fits) ? null : 'a turn is not one of its round';
}
