import type { Raw } from '../../types/result.ts';
import type { Warning } from '../../types/units.ts';
import type { Decision } from '../../types/verdict.ts';
import { decide, decideParts } from '../decide.ts';
import { warn } from '../warnings.ts';
import { type Divided, partsOf } from './parts-of.ts';

/** Returns the decision about everything in raw data, whether one machine measured it or several, in one lane or more. */
export function decideRaw(raw: Divided): Decision {
	const { shards, lanes, plan } = raw;
	if (shards === undefined && lanes === undefined) return decide(plan, raw.rounds, raw.ended);
	return decideParts(plan, partsOf(raw), (cell) => whyMissing(cell, shards ?? []));
}

function whyMissing(cell: string, shards: NonNullable<Raw['shards']>): Warning {
	const run = shards.find(({ cells }) => cells.includes(cell));
	const state = run?.state === 'cut-off' ? 'cut-off' : 'missing';
	return warn('shard-missing', { shard: run?.shard ?? 0, of: shards.length, state });
}
