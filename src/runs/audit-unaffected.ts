import { redKindOf } from '../judge/gate-row.ts';
import { summarise } from '../judge/summarise.ts';
import { createRandom } from '../stats/random.ts';
import { countOf } from '../text/numbers.ts';
import type { ImpactReason } from '../types/impact.ts';
import type { CellResult, Raw } from '../types/result.ts';
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
	const results = summarise(await measureWithout(others)).cells.filter((row) => drawn.includes(idOf(row)));
	const rows = results.map((row) => {
		const { metric, verdict, change, rounds } = row;
		return { cell: idOf(row), metric, verdict, change, rounds };
	});
	const red = results.find((row) => redKindOf(row) !== null);
	const audited = { ...found, changed: { ...changed, audit: { rows, red: red !== undefined } } };
	if (red === undefined) return { found: audited, warning: null };
	const reason: ImpactReason = { kind: 'audit', cell: idOf(red) };
	const all = Object.fromEntries(unaffected.map((cell) => [cell, reason]));
	const message = `The audit of ${idOf(red)} was red, although none of the code that it runs has changed. So no row was skipped.`;
	return {
		found: { ...audited, unaffected: [], because: { ...because, ...all } },
		warning: { code: 'audit-red', message },
	};
}

function idOf({ server, scenario }: Pick<CellResult, 'server' | 'scenario'>): string {
	return `${server}/${scenario}`;
}

const AUDIT_STREAM = 31;
const RUNS = 10;
const CELLS = 10;

/** Returns unaffected cells to measure anyway: in one run of ten, by its seed, a tenth of them, at least one. */
export function drawAudit(unaffected: readonly string[], seed: number): readonly string[] {
	const random = createRandom(seed, AUDIT_STREAM);
	if (random.next() >= 1 / RUNS) return [];
	return random.shuffle(unaffected).slice(0, Math.ceil(unaffected.length / CELLS));
}
