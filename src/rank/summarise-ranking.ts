import { mean, median } from 'simple-statistics';
import { findPreset, type Preset } from '../config/ranking/presets.ts';
import { BUSY_CPU, BUSY_WINDOWS } from '../stats/guards.ts';
import { formatPercent } from '../text/numbers.ts';
import { EXIT } from '../types/errors.ts';
import {
	RANKING_SCHEMA_VERSION,
	type RankingData,
	type RankingResult,
	type RankingRow,
	type RankingSample,
	type RowState,
} from '../types/ranking/ranking.ts';
import type { RankedScenario } from '../types/ranking/ranking-setup.ts';
import type { Warning } from '../types/units.ts';
import { aloneRounds, middleOf } from './alone.ts';
import { type CellState, cellStates } from './cell-state.ts';
import { comparisonsOf, type Wraps } from './comparisons.ts';
import { countedSamples } from './missed-rates.ts';
import { nameSides } from './name-sides.ts';
import { generatorNotes, judgeByCpu, limitNotes, versionNotes } from './preset-notes.ts';
import { placeRows } from './rank.ts';
import { shareOf } from './ratios.ts';
import { markOversubscribed, rampsOf, scalingsOf } from './scaling.ts';
import { runVariationOf, variationOf } from './variation.ts';

type Labelled = RankingSample & { readonly shard: number };

export interface MeasureAsked {
	readonly highlight?: string | undefined;
	readonly wraps?: Wraps | undefined;
	/** Further servers to give shares of. */
	readonly percentOf?: readonly string[] | undefined;
}

/**
 * Returns the result of a run or of several merged. Each requested server and scenario has a row: measured, or with the
 * reason why not.
 */
export function summariseRanking(data: RankingData, options: MeasureAsked = {}): RankingResult {
	const { samples: all, unmeasured: _, ...rest } = data;
	const samples = countedSamples(all);
	// Rows use spreads only of rows on the same machine.
	const machines = Map.groupBy(samples, ({ shard }) => shard);
	const states = new Map(
		[...Map.groupBy(all, ({ shard }) => shard).values()].flatMap((shardSamples) => [
			...cellStates(shardSamples, data.setup),
		]),
	);
	const homeOf = homeShards(samples);
	const preset = findPreset(data.setup.preset);
	const placedRows = data.setup.scenarios.flatMap((scenario) =>
		placeRows(
			markOversubscribed(
				judged(
					preset,
					askedIn(scenario, data).map(({ name }) => {
						const shard = homeOf(name, scenario.name);
						const machineData = { ...data, samples: shard === undefined ? samples : (machines.get(shard) ?? []) };
						const row = rowOf(machineData, states, scenario, name, preset);
						return shard === undefined ? row : { ...row, shard };
					}),
				),
				data,
			),
			data.setup.preset,
		),
	);
	const rows = withRest(placedRows, data.setup.scenarios);
	return {
		schemaVersion: RANKING_SCHEMA_VERSION,
		kind: 'benchgate-measure',
		...rest,
		warnings: [...data.warnings, ...versionNotes(data, preset), ...busyWarnings(samples)],
		rows,
		comparisons: comparisonsOf(unrated(rows, data.setup.scenarios), options.wraps ?? {}),
		ramps: rampsOf(rows),
		scalings: scalingsOf(rows, data),
		variation: runVariationOf(rows),
		rounds: Math.max(0, ...rows.map(({ rounds }) => rounds)),
		measuringSeconds: samples.reduce((sum, { seconds }) => sum + seconds, 0),
		highlight: options.highlight ?? null,
		...(options.percentOf?.length && { percentOf: options.percentOf }),
	};
}

/**
 * Memory at rest is read once per process, in its first scenario, and copied to all rows of the server. Scenarios with
 * another start have other processes.
 */
