import { mean, median } from 'simple-statistics';
import { findPreset, type Preset } from '../config/ranking/presets.ts';
import { BUSY_CPU, BUSY_WINDOWS } from '../stats/guards.ts';
import { formatPercent } from '../text/numbers.ts';
import { EXIT } from '../types/errors.ts';
import {
	MEASURE_SCHEMA_VERSION,
	type MeasureData,
	type MeasureResult,
	type MeasureRow,
	type MeasureSample,
	type RowState,
} from '../types/ranking/measure.ts';
import type { MeasuredScenario } from '../types/ranking/measure-setup.ts';
import type { Warning } from '../types/units.ts';
import { aloneRounds, middleOf } from './alone.ts';
import { type CellState, cellStates } from './cell-state.ts';
import { comparisonsOf, type Wraps } from './comparisons.ts';
import { shareOf } from './log-share.ts';
import { countedSamples } from './missed-rates.ts';
import { nameSides } from './name-sides.ts';
import { generatorNotes, judgeByCpu, limitNotes, versionNotes } from './preset-notes.ts';
import { rampsOf } from './ramp.ts';
import { placeRows } from './rank.ts';
import { markOversubscribed, scalingsOf } from './scaling.ts';
import { runVariationOf, variationOf } from './variation.ts';

type Labelled = MeasureSample & { readonly shard: number };

/** What a report is asked for besides the data. */
export interface MeasureAsked {
	readonly highlight?: string | undefined;
	readonly wraps?: Wraps | undefined;
	/** Servers that shares are also given of. */
	readonly percentOf?: readonly string[] | undefined;
}

/**
 * Returns the result of a run, or of several put together: every server asked for in every scenario, measured or with the reason
 * why not.
 */
export function summariseMeasure(data: MeasureData, asked: MeasureAsked = {}): MeasureResult {
	const { samples: all, unmeasured: _, ...rest } = data;
	const samples = countedSamples(all);
	// Noise is lent among the rows of one machine.
	const machines = Map.groupBy(samples, ({ shard }) => shard);
	const states = new Map(
		[...Map.groupBy(all, ({ shard }) => shard).values()].flatMap((own) => [...cellStates(own, data.setup)]),
	);
	const homeOf = homeShards(samples);
	const preset = findPreset(data.setup.preset);
	const found = data.setup.scenarios.flatMap((scenario) =>
		placeRows(
			markOversubscribed(
				judged(
					preset,
					askedIn(scenario, data).map(({ name }) => {
						const shard = homeOf(name, scenario.name);
						const own = { ...data, samples: shard === undefined ? samples : (machines.get(shard) ?? []) };
						const row = rowOf(own, states, scenario, name, preset);
						return shard === undefined ? row : { ...row, shard };
					}),
				),
				data,
			),
			data.setup.preset,
		),
	);
	const rows = withRest(found, data.setup.scenarios);
	return {
		schemaVersion: MEASURE_SCHEMA_VERSION,
		kind: 'benchgate-measure',
		...rest,
		warnings: [...data.warnings, ...versionNotes(data, preset), ...busyWarnings(samples)],
		rows,
		comparisons: comparisonsOf(unrated(rows, data.setup.scenarios), asked.wraps ?? {}),
		ramps: rampsOf(rows),
		scalings: scalingsOf(rows, data),
		variation: runVariationOf(rows),
		rounds: Math.max(0, ...rows.map(({ rounds }) => rounds)),
		measuringSeconds: samples.reduce((sum, { seconds }) => sum + seconds, 0),
		highlight: asked.highlight ?? null,
		...(asked.percentOf?.length && { percentOf: asked.percentOf }),
	};
}

/**
 * Memory at rest is read once of a process, in whichever scenario it is asked first: all rows of the server have it. Programs that a
 * scenario starts in its own way are other processes.
 */
function withRest(rows: readonly MeasureRow[], scenarios: readonly MeasuredScenario[]): MeasureRow[] {
	const own = new Set(
		scenarios.flatMap(({ name, workers, inProcess, metrics }) =>
			workers || inProcess || metrics?.includes('hot-reload') ? [name] : [],
		),
	);
	const plain = rows.filter(({ scenario }) => !own.has(scenario));
	return rows.map((row) => {
		if (row.alone === null || own.has(row.scenario) || row.alone.metrics['memory-at-rest'] != null) return row;
		const known = plain.flatMap(({ server, shard, alone }) =>
			server === row.server && shard === row.shard ? (alone?.metrics['memory-at-rest'] ?? []) : [],
		);
		if (known.length === 0) return row;
		return { ...row, alone: { ...row.alone, metrics: { ...row.alone.metrics, 'memory-at-rest': median(known) } } };
	});
}

/** At a fixed rate nobody loses requests. */
function unrated(rows: readonly MeasureRow[], scenarios: readonly MeasuredScenario[]): MeasureRow[] {
	const rated = new Set(scenarios.flatMap(({ name, load }) => (load.rate === undefined ? [] : [name])));
	return rows.filter(({ scenario }) => !rated.has(scenario));
}

/** Shares hold on a busy machine, because both servers are slowed; figures alone do not. */
function busyWarnings(samples: readonly MeasureSample[]): readonly Warning[] {
	const known = samples.flatMap(({ guards }) => guards.busy ?? []);
	const windows = known.length === 0 ? 0 : mean(known);
	if (windows <= BUSY_WINDOWS) return [];
	const message = `Other programs used more than ${formatPercent(BUSY_CPU, 1)} of a CPU in ${formatPercent(windows, 0)} of the windows. Requests per second are lower and noisier than on a quiet machine; shares of the reference are noisier.`;
	return [{ code: 'busy-machine', message }];
}

