/** Prior of the pieces, from the work that is counted and the time that is sampled. */
import type { Counts } from '../types/explain/counts.ts';
import type { Piece } from './proof-part.ts';

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

/** `packages/koa/lib/context.js` is installed as `node_modules/koa/lib/context.js`. */
export function isInstalledAs(path: string, installed: string): boolean {
	const inPackage = installed.replace(/^.*node_modules\/(?:@[^/]+\/)?[^/]+\//, '');
	return installed === path || installed.endsWith(`/${path}`) || path === inPackage || path.endsWith(`/${inPackage}`);
}
