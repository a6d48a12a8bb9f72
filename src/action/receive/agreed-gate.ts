import { gateOf } from '../../judge/gate.ts';
import { gateRowOf } from '../../judge/gate-row.ts';
import type { Result } from '../../types/result.ts';
import type { Gate } from '../../types/verdict.ts';

/**
 * Returns the gate that the rows of a result give by the rule of every run, with its reasons in our own words; null when the
 * result states another outcome. An acceptance is not taken over: whoever reports looks for it again.
 */
export function agreedGate({ gate, cells }: Result): Gate | null {
	const own = gateOf(cells.map(gateRowOf));
	const stated = gate.accepted && gate.outcome === 'pass' ? 'fail' : gate.outcome;
	return stated === own.outcome ? own : null;
}
