import type { GatePolicy } from '../../types/config.ts';
import type { MainRow } from '../../types/main-baselines.ts';
import type { Raw } from '../../types/result.ts';

/**
 * Returns raw data that say of the main branch what `rows` say, and nothing else: what they said before is gone. `gate` is the policy
 * that holds; null where nobody knows it, and then drift is told and enforces nothing.
 */
export function withBaselines(
	raw: Raw,
	rows: readonly MainRow[],
	gate: Pick<GatePolicy, 'drift' | 'driftThreshold'> | null,
): Raw {
	const { baselines: _before, ...context } = raw.context;
	if (rows.length === 0) return { ...raw, context };
	const baselines = { policy: gate?.drift ?? 'advisory', threshold: gate?.driftThreshold ?? null, rows };
	return { ...raw, context: { ...context, baselines } };
}
