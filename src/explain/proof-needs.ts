/** Finds pieces that do not run without others, by the names in their text, for any language. */
import type { FileState } from '../types/difference.ts';
import type { Piece } from './proof-part.ts';

export interface Needs {
	/** Pieces that must be applied before this one. */
	of(piece: Piece): ReadonlySet<Piece>;
	/** Pieces that gain or lose the same name. */
	related(piece: Piece): ReadonlySet<Piece>;
}

const NAME = '#?[A-Za-z_$][\\w$]*';
const STRING = /'[^'\n]*'|"[^"\n]*"/g;
const COMMENTS = /\/\*[\s\S]*?\*\/|^\s*(?:\*|\/\/|#(?!!|include|define|[\w$]+\s*[(=;:?!])).*$|(?<=\s)(?:\/\/|#\s).*$/gm;
const WORD = new RegExp(`\\.?${NAME}`, 'g');
const KEYWORD =
	'(?:const|let|var|async|function\\*?|class|def|func|fn|type|struct|enum|interface|trait|import|from|as)';
const NAMED = new RegExp(`\\b${KEYWORD}\\s+(?!${KEYWORD}\\s)(${NAME})`, 'g');
const EXPORTED = new RegExp(
	`^(?:export\\s+(?:default\\s+)?(?:async\\s+)?(?:const|let|var|function\\*?|class|type|interface|enum)|pub\\s+\\w+|async\\s+def|def|class|func|type)\\s+(${NAME})`,
	'gm',
);
const BRACED = /\b(?:const|let|var|import|export)\s*\{([^{}]*)\}/g;
const MEMBER = new RegExp(`(?:\\b${NAME}|\\])\\.(${NAME})\\s*=(?!=)`, 'g');
const METHOD = new RegExp(
	`^\\s*(?:(?:async|static|get|set|public|private|protected|override)\\s+)*(${NAME})\\s*(?:\\([^()]*\\)\\s*(?::[^{]*)?\\{|:\\s*(?:async\\b|function\\b|\\())`,
	'gm',
);
const RECEIVER = new RegExp(`^func\\s+\\([^()]*\\)\\s*(${NAME})`, 'gm');
const CONTROL = new Set(['if', 'for', 'while', 'switch', 'catch', 'function', 'return', 'with']);
const EXTENSION = /\.[cm]?[jt]sx?$|\.(?:json|py|go|rb|php)$/;

interface Text {
	readonly declared: ReadonlySet<string>;
	/** Declared without indentation, so once in a file. */
	readonly outer: ReadonlySet<string>;
	/** Declared once, anywhere, and used. */
	readonly once: ReadonlySet<string>;
	readonly exported: ReadonlySet<string>;
	readonly used: ReadonlySet<string>;
}

function readText(source: string): Text {
	const text = source.replace(COMMENTS, '');
	const code = text.replace(STRING, "''");
	const all = (pattern: RegExp, within = code) => [...within.matchAll(pattern)].map(([, name = '']) => name);
	const bracedIn = (within: string) =>
		all(BRACED, within).flatMap((list) => list.split(',').map((one) => one.split(/\s+as\s+|:/)));
	const localOf = (names: readonly string[]) => names.at(-1)?.trim() ?? '';
	const braced = bracedIn(code);
	const unindented = code.replace(/^\s.*\n?/gm, '');
	const members = [...all(MEMBER), ...all(METHOD).filter((name) => !CONTROL.has(name)), ...all(RECEIVER)].map(dotted);
	const top = all(EXPORTED);
	const exported = new Set([...members, ...top, ...top.map(dotted)]);
	const quoted = [...text.matchAll(STRING)].map(([string]) => moduleOf(string.slice(1, -1)));
	const used = [...code.matchAll(WORD)].map(([word]) => word);
	const locals = [...all(NAMED), ...braced.map(localOf)];
	return {
		declared: new Set([...locals, ...exported]),
		once: new Set(onlyOnes(locals).filter((name) => used.indexOf(name) !== used.lastIndexOf(name))),
		outer: new Set([...all(NAMED, unindented), ...bracedIn(unindented).map(localOf)]),
		exported,
		used: new Set([...used, ...braced.map(([name = '']) => dotted(name.trim())), ...quoted]),
	};
}

function onlyOnes(names: readonly string[]): readonly string[] {
	return names.filter((name) => names.indexOf(name) === names.lastIndexOf(name));
}

function dotted(name: string): string {
	return `.${name}`;
}

/** `./lib/utils.js` → `/utils`; `qs/lib/x` → `"qs`. */
function moduleOf(specifier: string): string {
	const [first = '', second = ''] = specifier.split('/');
	if (/^\.\.?$/.test(first)) return stemOf(specifier);
	return `"${first.startsWith('@') ? `${first}/${second}` : first}`;
}

function stemOf(path: string): string {
	const parts = path.replace(EXTENSION, '').split('/');
	return `/${parts.at(-1) === 'index' ? parts.at(-2) : parts.at(-1)}`;
}

interface Change {
	readonly piece: Piece;
	readonly gained: ReadonlySet<string>;
	readonly lost: ReadonlySet<string>;
	/** Declared in one side alone. */
	readonly introduces: readonly string[];
	readonly drops: readonly string[];
	/** Declarations that move to, or from, another piece of the file. */
	readonly arriving: ReadonlySet<string>;
	readonly leaving: ReadonlySet<string>;
	readonly isSeen: (name: string) => boolean;
}

export function findNeeds(pieces: readonly Piece[]): Needs {
	const files = new Map<string, Text>();
	const fileOf = (text: string) => {
		const known = files.get(text) ?? readText(text);
		files.set(text, known);
		return known;
	};
	const changes = pieces.map((piece) => changeOf(piece, fileOf));
	const needs = new Map(pieces.map((piece) => [piece, new Set<Piece>()]));
	const [gaining, losing] = [index(changes, 'gained'), index(changes, 'lost')];
	for (const one of changes) {
		for (const name of one.introduces) {
			for (const other of gaining.get(name) ?? [])
				if (reaches(one, other, name) && !other.introduces.includes(name)) needs.get(other.piece)?.add(one.piece);
		}
		for (const name of one.drops) {
			for (const other of losing.get(name) ?? [])
				if (reaches(one, other, name) && !other.drops.includes(name)) needs.get(one.piece)?.add(other.piece);
		}
	}
	// With one of both, the name would be declared twice, or nowhere.
	for (const one of changes) {
		for (const other of changes) {
			if (one === other || one.piece.path !== other.piece.path) continue;
			if (![...one.leaving].some((name) => other.arriving.has(name))) continue;
			needs.get(one.piece)?.add(other.piece);
			needs.get(other.piece)?.add(one.piece);
		}
	}
	const byPiece = new Map(changes.map((change) => [change.piece, change]));
	return {
		of: (piece) => needs.get(piece) ?? new Set(),
		related(piece) {
			const change = byPiece.get(piece);
			if (change === undefined) return new Set();
			const sharing = [
				...[...change.gained].flatMap((name) => gaining.get(name) ?? []),
				...[...change.lost].flatMap((name) => losing.get(name) ?? []),
			];
			return new Set(sharing.filter((other) => other !== change).map((other) => other.piece));
		},
	};
}

function reaches(from: Change, to: Change, name: string): boolean {
	return from !== to && (from.piece.path === to.piece.path || from.isSeen(name));
}

function index(changes: readonly Change[], kind: 'gained' | 'lost'): ReadonlyMap<string, readonly Change[]> {
	const found = new Map<string, Change[]>();
	for (const change of changes) {
		for (const name of change[kind]) found.set(name, [...(found.get(name) ?? []), change]);
	}
	return found;
}

const NO_NAME: ReadonlySet<string> = new Set();
const NO_NAMES = { gained: NO_NAME, lost: NO_NAME, arriving: NO_NAME, leaving: NO_NAME };

function changeOf(piece: Piece, fileOf: (text: string) => Text): Change {
	if (piece.package !== null) {
		const { name, base, head } = piece.package;
		return {
			...{ piece, ...NO_NAMES, isSeen: () => true },
			introduces: base === null && head !== null ? [`"${name}`] : [],
			drops: base !== null && head === null ? [`"${name}`] : [],
		};
	}
	if (piece.edit === undefined) return { piece, ...NO_NAMES, introduces: [], drops: [], isSeen: () => false };
	const { edit } = piece;
	const [added, removed] = [readText(edit.added), readText(edit.removed)];
	const [base, head] = [fileOf(edit.base), fileOf(edit.head)];
	const stem = stemOf(piece.path);
	return {
		piece,
		gained: without(added.used, removed.used),
		lost: without(removed.used, added.used),
		introduces: [...without(added.declared, base.declared), ...(piece.change === 'added' ? [stem] : [])],
		drops: [...without(removed.declared, head.declared), ...(piece.change === 'deleted' ? [stem] : [])],
		arriving: without(movableOf(added, head), movableOf(removed, base)),
		leaving: without(movableOf(removed, base), movableOf(added, head)),
		isSeen: (name) => name === stem || added.exported.has(name) || removed.exported.has(name),
	};
}

/** Declarations that a file needs, and cannot have twice. */
function movableOf({ outer, declared }: Text, { once }: Text): ReadonlySet<string> {
	return new Set([...outer, ...[...declared].filter((name) => once.has(name))]);
}

function without(names: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> {
	return new Set([...names].filter((name) => !others.has(name)));
}

/**
 * Puts each piece after those it needs; pieces that need each other are neighbours. Source: Tarjan 1972, strongly
 * connected components.
 */
export function inOrderOfNeeds(pieces: readonly Piece[], needs: Pick<Needs, 'of'>): readonly Piece[] {
	const ordered: Piece[] = [];
	const begun = new Map<Piece, number>();
	const open: Piece[] = [];
	const visit = (piece: Piece): number => {
		const index = begun.size;
		begun.set(piece, index);
		open.push(piece);
		let lowest = index;
		const needed = needs.of(piece);
		for (const one of pieces) {
			if (!needed.has(one)) continue;
			const known = begun.get(one);
			if (known === undefined) lowest = Math.min(lowest, visit(one));
			else if (open.includes(one)) lowest = Math.min(lowest, known);
		}
		if (lowest === index) ordered.push(...open.splice(open.indexOf(piece)));
		return lowest;
	};
	for (const piece of pieces) if (!begun.has(piece)) visit(piece);
	return ordered;
}

export function readable(state: FileState | null): string {
	if (state === null || state.mode === '120000' || state.content.includes(0)) return '';
	return Buffer.from(state.content).toString('utf8');
}
