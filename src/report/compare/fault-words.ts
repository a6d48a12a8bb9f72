import { type Blame, blameOf, gateRowOf, needsRebase, redKindOf } from '../../judge/gate-row.ts';
import { explainRow, failingOf } from '../../judge/row-words.ts';
import { countOf, formatCount } from '../../text/numbers.ts';
import { capitalised, joinAnd, joinPhrases, type Phrase, phrase } from '../../text/phrase.ts';
import type { Side } from '../../types/units.ts';
import type { Audience } from './audience.ts';
import { driftRows } from './drift-rows.ts';
import { isCompared, nameOf, nounOf, type Row } from './rows.ts';

const MOST_NAMED = 3;

export type FaultKind = Blame | 'removed' | 'rebase' | 'drift';

/** Returns the kind of a row's problem; null without one, or if only slower. */
export function faultKindOf({ verdict, cell }: Row): FaultKind | null {
	if (verdict === 'removed') return 'removed';
	if (redKindOf(cell) === 'adds-to-drift') return 'drift';
	return needsRebase(cell) ? 'rebase' : blameOf(cell);
}

export function rowsWith(kind: FaultKind, rows: readonly Row[]): readonly Row[] {
	return rows.filter((row) => faultKindOf(row) === kind);
}

/** Whether all problems are base's alone. */
export function isHeadFine(rows: readonly Row[]): boolean {
	return rows.every((row) => {
		const kind = faultKindOf(row);
		return redKindOf(row.cell) === null && (kind === null || kind === 'base') && row.verdict !== 'inconclusive';
	});
}

/** Returns one sentence per problem of the `spoken` rows, without full stops, head's first. */
export function describeFaults(rows: readonly Row[], spoken: readonly Row[] = rows): readonly Phrase[] {
	const leads: readonly (readonly [FaultKind, (some: readonly Row[]) => Phrase])[] = [
		['head', (some) => phrase`${begin(some, rows)} broken, on head only: ${listFailings(some, rows, 'head')}`],
		[
			'answers',
			(some) => phrase`Head and base give different answers in ${share(some, rows)}: ${nameSome(some, rows)}`,
		],
		['removed', (some) => phrase`${countRows(some, rows)} of base are missing in head: ${nameSome(some, rows)}`],
		['drift', (some) => describeDrift(some, rows)],
		['base', (some) => phrase`${begin(some, rows)} broken, on base only: ${listFailings(some, rows, 'base')}`],
		['both', (some) => phrase`${begin(some, rows)} broken, on both sides: ${listFailings(some, rows, 'head')}`],
	];
	return leads.flatMap(([kind, describe]) => {
		const some = rowsWith(kind, spoken);
		const [only] = some;
		if (!only) return [];
		return [onePerCell(some).length === 1 ? capitalised(explain(only, rows)) : describe(some)];
	});
}

export function explain(row: Row, rows: readonly Row[]): Phrase {
	return explainRow(gateRowOf(row.cell), shortName(row, rows));
}

/** Returns a sentence for a run without numbers; `rows` share one fault. */
export function describeBlame(rows: readonly Row[]): string {
	const words: Readonly<Partial<Record<FaultKind, string>>> = {
		head: 'Head is broken, so nothing was measured',
		base: 'Base is broken, so nothing was measured',
		both: 'Base and head are broken, so nothing was measured',
		answers: 'Head and base give different answers, so nothing was measured',
	};
	const [first] = rows;
	return words[(first && faultKindOf(first)) ?? 'unknown'] ?? 'Nothing was measured';
}

export function baseWord({ gate }: Audience): string {
	return gate === undefined ? 'base' : 'the base branch';
}

export function headWord({ acceptLabel }: Audience): string {
	return acceptLabel ? 'this pull request' : 'head';
}

/** Returns a few names, each cell once: the scenario alone if that identifies it. */
export function nameSome(some: readonly Row[], all: readonly Row[]): Phrase {
	const names = onePerCell(some).map((row): Phrase => [shortName(row, all)]);
	return listSome(names);
}

function describeDrift(some: readonly Row[], all: readonly Row[]): Phrase {
	const [first] = driftRows(some);
	if (!first) return [];
	return phrase`${capitalised(explain(first.row, all))}. ${countOf(some.length - 1, `more ${nounOf(all)}`)} would add to drift`;
}

function begin(some: readonly Row[], all: readonly Row[]): Phrase {
	return capitalised([`${share(some, all)} are`]);
}

/** `2 of 6 scenarios` or `all 6 scenarios`. */
function share(some: readonly Row[], all: readonly Row[]): string {
	const compared = all.filter(isCompared).length;
	if (some.length === compared) return compared === 1 ? `the only ${nounOf(all)}` : `all ${countRows(some, all)}`;
	return `${formatCount(some.length)} of ${formatCount(compared)} ${nounOf(all)}s`;
}

function countRows(some: readonly Row[], all: readonly Row[]): string {
	return `${formatCount(some.length)} ${nounOf(all)}${some.length === 1 ? '' : 's'}`;
}

function listFailings(some: readonly Row[], all: readonly Row[], side: Side): Phrase {
	const [first] = some;
	if (!first) return [];
	const same = some.every((row) => failingOf(row.cell, side) === failingOf(first.cell, side));
	if (same && failingOf(first.cell, side) === 'does not start') return ['the server does not start'];
	return listSome(onePerCell(some).map((row) => phrase`${shortName(row, all)} ${failingOf(row.cell, side)}`));
}

function listSome(names: readonly Phrase[]): Phrase {
	const hiddenCount = names.length - MOST_NAMED;
	return hiddenCount > 0
		? phrase`${joinPhrases(names.slice(0, MOST_NAMED), ', ')} and ${formatCount(hiddenCount)} more`
		: joinAnd(names);
}

function onePerCell(rows: readonly Row[]): readonly Row[] {
	return rows.filter((row, at) => rows.findIndex(({ id }) => id === row.id) === at);
}

export function shortName(row: Row, all: readonly Row[]): { readonly code: string } {
	return nounOf(all) === 'scenario' ? { code: row.scenario } : nameOf(row);
}
