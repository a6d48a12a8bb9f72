import type { CellRound, Round, WindowSide } from '../../src/types/round.ts';
import type { Fraction } from '../../src/types/units.ts';

/**
 * Returns `rounds` as if each request had cost head 1 / (1 − drop) times as much: head answers (1 − drop) times as many
 * in the same time with the same CPU time, so that d of throughput and of CPU per request both move by ln(1 − drop),
 * exactly, because counts are not rounded. Limited to `cells` if present. Latencies, memory, connection errors and
 * everything of base and the generator stay as they are. Throws a RangeError unless 0 ≤ drop < 1.
 */
export function plantDrop(rounds: readonly Round[], drop: Fraction, cells?: readonly string[]): readonly Round[] {
	if (!(drop >= 0 && drop < 1)) throw new RangeError(`a drop is from 0 to less than 1, not ${drop}`);
	if (drop === 0) return rounds;
	const factor = 1 - drop;
	const isMeant = ({ cell }: CellRound) => cells === undefined || cells.includes(cell);
	return rounds.map((round) => ({
		...round,
		cells: round.cells.map((cell) => (isMeant(cell) ? slowHead(cell, factor) : cell)),
	}));
}

function slowHead(cell: CellRound, left: Fraction): CellRound {
	return {
		...cell,
		windows: cell.windows.map((window) => ({ ...window, head: window.head && answerLess(window.head, left) })),
	};
}

function answerLess(side: WindowSide, left: Fraction): WindowSide {
	const statuses = Object.entries(side.statuses).map(([status, count]) => [status, count * left]);
	return {
		...side,
		completed: side.completed * left,
		...(side.answers !== undefined && { answers: side.answers * left }),
		bytes: side.bytes * left,
		unexpected: side.unexpected * left,
		statuses: Object.fromEntries(statuses),
	};
}
