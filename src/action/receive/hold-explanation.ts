import { rowOf } from '../../explain/choose-rows.ts';
import { placeInDiff } from '../../explain/place-in-diff.ts';
import type { CodePosition } from '../../text/phrase.ts';
import type { ChangedLines } from '../../types/difference.ts';
import type { CountedFunction, Counts } from '../../types/explain/counts.ts';
import type { Profile, ProfiledFunction } from '../../types/explain/profile.ts';
import type { Proof, ProofPiece } from '../../types/explain/proof.ts';
import type { ExplainedRow, Explanation } from '../../types/explain.ts';
import type { Result } from '../../types/result.ts';
import type { Warning } from '../../types/units.ts';
import type { Received } from './receive-artifact.ts';
import { PACKAGE, UNNAMED, VERSIONS, WORD } from './shed-raw.ts';

export interface Held {
	readonly explanation: Explanation | null;
	readonly warnings: readonly Warning[];
}

/** The change, as the API has it. */
export interface KnownChange {
	readonly paths: readonly string[];
	readonly lines: ChangedLines;
}

const MOST_FUNCTIONS = 50;
const V8_NAME = /^\((?:program|garbage collector)\)$/;
/** V8's names, such as `get size`. */
const NAME = /^(?:(?:get|set|static|async) )?[^\s`'"$;&|(){}\\]+$/u;

/**
 * Reduces an untrusted explanation to red and undecided rows of the result, with the result's own figures, and to code
 * that can be verified. Counts and times stay claims of the measuring run.
 */
export function holdExplanation(explained: Received['explained'], result: Result, change: KnownChange): Held {
	if (explained === undefined) return { explanation: null, warnings: [] };
	if ('why' in explained) {
		const message = `The explanation of the measuring run was refused: ${explained.why}. The verdicts do not depend on it.`;
		return { explanation: null, warnings: [{ code: 'explanation-refused', message }] };
	}
	const { explanation } = explained;
	const claims = new Map(explanation.rows.map((row) => [idOf(row), row]));
	let unproven = 0;
	const open = result.cells.filter(({ verdict }) => verdict === 'regressed' || verdict === 'inconclusive');
	const rows = [...Map.groupBy(open, idOf)].flatMap(([id, [cell]]): readonly ExplainedRow[] => {
		const row = claims.get(id);
		if (row === undefined || cell === undefined) return [];
		const proof = row.proof && holdProof(row.proof, change);
		if (row.proof && row.proof.carriers.length > 0 && proof === null) unproven++;
		const counts = row.counts && holdCounts(row.counts, change.lines);
		const profile = row.profile && holdProfile(row.profile, change.lines);
		return [{ ...rowOf(cell), counts, proof, profile, unreached: row.unreached, notes: [] }];
	});
	const strangers = [...claims.keys()].filter((id) => !result.cells.some((cell) => idOf(cell) === id)).length;
	return {
		explanation: { ...explanation, rows, warnings: [] },
		warnings: [
			...warn(strangers, 'rows that are not in the result'),
			...warn(unproven, 'proofs about code that the change does not have'),
		],
	};
}

function warn(count: number, what: string): readonly Warning[] {
	if (count === 0) return [];
	const message = `The explanation of the measuring run has ${what} (${count}): left out.`;
	return [{ code: 'explanation-refused', message }];
}

function idOf({ server, scenario }: { readonly server: string; readonly scenario: string }): string {
	return `${server}/${scenario}`;
}

function holdCounts(counts: Counts, lines: ChangedLines): Counts {
	const functions = counts.functions.slice(0, MOST_FUNCTIONS).flatMap((one) => holdFunction(one, lines));
	const peers = counts.peers.filter(({ address, name }) => WORD.test(address) && WORD.test(name ?? address));
	const unseen = counts.unseen.map((each) => ({ ...each, detail: '' }));
	return { ...counts, functions, peers, unseen };
}

function holdFunction(one: CountedFunction, lines: ChangedLines): readonly CountedFunction[] {
	if (!WORD.test(one.path)) return [];
	const { state, caller, package: upgraded } = one;
	const claimsChange = state === 'changed' || state === 'new';
	const isKnown = (code: CodePosition) => placeInDiff(code, lines) !== null;
	return [
		{
			...one,
			name: nameOf(one.name),
			state: claimsChange && !isKnown(one) ? 'same' : state,
			caller: caller && WORD.test(caller.path) && isKnown(caller) ? { ...caller, name: nameOf(caller.name) } : null,
			package: upgraded && isPackage(upgraded) ? upgraded : null,
		},
	];
}

function holdProfile(profile: Profile, lines: ChangedLines): Profile {
	return { ...profile, functions: profile.functions.map((each) => holdProfiled(each, lines)), gaps: [] };
}

/** Keeps all, because frames have their indices. */
function holdProfiled({ versions, ...one }: ProfiledFunction, lines: ChangedLines): ProfiledFunction {
	const { name, path, package: home, state } = one;
	const claimsChange = state === 'changed' || state === 'new';
	const isVersioned = versions && VERSIONS.test(versions.base) && VERSIONS.test(versions.head);
	return {
		...one,
		name: V8_NAME.test(name) ? name : nameOf(name),
		path: WORD.test(path) ? path : '',
		package: home !== null && PACKAGE.test(home) ? home : null,
		state: claimsChange && placeInDiff(one, lines) === null ? 'same' : state,
		...(isVersioned && { versions }),
	};
}

function nameOf(name: string): string {
	return NAME.test(name) ? name : UNNAMED;
}

function isPackage({ name, base, head }: NonNullable<ProofPiece['package']>): boolean {
	return PACKAGE.test(name) && [base, head].every((version) => version === null || VERSIONS.test(version));
}

function holdProof(proof: Proof, change: KnownChange): Proof | null {
	const pieces = proof.carriers.flatMap((carrier) => carrier.pieces);
	if (pieces.length === 0 || !pieces.every((piece) => isOfChange(piece, change))) return null;
	const carriers = proof.carriers.map((carrier) => ({
		...carrier,
		pieces: carrier.pieces.map((piece) => clip(piece, change.lines)),
		companions: carrier.companions
			.filter((piece) => isOfChange(piece, change))
			.map((piece) => clip(piece, change.lines)),
	}));
	return { ...proof, carriers, because: null, steps: [], notes: [] };
}

/** Ends a hunk where the change ends. */
function clip(piece: ProofPiece, lines: ChangedLines): ProofPiece {
	const { kind, path, line, lines: length } = piece;
	if (kind !== 'hunk' || length === 0) return piece;
	const end = line + length - 1;
	const within = (lines.get(path) ?? []).filter(({ first, last }) => last >= line && first <= end);
	const from = Math.max(line, within[0]?.first ?? line);
	return { ...piece, line: from, lines: Math.min(end, within.at(-1)?.last ?? end) - from + 1 };
}

function isOfChange(piece: ProofPiece, { paths, lines }: KnownChange): boolean {
	if (!WORD.test(piece.path) || (piece.package && !isPackage(piece.package))) return false;
	if (piece.kind !== 'hunk') return paths.includes(piece.path);
	return lines.has(piece.path) && placeInDiff(piece, lines) !== null;
}
