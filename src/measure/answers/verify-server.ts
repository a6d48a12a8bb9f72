/** Checks, before measuring, that both sides answer as expected and alike. */
import type { Cell } from '../../types/plan.ts';
import type { RefusedCell } from '../../types/result.ts';
import { type Fault, REACHED_FAULTS } from '../../types/round.ts';
import { SIDES } from '../../types/units.ts';
import { findCulprits, withoutVictims } from '../connections/turn-watch.ts';
import { crashesBehind, explained, isFaults, type Note, startFreshPair } from '../fresh-pair.ts';
import { firstRows } from '../generator/order-turn.ts';
import { findEnded, type Pair } from '../pair.ts';
import { findScenario, findServer, type LaboratoryOptions, origins, revisionsOf } from '../turn-parts.ts';
import type { Answer } from './answer.ts';
import { ask, NoAnswer } from './ask.ts';
import { namesOfRevisions } from './own-texts.ts';
import { type BaseAnswers, verifyScenario } from './verify-scenario.ts';

export const WHEN_ASKED = 'when it was asked, before any load';

/** Longest wait for an answer whose path is only a guess. */
const ASKING_MS = 5_000;

/** Without measuring, the order does not matter. */
const VERIFYING = { startFirst: 'base', slot: { base: 0, head: 1 } } as const;

/**
 * Returns the cells of `server` that cannot be measured, with reasons. If the sides only disagree, fresh processes are
 * asked once more, because a part may differ between processes. `disputed` keeps base's answers for later rounds.
 */
export async function verifyServer(
	options: LaboratoryOptions,
	server: string,
	cells: readonly Cell[],
	note: Note,
	disputed: Map<string, BaseAnswers>,
): Promise<RefusedCell[]> {
	const first = await askCells(options, server, cells, note, disputed);
	const again = cells.filter(({ id }) => disputed.has(id) && first.some(({ cell }) => cell === id));
	if (again.length === 0) return first;
	const second = await askCells(options, server, again, note, disputed);
	return [...first.filter(({ cell }) => !again.some(({ id }) => id === cell)), ...second];
}

async function askCells(
	options: LaboratoryOptions,
	server: string,
	cells: readonly Cell[],
	note: Note,
	disputed: Map<string, BaseAnswers>,
): Promise<RefusedCell[]> {
	const spec = findServer(options, server);
	const names = namesOfRevisions(revisionsOf(options));
	const refused: RefusedCell[] = [];
	let pair: Pair | null = null;
	try {
		for (const [at, cell] of cells.entries()) {
			if (pair === null) {
				const started = await startFreshPair(spec, options.prepared, VERIFYING, options.start, note);
				if (isFaults(started)) return [...refused, ...cells.slice(at).flatMap(({ id }) => refuseCell(id, started))];
				pair = started;
			}
			const watch = options.start.connections?.begin(pair, options.generator.pid);
			const scenario = findScenario(options, cell.scenario);
			const rows = firstRows(scenario, options.traffic?.(scenario));
			const earlier = disputed.get(cell.id);
			const verified = await verifyScenario(origins(pair), scenario, { rows, names, ...(earlier && { earlier }) });
			const { faults } = verified;
			if (verified.disputed) disputed.set(cell.id, verified.disputed);
			const broke = [...(await crashesBehind(pair, WHEN_ASKED, faults)), ...explained(pair, faults)];
			refused.push(...refuseCell(cell.id, broke.length > 0 ? withoutVictims(await findCulprits(watch), broke) : []));
			watch?.stop();
			if (findEnded(pair) === null) continue;
			// The next cell needs living servers.
			await pair[Symbol.asyncDispose]();
			pair = null;
		}
	} finally {
		await pair?.[Symbol.asyncDispose]();
	}
	return refused;
}

/** A path's answer; the reason as a text if there is none. */
export type Ask = (path: string) => Promise<Answer | string>;

/** Starts a pair and lets `talk` ask base's process. Returns null if it does not start. */
export async function askServer<T>(
	options: LaboratoryOptions,
	server: string,
	talk: (ask: Ask) => Promise<T>,
): Promise<T | null> {
	const spec = findServer(options, server);
	const pair = await startFreshPair(spec, options.prepared, VERIFYING, options.start, () => {});
	if (isFaults(pair)) return null;
	try {
		const { base } = origins(pair);
		return await talk(async (path) => {
			options.start.signal.throwIfAborted();
			try {
				return await ask(base, { method: 'GET', path, headers: {} }, { timeoutMs: ASKING_MS });
			} catch (error) {
				if (error instanceof NoAnswer) return error.message;
				throw error;
			}
		});
	} finally {
		await pair[Symbol.asyncDispose]();
	}
}

/** Keeps the first fault of each side and of an unknown culprit, or else the first fault. */
function refuseCell(cell: string, faults: readonly Fault[]): RefusedCell[] {
	const reached = faults.find(({ side, code }) => side === null && REACHED_FAULTS.includes(code)) ?? [];
	const causes = [...SIDES.flatMap((side) => faults.find((one) => one.side === side) ?? []), reached].flat();
	const [fault, ...others] = causes.length > 0 ? causes : faults.slice(0, 1);
	if (!fault) return [];
	return [others.length > 0 ? { cell, fault, others } : { cell, fault }];
}
