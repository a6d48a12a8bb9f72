import { NAME_LIMIT, plainText } from '../text/escape.ts';
import type { Audit } from '../types/impact.ts';
import type { CellResult, Raw } from '../types/result.ts';
import type { Warning } from '../types/units.ts';
import { redKindOf } from './gate-row.ts';
import { summarise } from './summarise.ts';

export interface JudgedAudit {
	readonly audit: Audit;
	/** Why no row may be skipped; null unless an audited row is red. */
	readonly red: { readonly cell: string; readonly warning: Warning } | null;
}

/** Judges the measured cells of `drawn`, which run no changed code. */
export function judgeAudit(raw: Raw, drawn: readonly string[]): JudgedAudit {
	const results = summarise(raw).cells.filter((row) => drawn.includes(idOf(row)));
	const rows = results.map((row) => {
		const { metric, verdict, change, rounds } = row;
		return { cell: idOf(row), metric, verdict, change, rounds };
	});
	const red = results.find((row) => redKindOf(row) !== null);
	if (red === undefined) return { audit: { rows, red: false }, red: null };
	const cell = idOf(red);
	const message = `The audit of ${plainText(cell, NAME_LIMIT)} was red, although none of the code that it runs has changed. So no row counts as unaffected.`;
	return { audit: { rows, red: true }, red: { cell, warning: { code: 'audit-red', message } } };
}

function idOf({ server, scenario }: Pick<CellResult, 'server' | 'scenario'>): string {
	return `${server}/${scenario}`;
}
