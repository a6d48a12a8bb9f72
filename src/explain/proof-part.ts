import type { FileVersion } from '../types/difference.ts';
import type { ProofPiece } from '../types/explain/proof.ts';

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