function rowOf(
	data: MeasureData,
	states: ReadonlyMap<string, CellState>,
	scenario: MeasuredScenario,
	server: string,
	preset: Preset | null,
): MeasureRow {
	const { samples } = data;
	const state = states.get(`${server}/${scenario.name}`);
	const isReference = scenario.reference === server;
	const alone = aloneRounds(samples, server, scenario.name);
	const standing = standingOf(data, scenario, server, state, alone.length > 0);
	const isMeasured = standing.state === 'measured';
	// With a preset there is nobody to have a share of.
	const measured = scenario.reference === null ? null : (state?.share ?? null);
	const logShare = isReference ? { theta: 0, se: 0, df: 1 } : measured;
	const own = samples.filter((sample) => sample.server === server && sample.scenario === scenario.name);
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
				? [...state.warnings, ...limitNotes(figures, preset), ...generatorNotes(own, data.setup)]
				: [],
	};
}

function weightOf(state: CellState | undefined): Pick<MeasureRow, 'ownReference'> {
	return state === undefined || state.ownReference === 1 ? {} : { ownReference: state.ownReference };
}

/** Whoever goes on with a run may name more servers than it was begun with: what was measured has a row all the same. */
function askedIn({ name: scenario, servers: asked }: MeasuredScenario, data: MeasureData): MeasureData['servers'] {
	if (asked === undefined) return data.servers;
	const known = [...data.samples, ...data.unmeasured].filter((one) => one.scenario === scenario);
	const names = new Set([...asked, ...known.map(({ server }) => server)]);
	return data.servers.filter(({ name }) => names.has(name));
}

/** Rounds in which a reference was loaded, whichever server it was measured with. */
function roundsOf(samples: readonly MeasureSample[], reference: string, scenario: string): number {
	const own = samples.filter((sample) => sample.scenario === scenario && sample.reference === reference);
	return new Set(own.map(({ round }) => round)).size;
}

function standingOf(
	{ servers, shards, unmeasured, samples }: MeasureData,
	{ name: scenario, reference }: MeasuredScenario,
	server: string,
	state: CellState | undefined,
	hasFigures: boolean,
): { readonly state: RowState; readonly reason: string | null } {
	const missing = shards?.find((one) => one.state === 'missing' && one.servers.includes(server));
	if (missing && !hasFigures) return { state: 'not-reached', reason: `shard ${missing.shard} left no measurement` };
	const asked = servers.find(({ name }) => name === server);
	if (asked !== undefined && asked.state !== 'installed') return { state: asked.state, reason: asked.reason };
	const known = unmeasured.find((one) => one.server === server && one.scenario === scenario);
	if (known !== undefined) return { state: known.state, reason: known.reason };
	if (state !== undefined && state.fault !== null) {
		return { state: 'broken', reason: nameSides(state.fault.message, server, reference ?? server) };
	}
	if (hasFigures || (state !== undefined && state.rounds > 0)) return { state: 'measured', reason: null };
	const lost = samples.filter((sample) => sample.scenario === scenario && sample.reference === server);
	// With no round that counts, one fault of its own is enough, as it is for the servers beside it.
	const broke = lost.flatMap(ownFaults)[0];
	if (broke !== undefined) return { state: 'broken', reason: nameSides(broke.message, server, server) };
	// A round in which the other one broke says nothing of the reference either.
	if (lost.length > 0) return { state: 'not-reached', reason: 'every server that was measured with it broke' };
	return { state: 'not-reached', reason: 'the run ended before it was measured' };
}

/** What broke on the side of the reference. A round that ends because the other side broke leaves it without an answer. */
function ownFaults({ faults }: MeasureSample): readonly Warning[] {
	const isOther = faults.some(({ side }) => side === 'head');
	return faults.filter(({ side, code }) => side === 'base' && !(isOther && code === 'no-answers'));
}

function judged(preset: Preset | null, rows: readonly MeasureRow[]): readonly MeasureRow[] {
	return preset === null ? rows : judgeByCpu(rows);
}

/**
 * Returns what tells the shard whose machine the figures alone of a row are taken from: the one that ranked the server; of a server that
 * is only a reference, which every shard loads, that with the most of its turns, the same one in all scenarios that it has. Undefined
 * for what no shard measured, and where nothing was gathered.
 */
function homeShards(samples: readonly MeasureSample[]): (server: string, scenario: string) => number | undefined {
	const labelled = samples.filter((sample): sample is Labelled => sample.shard !== undefined);
	const usual = new Map([
		...[...Map.groupBy(labelled, ({ reference }) => reference)].map(([name, own]) => [name, mostTurns(own)] as const),
		...[...Map.groupBy(labelled, ({ server }) => server)].map(([name, own]) => [name, mostTurns(own)] as const),
	]);
	return (server, scenario) => {
		const own = labelled.filter(
			(sample) => sample.scenario === scenario && (sample.server === server || sample.reference === server),
		);
		const home = usual.get(server);
		return own.some(({ shard }) => shard === home) ? home : mostTurns(own);
	};
}

/** If several have as many, the first. */
function mostTurns(samples: readonly Labelled[]): number | undefined {
	const turns = [...Map.groupBy(samples, ({ shard }) => shard)];
	const [most] = turns.toSorted(([a, one], [b, other]) => other.length - one.length || a - b);
	return most?.[0];
}

/** Returns the exit code of a ranking: 130 when it was cut off, 3 when no row was measured, else 0. It gates nothing. */
export function measureExitCode({ ended, rows }: Pick<MeasureResult, 'ended' | 'rows'>): number {
	if (ended === 'interrupted') return EXIT.interrupted;
	return rows.some(({ state }) => state === 'measured') ? EXIT.passed : EXIT.nothingMeasured;
}
