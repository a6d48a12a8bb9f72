import { type Blame, blameOf, needsRebase, redKindOf } from '../../judge/gate-row.ts';
import { formatCount } from '../../text/numbers.ts';
import { joinAnd, joinPhrases, type Phrase, phrase } from '../../text/phrase.ts';
import type { Side } from '../../types/units.ts';
import type { Audience } from './audience.ts';
import { branchOf, describeTotal, driftRows } from './drift-rows.ts';
import { isCompared, nameOf, nounOf, type Row } from './rows.ts';

const MOST_NAMED = 3;

const FAILINGS: Readonly<Record<string, string>> = {
	'wrong-status': 'answers wrongly',
	'wrong-header': 'answers wrongly',
	'wrong-body': 'answers wrongly',
	'status-limit': 'answers wrongly',
	'unexpected-answers': 'answers wrongly under load',
	'changed-under-load': 'answers wrongly under load',
	'connection-errors': 'drops connections under load',
	'lost-requests': 'drops connections under load',
	'no-answer': 'does not answer',
	'endless-answer': 'does not finish its answers',
	'no-answers': 'does not answer',
	'rate-not-held': 'does not hold the rate',
	'left-cpu': 'left its CPU',
	crashed: 'crashed',
	restarted: 'crashed',
	'start-failed': 'does not start',
	'exited-at-start': 'does not start',
	'never-listened': 'does not start',
	'port-taken': 'does not start',
	'wrong-protocol': 'does not speak plain HTTP/1.1',
};

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

/** Returns whether all problems are base's alone. */
export function isHeadFine(rows: readonly Row[]): boolean {
	return rows.every((row) => {
		const kind = faultKindOf(row);
		return redKindOf(row.cell) === null && (kind === null || kind === 'base') && row.verdict !== 'inconclusive';
	});
}

/**
 * Returns one sentence per problem, without full stops, first those that head must fix. Leaves out rows that have no
 * culprit or need a rebase. `rows` are all rows of the report.
 */
export function describeFaults(rows: readonly Row[], audience: Audience): readonly Phrase[] {
	const describers: readonly (readonly [FaultKind, (some: readonly Row[]) => Phrase])[] = [
		['head', (some) => describeHead(some, rows)],
		['answers', (some) => phrase`Head answers ${share(some, rows)} differently from base: ${nameSome(some, rows)}`],
		['removed', (some) => describeRemoved(some, rows, audience)],
		['drift', (some) => describeDrift(some, rows)],
		['base', (some) => describeBase(some, rows, audience)],
		['both', (some) => phrase`Base and head are both broken: ${listFailings(some, rows, 'head')}`],
	];
	return describers.flatMap(([kind, describe]) => {
		const some = rowsWith(kind, rows);
		return some.length === 0 ? [] : [describe(some)];
	});
}

/** Returns a sentence for a run without numbers; `rows` share one fault. */
export function describeBlame(rows: readonly Row[]): string {
	const words: Readonly<Record<FaultKind, string>> = {
		head: 'Head is broken, so nothing was measured',
		base: 'Base is broken and head is fine. Nothing was measured',
		both: 'Base and head are both broken, so nothing was measured',
		answers: 'Head answers differently from base, so nothing was measured',
		unknown: 'Nothing was measured',
		removed: 'Nothing was measured',
		rebase: 'Nothing was measured',
		drift: 'Nothing was measured',
	};
	const [first] = rows;
	return words[(first && faultKindOf(first)) ?? 'unknown'];
}

export function baseWord({ gate }: Audience): string {
	return gate === undefined ? 'base' : 'the base branch';
}

export function headWord({ acceptLabel }: Audience): string {
	return acceptLabel ? 'this pull request' : 'head';
}

/** Returns a few names, each cell once. A name is the scenario alone if that identifies it. */
export function nameSome(some: readonly Row[], all: readonly Row[]): Phrase {
	const names = onePerCell(some).map((row): Phrase => [shortName(row, all)]);
	return listSome(names);
}

function describeHead(some: readonly Row[], all: readonly Row[]): Phrase {
	const [only] = some;
	if (only && all.length === 1) return phrase`Head broke ${nameOf(only)}: it ${failingOf(only, 'head')}`;
	return phrase`Head broke ${share(some, all)}: ${listFailings(some, all, 'head')}`;
}

/** Describes main's level with head, because that counts. */
function describeDrift(some: readonly Row[], all: readonly Row[]): Phrase {
	const drifting = driftRows(some);
	const [first] = drifting;
	const branch = first ? [{ text: branchOf(first.drift) }] : [];
	const where = drifting.map((each) => phrase`${shortName(each.row, all)} would be at ${describeTotal(each)}`);
	return phrase`Head adds to the drift of ${branch}: ${listSome(where)}`;
}

function describeBase(some: readonly Row[], all: readonly Row[], audience: Audience): Phrase {
	const failings = listFailings(some, all, 'base');
	if (!isHeadFine(all)) return phrase`Base alone is broken in ${share(some, all)}: ${failings}`;
	const advice = audience.acceptLabel ? ': nothing to fix in this pull request' : '';
	return phrase`Base is broken, head is fine${advice}. On base, ${failings}`;
}

function describeRemoved(some: readonly Row[], all: readonly Row[], audience: Audience): Phrase {
	const are = some.length === 1 ? 'is' : 'are';
	const what = countRows(some, all);
	return phrase`${what} of ${baseWord(audience)} ${are} gone in head: ${nameSome(some, all)}`;
}

/** Returns `2 of 6 scenarios` or `all 6 scenarios`. */
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
	const same = some.every((row) => failingOf(row, side) === failingOf(first, side));
	if (same && failingOf(first, side) === 'does not start') return ['the server does not start'];
	return listSome(onePerCell(some).map((row) => phrase`${shortName(row, all)} ${failingOf(row, side)}`));
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

function failingOf({ cell }: Row, side: Side): string {
	const code = cell.warnings.find((fault) => fault.side === side)?.code ?? '';
	return Object.hasOwn(FAILINGS, code) ? (FAILINGS[code] ?? '') : 'is broken';
}

function shortName(row: Row, all: readonly Row[]): { readonly code: string } {
	return nounOf(all) === 'scenario' ? { code: row.scenario } : nameOf(row);
}