function withRest(rows: readonly RankingRow[], scenarios: readonly RankedScenario[]): RankingRow[] {
	const specialScenarios = new Set(
		scenarios.flatMap(({ name, workers, inProcess, metrics }) =>
			workers || inProcess || metrics?.includes('hot-reload') ? [name] : [],
		),
	);
	const plain = rows.filter(({ scenario }) => !specialScenarios.has(scenario));
	return rows.map((row) => {
		if (row.alone === null || specialScenarios.has(row.scenario) || row.alone.metrics['memory-at-rest'] != null)
			return row;
		const restMemories = plain.flatMap(({ server, shard, alone }) =>
			server === row.server && shard === row.shard ? (alone?.metrics['memory-at-rest'] ?? []) : [],
		);
		if (restMemories.length === 0) return row;
		return {
			...row,
			alone: { ...row.alone, metrics: { ...row.alone.metrics, 'memory-at-rest': median(restMemories) } },
		};
	});
}

/** Drops rows at a fixed rate, because there no server loses requests. */
function unrated(rows: readonly RankingRow[], scenarios: readonly RankedScenario[]): RankingRow[] {
	const rated = new Set(scenarios.flatMap(({ name, load }) => (load.rate === undefined ? [] : [name])));
	return rows.filter(({ scenario }) => !rated.has(scenario));
}

/** On a busy machine shares are valid, because both servers are slowed. Absolute figures are not. */
function busyWarnings(samples: readonly RankingSample[]): readonly Warning[] {
	const busyFractions = samples.flatMap(({ guards }) => guards.busy ?? []);
	const windows = busyFractions.length === 0 ? 0 : mean(busyFractions);
	if (windows <= BUSY_WINDOWS) return [];
	const message = `Other programs used more than ${formatPercent(BUSY_CPU, 1)} of a CPU in ${formatPercent(windows, 0)} of the windows. Requests per second are lower and noisier than on a quiet machine; shares of the reference are noisier.`;
	return [{ code: 'busy-machine', message }];
}

function rowOf(
	data: RankingData,
	states: ReadonlyMap<string, CellState>,
	scenario: RankedScenario,
	server: string,
	preset: Preset | null,
): RankingRow {
	const { samples } = data;
	const state = states.get(`${server}/${scenario.name}`);
	const isReference = scenario.reference === server;
	const alone = aloneRounds(samples, server, scenario.name);
	const standing = standingOf(data, scenario, server, state, alone.length > 0);
	const isMeasured = standing.state === 'measured';
	// A preset has no reference.
	const measured = scenario.reference === null ? null : (state?.share ?? null);
	const logShare = isReference ? { theta: 0, se: 0, df: 1 } : measured;
	const rowSamples = samples.filter((sample) => sample.server === server && sample.scenario === scenario.name);
	const figures = isMeasured ? middleOf(alone, preset?.aggregate ?? 'median') : null;
	const throughputs = alone.flatMap(({ metrics }) => metrics.throughput ?? []);
	return {
		server,
		scenario: scenario.name,
		...standing,
		rank: null,
		share: isMeasured && logShare !== null ? shareOf(logShare) : null,
		logShare: isMeasured ? logShare : null,
		...(isMeasured && measured !== null && !isReference && weightOf(state)),
		judgedBy: scenario.metrics?.[0] ?? state?.judgedBy ?? 'throughput',
		rounds: isReference ? roundsOf(samples, server, scenario.name) : (state?.rounds ?? 0),
		alone: figures,
		throughputs: isMeasured ? throughputs : [],
		variation: {
			throughput: variationOf(isMeasured ? throughputs : [], preset?.deviation),
			p99: variationOf(isMeasured ? alone.flatMap(({ latency }) => latency?.p99 ?? []) : [], preset?.deviation),
		},
		warnings:
			state?.fault === null
				? [...state.warnings, ...limitNotes(figures, preset), ...generatorNotes(rowSamples, data.setup)]
				: [],
	};
}

function weightOf(state: CellState | undefined): Pick<RankingRow, 'ownReference'> {
	return state === undefined || state.ownReference === 1 ? {} : { ownReference: state.ownReference };
}

/** A resumed run may name other servers. Those measured before keep their rows. */
function askedIn(
	{ name: scenario, servers: scenarioServers }: RankedScenario,
	data: RankingData,
): RankingData['servers'] {
	if (scenarioServers === undefined) return data.servers;
	const outcomes = [...data.samples, ...data.unmeasured].filter((one) => one.scenario === scenario);
	const names = new Set([...scenarioServers, ...outcomes.map(({ server }) => server)]);
	return data.servers.filter(({ name }) => names.has(name));
}

