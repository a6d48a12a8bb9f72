/** The time of a round beside its windows. */
import type { Plan } from '../../src/types/plan.ts';
import type { CellRound, Round, Window } from '../../src/types/round.ts';
import type { Seconds } from '../../src/types/units.ts';

/**
 * Returns the seconds of `round`, a duet of one server, outside of counted windows that a round of only its first
 * `turns` turns would also have: starting and stopping the processes, and the time before each of these turns' windows
 * (opening clients, warm-up). Solo windows are left out, because a run has them in its first rounds only. Null if the
 * round has too few turns, or a turn without windows.
 */
export function overheadOf({ timing }: Plan, round: Round, turns: number): Seconds | null {
	if (turns < 1 || round.cells.length < turns || round.cells.some(({ windows }) => windows.length === 0)) return null;
	const windows = round.cells.flatMap((cell) => cell.windows);
	const loaded = windows.map((window) => lengthOf(window) + (window.kind === 'solo' ? timing.settleSeconds : 0));
	return Math.max(0, round.seconds - total(loaded) - total(gapsOf(round).slice(turns - 1)));
}

/** Returns the seconds between the last window of each turn and the first one of the next, in order: one fewer than turns. */
export function gapsOf({ cells }: Round): readonly Seconds[] {
	const spans = cells.flatMap((cell) => endsOf(cell) ?? []);
	return spans.slice(1).map(({ from }, index) => from - (spans[index]?.to ?? from));
}

/** Returns the seconds from the first window of a cell to the end of its last; 0 without windows. */
export function spanOf(cell: CellRound): Seconds {
	const ends = endsOf(cell);
	return ends ? ends.to - ends.from : 0;
}

function endsOf({ windows }: CellRound): { readonly from: Seconds; readonly to: Seconds } | null {
	const [first] = windows;
	const last = windows.at(-1);
	return first && last ? { from: first.startedAt, to: last.startedAt + lengthOf(last) } : null;
}

/** A duet loads both sides at once; a solo window has only one. */
function lengthOf({ base, head }: Window): Seconds {
	return Math.max(base?.seconds ?? 0, head?.seconds ?? 0);
}

export function total(seconds: readonly Seconds[]): Seconds {
	return seconds.reduce((sum, value) => sum + value, 0);
}
