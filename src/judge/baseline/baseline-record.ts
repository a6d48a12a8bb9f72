import { createHash } from 'node:crypto';
import { fitBaseline } from '../../formats/baseline/baseline-file.ts';
import { soloFiguresOf } from '../../stats/absolute.ts';
import { runtimeOf } from '../../text/runtime-words.ts';
import {
	type Anchor,
	BASELINE_SCHEMA_VERSION,
	type BaselineCell,
	type BaselineCommit,
	type BaselinePurpose,
	type BaselineRecord,
	type KeptCoverage,
	type ReferenceShare,
	type SoloFigures,
} from '../../types/baseline.ts';
import type { Cell } from '../../types/plan.ts';
import type { CellResult, Environment, Raw } from '../../types/result.ts';
import type { CellRound } from '../../types/round.ts';
import type { Warning } from '../../types/units.ts';
import { readRun } from '../looks/run-so-far.ts';
import { summarise } from '../summarise.ts';
import { type EarlierSpreads, type Level, levelOf, spreadsIn } from './level.ts';
import { faultsOf } from './precision.ts';

export interface BesideReference {
	readonly solo: SoloFigures;
	readonly reference: SoloFigures;
	readonly share: ReferenceShare | null;
	readonly warnings: readonly Warning[];
}

export type ReferenceFigures = ReadonlyMap<string, BesideReference>;

const DIGITS = 8;

export interface RecordContext {
	readonly purpose: BaselinePurpose;
	readonly commit: BaselineCommit;
	readonly anchor: Anchor;
	readonly run: BaselineRecord['run'];
	readonly subjectDigest: string | null;
	readonly reference: ReferenceFigures;
	/** Earlier runs, and this one. */
	readonly earlier: readonly BaselineRecord[];
	readonly accepted: BaselineRecord['accepted'];
	readonly coverage?: KeptCoverage | null;
	readonly warnings: readonly Warning[];
}

export function baselineRecord(raw: Raw, context: RecordContext): BaselineRecord {
	const { environment, tool, createdAt, reproduce, harness } = raw.context;
	const { earlier, reference, warnings, coverage, ...rest } = context;
	const environmentId = environmentIdOf(environment);
	return fitBaseline({
		schemaVersion: BASELINE_SCHEMA_VERSION,
		kind: 'benchgate-baseline',
		tool,
		createdAt,
		...rest,
		harness: harness?.sha ?? harness?.label ?? null,
		environmentId,
		environment,
		seed: raw.plan.seed,
		ended: raw.ended,
		cells: baselineCells(raw, spreadsIn(earlier, environmentId), reference),
		...(coverage && { coverage }),
		warnings: [...raw.context.warnings, ...warnings],
		reproduce,
	});
}

/**
 * Returns 8 hex digits that identify the kind of machine: CPU model, number of CPUs, major versions of kernel and
 * runtime. A curve may join log ratios of several kinds, but not absolute figures or spreads.
 */
export function environmentIdOf({ cpuModel, cpus, kernel, node, runtimes }: Environment): string {
	const { name, version } = runtimeOf({ ...(runtimes && { runtimes }), node }, 'head');
	const ran = name === 'node' ? majorOf(version) : `${name} ${majorOf(version)}`;
	const kind = [cpuModel, cpus, majorOf(kernel), ran];
	return createHash('sha256').update(JSON.stringify(kind)).digest('hex').slice(0, DIGITS);
}

function majorOf(version: string): string {
	return version.replace(/^v/, '').split('.')[0] ?? '';
}

/** A row without a usable level keeps its verdict, and its warnings give the reason. */
function baselineCells(raw: Raw, earlier: EarlierSpreads, reference: ReferenceFigures): readonly BaselineCell[] {
	const run = readRun(raw.plan, raw.rounds)(raw.rounds.length, raw.ended);
	return summarise(raw).cells.map((row): BaselineCell => {
		const cell = raw.plan.cells.find(({ id }) => id === idOf(row));
		const faults = faultsOf(idOf(row), run);
		const isBroken = faults.length > 0 || row.verdict === 'invalid';
		const beside = isBroken ? undefined : reference.get(idOf(row));
		const level = cell === undefined || isBroken ? null : levelOf(cell, row.metric, run, earlier);
		return {
			...nameOf(row),
			...figuresOf(level),
			judgedBy: level?.judgedBy ?? row.judgedBy,
			verdict: isBroken ? 'invalid' : row.verdict,
			threshold: row.threshold,
			solo: isBroken ? null : (beside?.solo ?? soloFiguresOf(mainRounds(raw, row), 'head')),
			reference: beside?.reference ?? null,
			...(beside?.share && { ofReference: beside.share }),
			warnings: row.verdict === 'invalid' ? row.warnings : [...faults, ...row.warnings, ...(beside?.warnings ?? [])],
		};
	});
}

function nameOf({ server, scenario, metric }: CellResult): Pick<BaselineCell, 'server' | 'scenario' | 'metric'> {
	return { server, scenario, metric };
}

function figuresOf(level: Level | null) {
	const { theta = null, se = null, low = null, high = null, rounds = 0, roundSd = null, lag1 = null } = level ?? {};
	return { theta, se, low, high, rounds, roundSd, lag1 };
}

function idOf({ server, scenario }: Pick<Cell, 'server' | 'scenario'>): string {
	return `${server}/${scenario}`;
}

function mainRounds({ rounds }: Raw, row: CellResult): readonly CellRound[] {
	const main = rounds.filter(({ purpose }) => purpose === 'main');
	return main.flatMap(({ cells }) => cells.filter(({ cell }) => cell === idOf(row)));
}
