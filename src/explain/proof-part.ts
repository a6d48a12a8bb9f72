import type { FileVersion } from '../types/difference.ts';
import type { Counts } from '../types/explain/counts.ts';
import type { ProofPiece } from '../types/explain/proof.ts';
import { isInstalledAs } from './place-in-diff.ts';

/** Text that base loses and head gets; whole files are '' where a side lacks them. */
export interface Edit {
	readonly removed: string;
	readonly added: string;
	readonly base: string;
	readonly head: string;
}

export interface Piece extends ProofPiece {
	/** Additions first and removals last, so all between them builds. */
	readonly rank: number;
	/** Prior of being the cause. */
	readonly weight: number;
	readonly edit?: Edit;
}

export interface Part {
	readonly pieces: readonly Piece[];
	/** Returns files that differ from head's if only these pieces are applied to base. */
	compose(isApplied: (piece: Piece) => boolean): readonly FileVersion[];
	/** Returns pieces whose versions do not fit each other. */
	conflicts?(isApplied: (piece: Piece) => boolean): readonly Piece[];
}

/** For files that servers hardly run. */
export const UNLIKELY = 0.02;
const RANKS = { added: 1, changed: 2, deleted: 3 } as const;
const UNLIKELY_PATH =
	/(?:^|\/)(?:tests?|__tests__|specs?|bench(?:marks?)?|examples?|fixtures|docs?|\.github|\.vscode)\/|\.(?:test|spec|d)\.[cm]?[jt]sx?$|\.(?:md|markdown|rst|adoc|txt|png|jpe?g|gif|svg|webp)$|(?:^|\/)(?:LICEN[CS]E|\.[\w.-]*ignore|\.editorconfig)$/i;

export function wholePiece(
	fields: Pick<Piece, 'path' | 'kind' | 'change'> & Partial<Pick<Piece, 'package' | 'weight' | 'edit'>>,
): Piece {
	const { edit, ...others } = fields;
	const isUnlikely = UNLIKELY_PATH.test(fields.path);
	const weight = isUnlikely ? UNLIKELY : 1;
	const known = edit === undefined || isUnlikely ? {} : { edit };
	return { line: 0, lines: 0, package: null, rank: RANKS[fields.change], weight, ...others, ...known };
}

export interface Suspect {
	/** Installed; untrusted. */
	readonly path: string;
	/** Of a function. */
	readonly line: number;
	readonly weight: number;
	readonly package?: string | undefined;
}

const CALLED_MORE = 30;
const CALLS_IT = 30;
const RAN_CHANGED = 6;
/** Distance at which a weight is halved. */
const HALF_LINES = 15;
const SAME_FILE = 0.1;

export function suspectsOf({ functions }: Pick<Counts, 'functions'>): readonly Suspect[] {
	return functions.flatMap((one) => {
		const rose = one.head > one.base;
		const isChanged = one.state === 'changed' || one.state === 'new';
		const weight = rose ? CALLED_MORE : isChanged ? RAN_CHANGED : 0;
		const upgraded = one.package?.name;
		const own = isChanged || upgraded !== undefined ? [{ ...one, weight, package: upgraded }] : [];
		return [...own, ...(one.caller && rose ? [{ ...one.caller, weight: CALLS_IT }] : [])];
	});
}

/** Returns the prior of the pieces, from the work that is counted and the time that is sampled. */
export function weigh(pieces: readonly Piece[], suspects: readonly Suspect[]): readonly number[] {
	return pieces.map((piece) => {
		const extra = suspects.reduce((most, suspect) => Math.max(most, suspect.weight * fit(piece, suspect)), 0);
		return piece.weight * (1 + extra);
	});
}

function fit(piece: Piece, suspect: Suspect): number {
	if (piece.package !== null) return piece.package.name === suspect.package ? 1 : 0;
	if (!isInstalledAs(piece.path, suspect.path)) return 0;
	if (piece.line === 0) return 1;
	const last = piece.line + Math.max(1, piece.lines) - 1;
	if (last < suspect.line) return SAME_FILE;
	const distance = Math.max(0, piece.line - suspect.line);
	return Math.max(SAME_FILE, 2 ** (-distance / HALF_LINES));
}

export function shownPiece({ path, line, lines, kind, change, package: upgraded }: Piece): ProofPiece {
	return { path, line, lines, kind, change, package: upgraded };
}
