import { type AbsoluteFigures, absoluteFigures } from '../stats/absolute.ts';
import { changeOf } from '../stats/estimate.ts';
import { countedWindows, poolLatency, sideOf } from '../stats/windows.ts';
import { MESSAGE_LIMIT, plainText } from '../text/escape.ts';
import { notExercised, whyAffected } from '../text/impact-words.ts';
import { nameAll, plainPhrase } from '../text/phrase.ts';
import type { ChangedCode } from '../types/impact.ts';
import type { RowDrift } from '../types/main-baselines.ts';
import { isCounted, METRICS, type MetricName, placeOfRow } from '../types/metric.ts';
import type { Cell, Plan } from '../types/plan.ts';
import {
	type CellResult,
	type ChartData,
	type MetricResult,
	type Raw,
	RESULT_SCHEMA_VERSION,
	type Result,
	type RunContext,
} from '../types/result.ts';
import type { CellRound } from '../types/round.ts';
import type { Warning } from '../types/units.ts';
import type { Gate, RowDecision } from '../types/verdict.ts';
import type { Part } from './decide.ts';
import { gateOf } from './gate.ts';
import { firstFaults, warnOfFault } from './guard-warnings.ts';
import { readRun } from './looks/run-so-far.ts';
import type { Sample } from './looks/samples.ts';
import { metricsAt, metricsShown, withMargins } from './plan-rows.ts';
import { presentRefused } from './present.ts';
import { rowDrift } from './row-drift.ts';
import { decideRaw, partsOf } from './run-parts.ts';

/**
 * Returns the result of a run, or of `benchgate judge`, so equal raw data give equal results. Refused cells become
 * invalid rows but stay in the family.
 */
export function summarise(raw: Raw): Result {
	const { context, plan, timing, ended, shards } = raw;
	const { changed } = context;
	const decision = decideRaw(raw);
	const shardOf = new Map(shards?.flatMap(({ shard, cells }) => cells.map((cell) => [cell, shard] as const)));
	const rows = withRefusedRows(raw, decision.rows).map((named) => withDrift(named, context));
	return {
		schemaVersion: RESULT_SCHEMA_VERSION,
		tool: context.tool,
		createdAt: context.createdAt,
		seed: plan.seed,
		design: plan.design,
		threshold: context.threshold,
		tolerance: context.tolerance,
		budget: plan.budgetSeconds,
		base: context.base,
		head: context.head,
		...(context.harness && { harness: context.harness }),
		environment: context.environment,
		...(shards && { shards }),
		gate: withUncovered(
			gateOf(rows.map(({ row, cell, drift }) => ({ ...row, threshold: cell.threshold, ...(drift && { drift }) }))),
			changed,
		),
		onInconclusive: context.onInconclusive,
		ended,
		cells: rows.map(({ row, cell, drift }) => ({
			...cellResult(row, cell, mainRounds(raw, row), plan),
			...(drift && { drift }),
			...shardNamed(shardOf.get(cell.id)),
			...(context.because?.[cell.id] && { because: context.because[cell.id] }),
		})),
		...(changed && { changed }),
		warnings: [...context.warnings, ...warnOfImpact(context), ...decision.warnings],
		timing,
		reproduce: context.reproduce,
	};
}

function shardNamed(shard: number | undefined): Pick<CellResult, 'shard'> {
	return shard === undefined ? {} : { shard };
}

interface NamedRow {
	readonly row: RowDecision;
	readonly cell: Cell;
}

function withDrift(named: NamedRow, { baselines }: Raw['context']): NamedRow & { readonly drift: RowDrift | null } {
	return { ...named, drift: baselines ? rowDrift(named.row, named.cell.threshold, baselines) : null };
}

function withRefusedRows({ plan, refused, context }: Raw, rows: readonly RowDecision[]): readonly NamedRow[] {
	const faults = new Map(refused.map(({ cell, fault, others = [] }) => [cell, [fault, ...others]]));
	const plannedCells = [...plan.cells, ...plan.oneSided];
	const unknown = [...faults.keys()].filter((id) => !plannedCells.some((cell) => cell.id === id));
	const cells = [...plannedCells, ...unknown.map((id) => cellNamed(id, context))];
	return cells.flatMap((cell) => {
		const cellFaults = faults.get(cell.id);
		const faultWarnings = cellFaults && firstFaults(cellFaults).map((fault) => warnOfFault(fault, false));
		const cellRows = faultWarnings
			? metricsAt(cell, plan).map((metric) => presentRefused(cell, metric, faultWarnings))
			: rows.filter((row) => row.cell === cell.id);
		return cellRows.map((row) => ({ row, cell: withMargins(cell, row.metric, plan) }));
	});
}

function cellNamed(id: string, { threshold, tolerance }: Pick<Cell, 'threshold' | 'tolerance'>): Cell {
	const slash = id.indexOf('/');
	return { id, server: id.slice(0, slash), scenario: id.slice(slash + 1), threshold, tolerance };
}

