import { soloFiguresOf } from '../../stats/solo-figures.ts';
import type { BaselineCell, ReferenceShare, SoloFigures } from '../../types/baseline.ts';
import type { Cell } from '../../types/plan.ts';
import type { CellResult, Raw } from '../../types/result.ts';
import type { CellRound } from '../../types/round.ts';
import type { Warning } from '../../types/units.ts';
import { readRun } from '../looks/run-so-far.ts';
import { summarise } from '../summarise.ts';
import { type EarlierSpreads, type Level, levelOf } from './level.ts';
import { faultsOf } from './precision.ts';

/** A cell that was loaded in turn with the reference server. */
export interface BesideReference {
	readonly solo: SoloFigures;
	readonly reference: SoloFigures;
	/** Null where it cannot be told. */
	readonly share: ReferenceShare | null;
	readonly warnings: readonly Warning[];
}

/** By the cell's id. */
export type ReferenceFigures = ReadonlyMap<string, BesideReference>;

/**
 * Returns the rows of a baseline from what was measured: each row of the comparison with its verdict, and where its rounds lie.
 * Rows without a usable figure have none, and keep their verdict and the reason.
 */
export function baselineCells(raw: Raw, earlier: EarlierSpreads, reference: ReferenceFigures): readonly BaselineCell[] {
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