function roundsOf(samples: readonly RankingSample[], reference: string, scenario: string): number {
	const referenceSamples = samples.filter((sample) => sample.scenario === scenario && sample.reference === reference);
	return new Set(referenceSamples.map(({ round }) => round)).size;
}

function standingOf(
	{ servers, shards, unmeasured, samples }: RankingData,
	{ name: scenario, reference }: RankedScenario,
	server: string,
	state: CellState | undefined,
	hasFigures: boolean,
): { readonly state: RowState; readonly reason: string | null } {
	const missing = shards?.find((one) => one.state === 'missing' && one.servers.includes(server));
	if (missing && !hasFigures) return { state: 'not-reached', reason: `shard ${missing.shard} left no measurement` };
	const rankedServer = servers.find(({ name }) => name === server);
	if (rankedServer !== undefined && rankedServer.state !== 'installed')
		return { state: rankedServer.state, reason: rankedServer.reason };
	const unmeasuredCell = unmeasured.find((one) => one.server === server && one.scenario === scenario);
	if (unmeasuredCell !== undefined) return { state: unmeasuredCell.state, reason: unmeasuredCell.reason };
	if (state !== undefined && state.fault !== null) {
		return { state: 'broken', reason: nameSides(state.fault.message, server, reference ?? server) };
	}
	if (hasFigures || (state !== undefined && state.rounds > 0)) return { state: 'measured', reason: null };
	const lost = samples.filter((sample) => sample.scenario === scenario && sample.reference === server);
	// Without a valid round, one fault is enough, as for other servers.
	const broke = lost.flatMap(ownFaults)[0];
	if (broke !== undefined) return { state: 'broken', reason: nameSides(broke.message, server, server) };
	// Rounds in which the other server broke show no fault of the reference.
	if (lost.length > 0) return { state: 'not-reached', reason: 'every server that was measured with it broke' };
	return { state: 'not-reached', reason: 'the run ended before it was measured' };
}

/** If the other side ended the round, missing answers are not the reference's fault. */
function ownFaults({ faults }: RankingSample): readonly Warning[] {
	const isOther = faults.some(({ side }) => side === 'head');
	return faults.filter(({ side, code }) => side === 'base' && !(isOther && code === 'no-answers'));
}

function judged(preset: Preset | null, rows: readonly RankingRow[]): readonly RankingRow[] {
	return preset === null ? rows : judgeByCpu(rows);
}

/**
 * The shard whose machine gives a row's absolute figures: the one that ranked the server, or for a pure
 * reference, which all load, the one with most of its turns. Undefined without a measurement or shards.
 */
function homeShards(samples: readonly RankingSample[]): (server: string, scenario: string) => number | undefined {
	const labelled = samples.filter((sample): sample is Labelled => sample.shard !== undefined);
	const usual = new Map([
		...[...Map.groupBy(labelled, ({ reference }) => reference)].map(
			([name, serverSamples]) => [name, mostTurns(serverSamples)] as const,
		),
		...[...Map.groupBy(labelled, ({ server }) => server)].map(
			([name, serverSamples]) => [name, mostTurns(serverSamples)] as const,
		),
	]);
	return (server, scenario) => {
		const cellSamples = labelled.filter(
			(sample) => sample.scenario === scenario && (sample.server === server || sample.reference === server),
		);
		const home = usual.get(server);
		return cellSamples.some(({ shard }) => shard === home) ? home : mostTurns(cellSamples);
	};
}

function mostTurns(samples: readonly Labelled[]): number | undefined {
	const turns = [...Map.groupBy(samples, ({ shard }) => shard)];
	const [most] = turns.toSorted(([a, one], [b, other]) => other.length - one.length || a - b);
	return most?.[0];
}

export function rankingExitCode({ ended, rows }: Pick<RankingResult, 'ended' | 'rows'>): number {
	if (ended === 'interrupted') return EXIT.interrupted;
	return rows.some(({ state }) => state === 'measured') ? EXIT.passed : EXIT.nothingMeasured;
}
