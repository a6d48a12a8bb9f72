import type { Series } from '../../../evaluation/series.ts';
import type { CellRound, Round, WindowSide } from '../../../src/types/round.ts';

/** Returns `series` with head's answers such that d of throughput and of CPU per request equals `dOf`. */
export function withD(series: Series, dOf: (cell: CellRound, round: Round, place: number) => number): Series {
	return mapCells(series, (cell, round, place) => {
		const factor = Math.exp(dOf(cell, round, place));
		return mapWindows(cell, (base) => ({ ...base, completed: base.completed * factor }));
	});
}

/** Returns `series` with every cell of every round replaced; places count from 1. */
export function mapCells(series: Series, change: (cell: CellRound, round: Round, place: number) => CellRound): Series {
	const rounds = series.rounds.map((round) => ({
		...round,
		cells: round.cells.map((cell, index) => change(cell, round, index + 1)),
	}));
	return { ...series, rounds };
}

/** Returns `cell` with the head of each window made from its base. */
export function mapWindows(cell: CellRound, headOf: (base: WindowSide) => WindowSide): CellRound {
	return { ...cell, windows: cell.windows.map((window) => ({ ...window, head: window.base && headOf(window.base) })) };
}

export function near(actual: number | null | undefined, expected: number, tolerance = 1e-9): void {
	if (typeof actual !== 'number' || !(Math.abs(actual - expected) <= tolerance)) {
		throw new Error(`${actual} is not within ${tolerance} of ${expected}`);
	}
}
