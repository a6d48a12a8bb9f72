import { judgeAudit } from '../judge/judge-audit.ts';
import { drawAudit } from '../plan/draw-audit.ts';
import { countOf } from '../text/numbers.ts';
import type { ImpactReason } from '../types/impact.ts';
import type { Raw } from '../types/result.ts';
import type { Progress } from '../types/run-services.ts';
import type { Warning } from '../types/units.ts';
import type { FoundImpact } from './find-unaffected.ts';

export interface Audited {
	readonly found: FoundImpact;
	readonly warning: Warning | null;
}

/** `measureWithout` measures all others. If an audited row is red, no cell stays unaffected. */
export async function auditUnaffected(
	found: FoundImpact,
	{ seed, progress }: { readonly seed: number; readonly progress: Progress },
	measureWithout: (cells: readonly string[]) => Promise<Raw>,
): Promise<Audited> {
	const { unaffected, because, changed } = found;
	const drawn = drawAudit(unaffected, seed);
	if (drawn.length === 0) return { found, warning: null };
	progress.step(`Audit: measuring ${drawn.length} of ${countOf(unaffected.length, 'row')} that run no changed code`);
	const others = [...unaffected, ...Object.keys(because)].filter((cell) => !drawn.includes(cell));
	const { audit, red } = judgeAudit(await measureWithout(others), drawn);
	const audited = { ...found, changed: { ...changed, audit } };
	if (red === null) return { found: audited, warning: null };
	const reason: ImpactReason = { kind: 'audit', cell: red.cell };
	const all = Object.fromEntries(unaffected.map((cell) => [cell, reason]));
	return { found: { ...audited, unaffected: [], because: { ...because, ...all } }, warning: red.warning };
}
