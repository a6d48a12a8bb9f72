/** Divides a difference into pieces that can be taken out of head one by one. */
import { diffArrays } from 'diff';
import type { ChangedFile, FileMode, FileState, FileVersion } from '../types/difference.ts';
import type { ProofPiece } from '../types/explain/proof.ts';
import { findNeeds, inOrderOfNeeds, type Needs, readable } from './proof-needs.ts';
import { dividePackages, type Satisfies } from './proof-packages.ts';
import { type Edit, type Part, type Piece, UNLIKELY, wholePiece } from './proof-part.ts';

export interface Division {
	/** In the order in which base becomes head. `isFixed` ones cannot be taken out. */
	readonly pieces: readonly Piece[];
	readonly isFixed: (piece: Piece) => boolean;
	readonly compose: Part['compose'];
	readonly conflicts: NonNullable<Part['conflicts']>;
	readonly related: Needs['related'];
	readonly notes: readonly string[];
}

const FIXED_RANK = 0;

/** Half of git's distance. */
const JOINING_LINES = 3;
const MOST_HUNKS = 100;
const LARGEST_TEXT = 1_000_000;
const MOST_EDITS = 4_000;
const MOST_PIECES = 2_000;
const MOVED = 0.5;
const MOST_PAIRS = 2_500;

