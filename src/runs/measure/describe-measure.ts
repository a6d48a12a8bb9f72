/** The live status of a ranking. */
import type { CellState } from '../../rank/cells/cell-state.ts';
import { formatDuration, formatPercent } from '../../text/numbers.ts';
import type { Seconds } from '../../types/units.ts';

/** Rows shown while measuring; more would scroll away. */
const SHOWN = 8;
/** Columns of the bar of the whole run. */
const BAR_WIDTH = 20;

/** How far a run is. */
export interface MeasureProgress {
	readonly round: number;
	/** Cells of the run, and those that go on. */
	readonly cells: readonly string[];
	readonly open: readonly string[];
	readonly states: ReadonlyMap<string, CellState>;
	readonly left: Seconds;
}

/** Returns the live status of a ranking: how many rows are done, how long it may take, and what is known of the open ones. */
export function describeMeasure({ round, cells, open, states, left }: MeasureProgress): string {
	const done = cells.length - open.length;
	const head = `${drawProgress(done, cells.length)} round ${round}: ${done} of ${cells.length} rows done, at most ${formatDuration(Math.max(0, left))} left`;
	const more = open.length > SHOWN ? [`  and ${open.length - SHOWN} more`] : [];
	return [head, ...open.slice(0, SHOWN).map((id) => `  ${id}  ${describeState(states.get(id))}`), ...more].join('\n');
}

/** Returns a bar that is as full as `done` is of `all`: `████░░░░░░`. */
function drawProgress(done: number, all: number): string {
	const full = all === 0 ? 0 : Math.floor((done / all) * BAR_WIDTH);
	return `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)}`;
}

function describeState(state: CellState | undefined): string {
	if (state === undefined || state.share === null) return 'measuring';
	const share = formatPercent(Math.exp(state.share.theta), 1);
	return `${share} of the reference ± ${formatPercent(state.halfWidth, 1)} after ${state.rounds} rounds`;
}
