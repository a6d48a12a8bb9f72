import { type GateRow, gateOf } from '../../judge/gate.ts';
import type { CellResult, Result } from '../../types/result.ts';
import type { Gate } from '../../types/verdict.ts';

/**
 * Returns the gate that the rows of a result give by the rule of every run, with its reasons in our own words; null when the
 * result states another outcome. An acceptance is not taken over: whoever reports looks for it again.
 */
export function agreedGate({ gate, cells }: Result): Gate | null {
	const own = gateOf(cells.map(rowOf));
	const stated = gate.accepted && gate.outcome === 'pass' ? 'fail' : gate.outcome;
	return stated === own.outcome ? own : null;
}

/** What the gate reads of a cell. */
function rowOf({ server, scenario, metric, judgedBy, verdict, change, interval }: CellResult): GateRow {
	const estimate = change === null ? null : { change, interval: interval ?? { low: null, high: null } };
	return { cell: `${server}/${scenario}`, metric, judgedBy, verdict, estimate };
}
