import { isInstalledAs } from '../../explain/place-in-diff.ts';
import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { countOf, formatChange, formatDuration, formatInterval, formatPercent, NONE } from '../../text/numbers.ts';
import { joinAnd, joinPhrases, type Phrase, phrase } from '../../text/phrase.ts';
import type { CountedFunction, Counts } from '../../types/explain/counts.ts';
import type { Carrier, Proof, ProofPiece, ProofStep, StepOutcome } from '../../types/explain/proof.ts';
import type { Block } from '../document/document.ts';
import { nameWords } from './code-words.ts';

const MOST_NAMED = 2;
const MOST_COMPANIONS = 10;

const OUTCOMES: Readonly<Record<StepOutcome, string>> = {
	restored: 'as fast as base',
	slower: 'as slow as head',
	between: 'in between',
	'same-code': 'the same program',
	'not-built': 'does not run',
	'other-answers': 'answers differ',
};

export function proofWords(proof: Proof, counts: Counts | null): Phrase {
	return joinPhrases(proofParts(proof, counts), ' ');
}

export function proofParts(proof: Proof, counts: Counts | null): readonly Phrase[] {
	const { carriers, upgrades, because } = proof;
	const reason = { text: plainText(because ?? '', MESSAGE_LIMIT) };
	if (carriers.length === 0) return [phrase`nothing was proven: ${reason}.`];
	const [first] = carriers;
	const isUpgrade = first?.pieces[0]?.kind === 'package' && upgrades > 1;
	const of = isUpgrade && carriers.length === 1 ? `of ${countOf(upgrades, 'upgrade')}, ` : '';
	const named = joinAnd(carriers.map((carrier) => carrierWords(carrier, counts?.functions ?? [])));
	const rest = because === null ? [] : phrase` Not the whole loss was proven: ${reason}.`;
	return [phrase`${of}${named}.`, phrase`${withoutWords(proof)}${rest}`];
}

function carrierWords({ pieces, share, shareInterval }: Carrier, functions: readonly CountedFunction[]): Phrase {
	const exact = shareInterval.low === shareInterval.high;
	const range = exact ? '' : ` [${percentEnd(shareInterval.low)} … ${percentEnd(shareInterval.high)}]`;
	const named = piecesWords(pieces, MOST_NAMED, (piece) => namedPieceWords(piece, functions));
	return phrase`${named} ${pieces.length === 1 ? 'carries' : 'carry'} ${formatPercent(share, 0)}${range} of the loss`;
}

function percentEnd(end: number | null): string {
	return end === null ? '∞' : `${formatPercent(end, 0)}`.replace(/ %$/, '');
}

/** Returns `Without that hunk head is −0.4 % [−1.6 … +0.8] of base.` */
export function withoutWords({ carriers }: Pick<Proof, 'carriers'>): Phrase {
	const { without } = carriers.at(-1) as Carrier;
	const all = carriers.flatMap(({ pieces }) => pieces);
	const noun = all[0]?.kind === 'hunk' ? 'hunk' : all[0]?.kind === 'package' ? 'upgrade' : 'part';
	const named = all.length === 1 ? `that ${noun}` : 'them';
	const companions = carriers.reduce((sum, one) => sum + one.companions.length, 0);
	const goes = companions === 1 ? 'goes' : 'go';
	const it =
		companions === 0
			? named
			: `${named} and ${countOf(companions, 'part')} that ${goes} with ${all.length === 1 ? 'it' : 'them'}`;
	if (without === null) return [`Without ${it} head is the same program as base.`];
	return [`Without ${it} head is ${formatChange(without.change)} ${formatInterval(without.interval)} of base.`];
}

/** `match (lib/router.js:118-126)`, if a changed function with this code ran. */
function namedPieceWords(piece: ProofPiece, functions: readonly CountedFunction[]): Phrase {
	const inside = functions.filter((called) => piece.kind === 'hunk' && holdsCode(piece, called));
	const around = inside.filter((called) => covers(called, piece));
	const candidates = around.length > 0 ? around : inside;
	const [innermost] = candidates.toSorted((one, other) => (one.lines ?? 0) - (other.lines ?? 0));
	return innermost ? phrase`${nameWords(innermost)} (${pieceWords(piece)})` : pieceWords(piece);
}

