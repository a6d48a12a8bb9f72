import { rowsRunning } from '../config/scenario-runs.ts';
import { type CoveredCell, type ImpactSubject, runsSubject, warnNotExercised } from '../impact/exercised.ts';
import type { CoveringLaboratory } from '../measure/laboratory.ts';
import type { Config } from '../types/config.ts';
import type { Cell } from '../types/plan.ts';
import type { Prepared } from '../types/prepared.ts';
import type { Warning } from '../types/units.ts';

export interface Exercised {
	readonly subject: ImpactSubject;
	readonly cell: string | null;
	readonly warning: Warning | null;
}

/** Covers base's cells until one runs the subject. Returns null without a subject. Throws the abort reason. */
export async function coverSubject(
	laboratory: Pick<CoveringLaboratory, 'cover'>,
	cells: readonly Cell[],
	config: Pick<Config, 'subject'>,
	prepared: Prepared,
): Promise<Exercised | null> {
	const { info, servers } = prepared.sides.base;
	if (info.subject === undefined || cells.length === 0) return null;
	const { name } = info.subject;
	const inCheckout = Object.values(servers).flatMap((server) => (server.direct === undefined ? [] : server.name));
	const subject = { name, folder: config.subject, inCheckout };
	const known = rowsRunning(name).map(({ server, scenario }) => `${server}/${scenario}`);
	const covered: CoveredCell[] = [];
	for (const cell of cells.toSorted(
		(one, other) => Number(known.includes(other.id)) - Number(known.includes(one.id)),
	)) {
		const each = { cell, coverage: await laboratory.cover(cell, 'glance') };
		if (runsSubject(each, subject)) return { subject, cell: cell.id, warning: null };
		covered.push(each);
	}
	return { subject, cell: null, warning: warnNotExercised(covered, subject, known) };
}