/** A server's row has the rounds of all of its cells. The first cell has the start. */
function mainRounds(raw: Raw, { cell, metric }: RowDecision): readonly CellRound[] {
	const main = raw.rounds.filter((round) => round.purpose === (isCounted(metric) ? 'count' : 'main'));
	const place = placeOfRow(cell, metric);
	return main.flatMap((round) => round.cells.filter((cellRound) => placeOfRow(cellRound.cell, metric) === place));
}

function cellResult(row: RowDecision, cell: Cell, cellRounds: readonly CellRound[], plan: Plan): CellResult {
	const { estimate } = row;
	return {
		server: cell.server,
		scenario: cell.scenario,
		metric: row.metric,
		judgedBy: row.judgedBy,
		verdict: row.verdict,
		change: estimate?.change ?? null,
		interval: estimate?.interval ?? null,
		threshold: cell.threshold,
		tolerance: cell.tolerance,
		rounds: estimate?.rounds ?? 0,
		roundSd: estimate && estimate.rounds > 1 ? estimate.sd : null,
		smallestDecidableThreshold: row.smallestDecidableThreshold,
		pRegressed: row.pRegressed,
		pUnchanged: row.pUnchanged,
		metrics: row.verdict === 'invalid' ? {} : metricResults(row, absoluteFigures(cellRounds, plan.design)),
		guards: row.guards,
		warnings: row.warnings,
		...(row.newerThanBase && { newerThanBase: row.newerThanBase }),
	};
}

function metricResults(
	row: RowDecision,
	figures: Readonly<Record<MetricName, AbsoluteFigures>>,
): CellResult['metrics'] {
	const results = metricsShown(row.metric).flatMap((metric) => {
		const { base, head, ...measured } = figures[metric];
		const estimate = row.estimates[metric];
		if (base === null && head === null && !estimate) return [];
		const { change = null, interval = null } = estimate ?? {};
		const result: MetricResult = { base, head, change, interval, unit: METRICS[metric].unit, ...measured };
		return [[metric, result]];
	});
	return Object.fromEntries(results);
}

const MOST_NAMED = 3;

/** Returns a warning for each reason why rows are measured, except reasons that lie in the config. */
export function warnOfImpact({ because = {} }: Pick<RunContext, 'because'>): readonly Warning[] {
	const whys = Object.entries(because).flatMap(([cell, reason]) => {
		const words = whyAffected(reason);
		return words ? [{ cell, why: plainPhrase(words) }] : [];
	});
	return [...Map.groupBy(whys, ({ why }) => why)].map(([why, same]) => {
		const cells = same.map(({ cell }) => cell);
		return { code: 'affected', message: plainText(`Measured ${why}: ${nameAll(cells, MOST_NAMED)}.`, MESSAGE_LIMIT) };
	});
}

/** Makes a passed gate neutral if no row runs some changed code and the config asks for it. */
export function withUncovered(gate: Gate, changed: ChangedCode | undefined): Gate {
	const words = changed?.uncovered === 'neutral' && gate.outcome === 'pass' ? notExercised(changed) : null;
	if (words === null) return gate;
	const sentence = plainText(plainPhrase(words), MESSAGE_LIMIT);
	const causes = [{ kind: 'not-exercised' as const, rows: [], sentence }, ...(gate.causes ?? [])];
	return { outcome: 'inconclusive', reasons: causes.map((cause) => cause.sentence), causes, neutral: 'always' };
}

type Judged = Pick<Result, 'cells'>;

/**
 * Returns data for the HTML report's charts by cell id: the change in each main round (by the metric that judges the
 * cell's first row), and both sides' latency over all of them.
 */
export function chartData(raw: Raw, result: Judged): ChartData {
	const cells = partsOf(raw).flatMap((part) => chartsOf(part, result));
	return {
		rounds: Object.fromEntries(cells.map(({ cell, rounds }) => [cell, rounds])),
		latency: Object.fromEntries(cells.map(({ cell, latency }) => [cell, latency])),
	};
}

function chartsOf({ plan, rounds, ended }: Part, { cells }: Judged) {
	const startedAt = rounds.map((round) => round.startedAt);
	const { allSamples, discarded } = readRun(plan, rounds)(rounds.length, ended);
	const points = (metric: MetricName, samples: readonly Sample[]) =>
		samples.flatMap(({ d, round, position }) => {
			const value = d[metric];
			if (value === null) return [];
			const change = changeOf(metric, value);
			return [{ round, startedAt: startedAt[position] as number, change, discarded: discarded.has(position) }];
		});
	const main = rounds.filter(({ purpose }) => purpose === 'main');
	return [...new Set(main.flatMap((round) => round.cells.map(({ cell }) => cell)))].map((cell) => {
		const samples = allSamples(cell).filter(({ cellRound }) => cellRound.purpose === 'main');
		const row = cells.find(
			({ server, scenario, judgedBy }) => `${server}/${scenario}` === cell && !isCounted(judgedBy),
		);
		return { cell, rounds: points(row?.judgedBy ?? 'throughput', samples), latency: latencyOf(samples) };
	});
}

function latencyOf(samples: readonly Sample[]) {
	const windows = samples.flatMap((sample) => countedWindows(sample.cellRound));
	return { base: poolLatency(sideOf(windows, 'base')), head: poolLatency(sideOf(windows, 'head')) };
}
