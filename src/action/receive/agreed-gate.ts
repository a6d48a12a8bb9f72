import { gateOf } from '../../judge/gate.ts';
import type { CellResult, Result } from '../../types/result.ts';
import type { Estimate, Gate, RowDecision } from '../../types/verdict.ts';

/**
 * Returns the gate that the rows of a result give by the rule of every run, with its reasons in our own words; null when the
 * result states another outcome. An acceptance is not taken over: whoever reports looks for it again.
 */
export function agreedGate({ gate, cells }: Result): Gate | null {
	const own = gateOf(cells.map(rowOf));
	const stated = gate.accepted && gate.outcome === 'pass' ? 'fail' : gate.outcome;
	return stated === own.outcome ? own : null;
}

/** The row a cell was made from, as far as the gate reads it. */
function rowOf(cell: CellResult): RowDecision {
	const { server, scenario, metric, judgedBy, verdict, warnings } = cell;
	const { pRegressed, pUnchanged, smallestDecidableThreshold, guards } = cell;
	return {
		...{ metric, judgedBy, verdict, warnings, pRegressed, pUnchanged, smallestDecidableThreshold, guards },
		cell: `${server}/${scenario}`,
		final: true,
		needsConfirmation: false,
		estimate: estimateOf(cell),
		estimates: {},
		pImproved: null,
	};
}

function estimateOf({ change, interval, judgedBy, rounds }: CellResult): Estimate | null {
	if (change === null) return null;
	return {
		metric: judgedBy,
		rounds,
		...{ mean: change, centre: change, sd: 0, se: 0, lag1: null, d: [], hodgesLehmann: null },
		change,
		interval: interval ?? { low: null, high: null, confidence: 0 },
	};
}
