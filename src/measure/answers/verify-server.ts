/** Checks answers before measuring. */
import { fillRequest } from '../../text/placeholders.ts';
import { type DataRow, requestsOf, type Scenario } from '../../types/config.ts';
import type { Cell } from '../../types/plan.ts';
import type { RefusedCell } from '../../types/result.ts';
import { type Fault, REACHED_FAULTS } from '../../types/round.ts';
import { SIDES, type Side } from '../../types/units.ts';
import { findCulprits, withoutVictims } from '../connections/turn-watch.ts';
import { crashesBehind, explained, isFaults, type Note, startFreshPair } from '../fresh-pair.ts';
import { firstRows } from '../generator/order-turn.ts';
import { findEnded, type Pair } from '../pair.ts';
import { findScenario, findServer, type LaboratoryOptions, origins, ownNames } from '../turn-parts.ts';
import type { Answer } from './answer.ts';
import { ask, NoAnswer } from './ask.ts';
import { findProtocol } from './find-protocol.ts';
import { type Burst, type Shot, sendBurst } from './send-burst.ts';
import { type BaseAnswers, type Verification, verifyScenario } from './verify-scenario.ts';

export const WHEN_ASKED = 'when it was asked, before any load';

/** Longest wait for an answer whose path is only a guess. */
const ASKING_MS = 5_000;

/** Without measuring, the order does not matter. */
const VERIFYING = { startFirst: 'base', slot: { base: 0, head: 1 } } as const;

/**
 * Returns the cells of `server` that cannot be measured, with reasons. If the sides only disagree, fresh processes are
 * asked once more: a part may differ between processes. `disputed` keeps base's answers for later rounds.
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
	const names = ownNames(options, server);
	const { unrelated } = options.prepared;
	const refused: RefusedCell[] = [];
	let pair: Pair | null = null;
	let answered: Answered[] = [];
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
			const verified = await verifyScenario(origins(pair), scenario, {
				rows,
				names,
				unrelated,
				...(earlier && { earlier }),
			});
			const { faults } = verified;
			if (verified.disputed) disputed.set(cell.id, verified.disputed);
			const broke = [...(await crashesBehind(pair, WHEN_ASKED, faults)), ...explained(pair, faults)];
			const reasons = broke.length > 0 ? withoutVictims(await findCulprits(watch), broke) : [];
			refused.push(...refuseCell(cell.id, await nameProtocol(pair, reasons)));
			watch?.stop();
			if (broke.length === 0) {
				answered.push({ cell: cell.id, scenario, rows, verified });
				const body = verified.usual.base ?? verified.examples?.[0] ?? '';
				options.answered?.set(cell.id, { body, remarks: verified.remarks ?? [] });
			}
			if (findEnded(pair) === null) continue;
			// The next cell needs living servers.
			await pair[Symbol.asyncDispose]();
			pair = null;
			answered = [];
		}
		if (pair !== null && options.burst !== undefined) {
			refused.push(...(await burstCells(pair, answered, options.burst)));
		}
	} finally {
		await pair?.[Symbol.asyncDispose]();
	}
	return refused;
}

/** A path's answer; the reason as a text if none. */
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

interface Answered {
	readonly cell: string;
	readonly scenario: Scenario;
	readonly rows: readonly (DataRow | null)[];
	readonly verified: Verification;
}

/** Runs last, because a limit may hold for all cells. */
async function burstCells(pair: Pair, answered: readonly Answered[], burst: Burst): Promise<RefusedCell[]> {
	const refused: RefusedCell[] = [];
	for (const { cell, scenario, rows, verified } of answered) {
		const { load, metrics, statusLimit } = scenario;
		if (metrics !== undefined || statusLimit !== undefined || load.rate !== undefined) continue;
		const shotsOf = (side: Side): readonly Shot[] =>
			requestsOf(scenario).map(({ expect }, at) => {
				const request = (verified.mix?.[at]?.request ?? verified.request)[side];
				const row = rows[at] ?? null;
				return { request: row === null ? request : fillRequest(request, row), expect };
			});
		const faults = await Promise.all(
			SIDES.map(async (side): Promise<Fault[]> => {
				const refusal = await sendBurst(pair[side].origin, shotsOf(side), load.connections, burst);
				return refusal === null ? [] : [{ code: refusal.code, side, message: `${side} ${refusal.message}` }];
			}),
		);
		const broke = [...(await crashesBehind(pair, 'in a burst of requests', faults.flat())), ...faults.flat()];
		refused.push(...refuseCell(cell, broke));
		if (findEnded(pair) !== null) break;
	}
	return refused;
}

async function nameProtocol(pair: Pair, faults: readonly Fault[]): Promise<readonly Fault[]> {
	const named = faults.map(async (fault) => {
		const { side, code, message } = fault;
		const isUnclear = code === 'no-answer' || (code === 'wrong-status' && /status 400 /.test(message));
		if (side === null || !isUnclear || pair[side].ending() !== null) return fault;
		const protocol = await findProtocol(pair[side].port);
		if (protocol === null) return fault;
		const [, label = ''] = /^\S+ (?:did not answer|gave a wrong answer to) (.*?): /.exec(message) ?? [];
		return {
			code: 'wrong-protocol',
			side,
			message: `${side} gave no plain HTTP/1.1 answer to ${label}: the port speaks ${protocol}`,
		};
	});
	return Promise.all(named);
}

/** Keeps the first fault of each side and of an unknown culprit, or else the first fault. */
function refuseCell(cell: string, faults: readonly Fault[]): RefusedCell[] {
	const reached = faults.find(({ side, code }) => side === null && REACHED_FAULTS.includes(code)) ?? [];
	const causes = [...SIDES.flatMap((side) => faults.find((one) => one.side === side) ?? []), reached].flat();
	const [fault, ...others] = causes.length > 0 ? causes : faults.slice(0, 1);
	if (!fault) return [];
	return [others.length > 0 ? { cell, fault, others } : { cell, fault }];
}