const SUBMODULE: FileMode = '160000';
const COMMENT_LINE = /^\s*(?:\/\/.*|\/?\*.*|#(?!!).*|<!--.*-->)?\s*$/;

export function divide(files: readonly ChangedFile[], satisfies: Satisfies): Division {
	const { part: packages, rest, notes } = dividePackages(files, satisfies);
	const submodules = rest.filter(({ base, head }) => base?.mode === SUBMODULE || head?.mode === SUBMODULE);
	const movable = rest.filter((file) => !submodules.includes(file));
	const { moved, others } = findMoved(movable);
	const parts: Part[] = [
		...(packages ? [packages] : []),
		...moved.map(({ from, to }) => moveOf(from, to)),
		...others.map((file) => textOf(file) ?? wholeOf(file)),
	];
	const pieces = parts.flatMap((part) => part.pieces);
	const isLarge = pieces.length > MOST_PIECES;
	const used = isLarge ? [...(packages ? [packages] : []), ...movable.map(wholeOf)] : parts;
	const owner = new Map(used.flatMap((part) => part.pieces.map((piece) => [piece, part] as const)));
	const fixed = submodules.slice(0, 1).map(({ path }) => ({
		...wholePiece({ path, kind: 'rest', change: 'changed' }),
		rank: FIXED_RANK,
	}));
	const placed = [...fixed, ...owner.keys()].sort(byPlace);
	const needs = findNeeds(placed);
	const bound = bindings(packages);
	const lacksNeeded = (isApplied: (piece: Piece) => boolean) => (piece: Piece) =>
		isApplied(piece) && ![...needs.of(piece)].every(isApplied);
	return {
		pieces: inOrderOfNeeds(placed, {
			of: (piece) => new Set([...needs.of(piece), ...(bound.get(piece) ?? [])]),
		}),
		related: needs.related,
		isFixed: (piece) => piece.rank === FIXED_RANK,
		compose: (isApplied) => used.flatMap((part) => part.compose(isApplied)),
		conflicts: (isApplied) => [
			...used.flatMap((part) => part.conflicts?.(isApplied) ?? []),
			...placed.filter(lacksNeeded(isApplied)),
		],
		notes: [
			...notes,
			...(isLarge ? [`The difference has ${pieces.length} hunks, so whole files were tried.`] : []),
			...submodules.map(({ path }) => `The submodule ${path.replace(/\/$/, '')} differs and could not be taken out.`),
		],
	};
}

/** Returns for each package those it needs. */
function bindings(part: Part | null): ReadonlyMap<Piece, ReadonlySet<Piece>> {
	const bound = new Map<Piece, Set<Piece>>();
	for (const piece of part?.pieces ?? []) {
		for (const other of part?.conflicts?.((one) => one !== piece) ?? [])
			if (other !== piece) bound.set(other, (bound.get(other) ?? new Set()).add(piece));
	}
	return bound;
}

function byPlace(one: Piece, other: Piece): number {
	if (one.rank !== other.rank) return one.rank - other.rank;
	return one.path === other.path ? one.line - other.line : one.path < other.path ? -1 : 1;
}

function changeOf({ base, head }: Pick<ChangedFile, 'base' | 'head'>): ProofPiece['change'] {
	return base === null ? 'added' : head === null ? 'deleted' : 'changed';
}

function wholeOf(file: ChangedFile): Part {
	const { path, base } = file;
	const piece = wholePiece({ path, kind: 'file', change: changeOf(file), edit: editOf(file) });
	return { pieces: [piece], compose: (isApplied) => (isApplied(piece) ? [] : [{ path, state: base }]) };
}

function editOf({ base, head }: Pick<ChangedFile, 'base' | 'head'>): Edit {
	const [removed, added] = [readable(base), readable(head)];
	return { removed, added, base: removed, head: added };
}

interface Hunk {
	readonly from: number;
	readonly removed: readonly string[];
	readonly added: readonly string[];
	/** Head's, from 1. */
	readonly line: number;
}

/** Null for files that are one piece. */
function textOf(file: ChangedFile): Part | null {
	const { path, base, head } = file;
	if (base === null || head === null || base.mode !== head.mode || base.mode === '120000') return null;
	const hunks = hunksOf(base, head);
	if (hunks === null || hunks.length === 0) return null;
	const pieces = hunks.map((hunk) => pieceOf(path, hunk, file));
	return {
		pieces,
		compose(isApplied) {
			if (pieces.every(isApplied)) return [];
			return [{ path, state: { mode: head.mode, content: patch(base, hunks, pieces, isApplied) } }];
		},
	};
}

function pieceOf(
	path: string,
	{ line, added, removed }: Hunk,
	file: { readonly base: FileState | null; readonly head: FileState | null },
): Piece {
	const code = (lines: readonly string[]) => lines.filter((text) => !COMMENT_LINE.test(text)).join('');
	const isInert = code(added).replace(/\s/g, '') === code(removed).replace(/\s/g, '');
	const edit = { ...editOf(file), removed: removed.join(''), added: added.join('') };
	const piece = { ...wholePiece({ path, kind: 'hunk', change: 'changed', edit }), line, lines: added.length };
	return isInert ? { ...piece, weight: UNLIKELY } : piece;
}

function patch(
	base: FileState,
	hunks: readonly Hunk[],
	pieces: readonly Piece[],
	isApplied: (piece: Piece) => boolean,
): Uint8Array {
	const lines = linesOf(base.content) ?? [];
	const written: string[] = [];
	let at = 0;
	hunks.forEach(({ from, removed, added }, index) => {
		written.push(...lines.slice(at, from), ...(isApplied(pieces[index] as Piece) ? added : removed));
		at = from + removed.length;
	});
	return Buffer.from([...written, ...lines.slice(at)].join(''));
}

function hunksOf(base: FileState, head: FileState): Hunk[] | null {
	const [before, after] = [linesOf(base.content), linesOf(head.content)];
	if (before === null || after === null) return null;
	const changes = diffArrays(before, after, { maxEditLength: MOST_EDITS });
	if (changes === undefined) return null;
	const hunks: Hunk[] = [];
	let [from, line] = [0, 1];
	for (const { added, removed, value } of changes) {
		const last = hunks.at(-1);
		const end = last && last.from + last.removed.length;
		if (added || removed) {
			const between = end === undefined ? [] : before.slice(end, from);
			const joins = last !== undefined && between.length <= JOINING_LINES;
			const now = joins ? last : { from, removed: [], added: [], line };
			const same = joins ? between : [];
			if (joins) hunks.pop();
			hunks.push({
				...now,
				removed: [...now.removed, ...same, ...(removed ? value : [])],
				added: [...now.added, ...same, ...(added ? value : [])],
			});
		}
		if (!added) from += value.length;
		if (!removed) line += value.length;
	}
	return hunks.length > MOST_HUNKS ? null : hunks;
}

/** Keeps line ends, so joining restores every byte. Returns null for binary files. */
function linesOf(content: Uint8Array): string[] | null {
	if (content.length > LARGEST_TEXT || content.includes(0)) return null;
	const text = Buffer.from(content).toString('utf8');
	if (!Buffer.from(text).equals(content)) return null;
	return text === '' ? [] : text.split(/(?<=\n)/);
}

interface Moved {
	readonly from: ChangedFile;
	readonly to: ChangedFile;
}

function findMoved(files: readonly ChangedFile[]): { moved: readonly Moved[]; others: readonly ChangedFile[] } {
	const added = files.filter(({ base, head }) => base === null && head?.mode !== '120000');
	const deleted = new Set(files.filter(({ base, head }) => head === null && base?.mode !== '120000'));
	const moved: Moved[] = [];
	if (added.length * deleted.size <= MOST_PAIRS) {
		for (const to of added) {
			const scored = [...deleted].map((from) => ({ from, score: similarity(from.base, to.head) }));
			const best = scored.reduce((a, b) => (b.score > a.score ? b : a), { from: to, score: 0 });
			if (best.score < MOVED) continue;
			moved.push({ from: best.from, to });
			deleted.delete(best.from);
		}
	}
	const paired = new Set(moved.flatMap(({ from, to }) => [from, to]));
	return { moved, others: files.filter((file) => !paired.has(file)) };
}

function similarity(one: FileState | null, other: FileState | null): number {
	const [a, b] = [one && linesOf(one.content), other && linesOf(other.content)];
	if (!a || !b) return 0;
	const left = new Map<string, number>();
	for (const line of a) left.set(line, (left.get(line) ?? 0) + 1);
	let equal = 0;
	for (const line of b) {
		const count = left.get(line) ?? 0;
		if (count > 0) equal += 1;
		left.set(line, count - 1);
	}
	return equal / Math.max(1, a.length, b.length);
}

function moveOf(from: ChangedFile, to: ChangedFile): Part {
	const [base, head] = [from.base as FileState, to.head as FileState];
	const hunks = hunksOf(base, head) ?? [];
	const isSame = hunks.length > 0 || Buffer.from(base.content).equals(head.content);
	if (!isSame) {
		const [one, other] = [wholeOf(to), wholeOf(from)];
		return {
			pieces: [...one.pieces, ...other.pieces],
			compose: (isApplied) => [...one.compose(isApplied), ...other.compose(isApplied)],
		};
	}
	const [arrived, removed] = [editOf({ base: null, head: base }), editOf({ base, head: null })];
	const arrival = wholePiece({ path: to.path, kind: 'file', change: 'added', edit: arrived });
	const removal = wholePiece({ path: from.path, kind: 'file', change: 'deleted', edit: removed });
	const pieces = hunks.map((hunk) => pieceOf(to.path, hunk, { base, head }));
	return {
		pieces: [arrival, ...pieces, removal],
		compose(isApplied) {
			const versions: FileVersion[] = isApplied(removal) ? [] : [{ path: from.path, state: base }];
			if (!isApplied(arrival)) return [...versions, { path: to.path, state: null }];
			if (pieces.every(isApplied)) return versions;
			const content = patch(base, hunks, pieces, isApplied);
			return [...versions, { path: to.path, state: { mode: head.mode, content } }];
		},
	};
}