/** Whether a piece has code of this function, but not of one around it, or calls it. */
export function holds(piece: ProofPiece, called: CountedFunction, all: readonly CountedFunction[]): boolean {
	if (piece.package !== null) return piece.package.name === called.package?.name;
	const { caller } = called;
	const calling = caller && all.find(({ path, line }) => path === caller.path && line === caller.line);
	if (calling && holdsCode(piece, calling)) return true;
	const isShared = all.some((other) => other !== called && holdsCode(piece, other) && covers(other, piece));
	return holdsCode(piece, called) && (!isShared || covers(called, piece));
}

function covers({ line, lines = 1 }: CountedFunction, piece: ProofPiece): boolean {
	return line <= piece.line && line + lines >= piece.line + Math.max(1, piece.lines);
}

function holdsCode({ path, line, lines }: ProofPiece, called: CountedFunction): boolean {
	if ((called.state !== 'changed' && called.state !== 'new') || !isInstalledAs(path, called.path)) return false;
	const last = line + Math.max(1, lines) - 1;
	return line === 0 || (called.line <= last && called.line + (called.lines ?? 1) > line);
}

function piecesWords(pieces: readonly ProofPiece[], most: number, wordsOf: (piece: ProofPiece) => Phrase): Phrase {
	const named = pieces.slice(0, most).map(wordsOf);
	const more = pieces.length - named.length;
	return joinAnd(more > 0 ? [...named, [countOf(more, 'other part')]] : named);
}

/** `lib/router.js:118–126`, or `qs 6.13.0 → 6.14.0`. */
function pieceWords({ path, line, lines, package: upgraded, change, kind }: ProofPiece): Phrase {
	if (upgraded !== null) {
		const versions = `${upgraded.base ?? 'none'} → ${upgraded.head ?? 'none'}`;
		return [{ code: plainText(upgraded.name, NAME_LIMIT) }, ' ', { text: plainText(versions, NAME_LIMIT) }];
	}
	const range = line === 0 ? '' : lines > 1 ? `:${line}-${line + lines - 1}` : `:${line}`;
	const place = { code: plainText(`${path}${range}`, 2 * NAME_LIMIT), at: { path, line, lines } };
	const removed = kind === 'hunk' && lines === 0 ? ' (lines removed)' : '';
	const whole =
		kind === 'rest' ? ' (besides dependencies)' : line === 0 && change !== 'changed' ? ` (${change})` : removed;
	return [place, whole];
}

export function proofBlocks(proof: Proof): readonly Block[] {
	const { carriers, steps, pieces, notes, seconds } = proof;
	const companions = carriers.flatMap((one) => one.companions);
	const right = (label: string) => ({ label, align: 'right' as const });
	const table: Block = {
		kind: 'table',
		columns: [
			{ label: 'head without', align: 'left', shrinks: true },
			{ label: 'against base', align: 'left' },
			...['change', 'rounds', 'time'].map(right),
		],
		rows: steps.map((step) => [
			stepWords(step),
			[OUTCOMES[step.outcome]],
			[step.change === null ? NONE : formatChange(step.change)],
			[`${step.rounds}`],
			[formatDuration(step.seconds)],
		]),
		note: `${countOf(pieces, 'part')} in the difference; ${formatDuration(seconds)} in all. The last word is from fresh rounds.`,
	};
	const details = steps.flatMap(({ detail }): Phrase[] =>
		detail === null ? [] : [[{ text: plainText(detail, MESSAGE_LIMIT) }]],
	);
	const beside = piecesWords(companions, MOST_COMPANIONS, pieceWords);
	const remarks = [
		...(companions.length === 0 ? [] : [phrase`Taken out too, because head does not run otherwise: ${beside}.`]),
		...notes.map((note): Phrase => [{ text: plainText(note, MESSAGE_LIMIT) }]),
		...details,
	];
	return [
		...(steps.length === 0 ? [] : [table]),
		...(remarks.length === 0 ? [] : [{ kind: 'paragraphs' as const, items: remarks }]),
	];
}

function stepWords({ piece, without, kind }: ProofStep): Phrase {
	if (piece === null) return [without === 0 ? 'nothing, in the same rounds' : countOf(without, 'part')];
	const more = without > 1 ? ` and ${without - 1} more` : '';
	return phrase`${pieceWords(piece)}${more}${kind === 'proof' ? ' (proof)' : ''}`;
}
