/** One or two sentences on why a row changed. */
import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { countOf, formatCount } from '../../text/numbers.ts';
import {
	type CodePosition,
	countWords,
	joinAnd,
	joinPhrases,
	limitWords,
	type Phrase,
	phrase,
} from '../../text/phrase.ts';
import type { CountedFunction, CountedPeer, CountedWork, Counts, WorkKind } from '../../types/explain/counts.ts';
import type { Profile, ProfiledFunction } from '../../types/explain/profile.ts';
import type { Proof } from '../../types/explain/proof.ts';
import type { ExplainedRow, Explanation } from '../../types/explain.ts';
import { formatWork, nameWords, placeWords } from './code-words.ts';
import { locatedWords } from './profile-section.ts';
import { holds, proofParts, withoutWords } from './proof-section.ts';

const MOST_CHANGED = 2;
const PEER_LIMIT = 60;
const MOST_WORDS = 37;

export const WORK_WORDS: Readonly<Record<WorkKind, { readonly verb: string; readonly noun: string }>> = {
	writes: { verb: 'makes', noun: 'write calls' },
	reads: { verb: 'makes', noun: 'read calls' },
	promises: { verb: 'creates', noun: 'promises' },
	'bytes-allocated': { verb: 'allocates', noun: 'bytes' },
	collections: { verb: 'causes', noun: 'garbage collections' },
};

/** The step that found the cause. Counts show more work, but not its cost. */
type Evidence = 'proven' | 'profiled' | 'counted' | null;

interface Cause {
	readonly evidence: Evidence;
	readonly parts: readonly Phrase[];
}

/** Returns a line for each explained row: `Why (proven): …`, with its name if several. */
export function whyLines({ rows }: Pick<Explanation, 'rows'>, words = whyOf): readonly Phrase[] {
	return rows.map((row) => {
		const about = rows.length > 1 ? phrase` ${{ code: plainText(`${row.server}/${row.scenario}`, NAME_LIMIT) }}` : [];
		const { evidence } = findCause(row);
		return phrase`${{ strong: 'Why' }}${about}${evidence === null ? '' : ` (${evidence})`}: ${words(row)}`;
	});
}

/** Returns two lines for a comment, with at most 40 words. */
export function whyInShort(row: ExplainedRow): Phrase {
	const [first = [], second = []] = findCause(row).parts;
	const shown = limitWords(second, MOST_WORDS / 2);
	const cause = limitWords(first, MOST_WORDS - countWords(shown));
	return second.length === 0 ? cause : phrase`${cause}<br>${shown}`;
}

export function whyOf(row: ExplainedRow): Phrase {
	return joinPhrases(findCause(row).parts, ' ');
}

function findCause({ counts, proof, profile, notes, unreached, verdict }: ExplainedRow): Cause {
	const located = profile && locatedWords(profile);
	if (proof && proof.carriers.length > 0) {
		const proven = counts && provenFirst(counts, proof);
		const counted = proven && describeChange(proven, verdict);
		return { evidence: 'proven', parts: counted ? [counted, withoutWords(proof)] : proofParts(proof, counts) };
	}
	const agreed = counts && profile && locatedFirst(counts, profile);
	const counted = counts && describeChange(agreed ?? counts, verdict);
	if (located && !(agreed && counted)) return { evidence: 'profiled', parts: counted ? [located, counted] : [located] };
	if (counted) return { evidence: 'counted', parts: located ? [counted, located] : [counted] };
	return { evidence: null, parts: [counts ? describeSame(counts, verdict) : whyUnexplained(notes, unreached)] };
}

function whyUnexplained([note]: ExplainedRow['notes'], unreached: ExplainedRow['unreached']): Phrase {
	if (note !== undefined) return [{ text: plainText(note, MESSAGE_LIMIT) }];
	return [unreached.length > 0 ? 'not explained, because its turn did not come.' : 'not located.'];
}

/** Returns code by a proof, or else by a profile, or by counts. */
export function causeOf({
	counts,
	proof,
	profile,
}: Pick<ExplainedRow, 'counts' | 'proof' | 'profile'>): CodePosition | null {
	const piece = proof?.carriers[0]?.pieces[0];
	if (piece) return piece.package === null ? piece : null;
	const agreed = counts && profile && locatedFirst(counts, profile);
	const [slowest] = profile && !agreed ? locatedIn(profile) : [];
	if (slowest && slowest.path !== '') return { path: slowest.path, line: slowest.line };
	const first = (agreed ?? counts)?.functions.find(({ base, head }) => head > base);
	return first?.state === 'same' ? first.caller : (first ?? null);
}

/** Functions of the proven pieces first; null without one that runs more often. */
export function provenFirst(counts: Counts, { carriers }: Pick<Proof, 'carriers'>): Counts | null {
	const pieces = carriers.flatMap((carrier) => carrier.pieces);
	return withFirst(counts, (called) => pieces.some((piece) => holds(piece, called, counts.functions)));
}

/** Functions that a profile locates, or that these call, first; null without one that runs more often. Round trips stay first. */
function locatedFirst(counts: Counts, profile: Profile): Counts | null {
	const places = locatedIn(profile);
	const isLocated = (at: CodePosition | null) => places.some(({ path, line }) => path === at?.path && line === at.line);
	const isWaiting = counts.peers.some(({ roundTrips: { differs, base, head } }) => differs && head > base);
	return isWaiting ? counts : withFirst(counts, (called) => isLocated(called) || isLocated(called.caller));
}

function withFirst(counts: Counts, isFirst: (called: CountedFunction) => boolean): Counts | null {
	const first = counts.functions.filter((called) => called.head > called.base && isFirst(called));
	if (first.length === 0) return null;
	return { ...counts, functions: [...first, ...counts.functions.filter((called) => !first.includes(called))] };
}

function locatedIn({ cause, functions }: Profile): readonly ProfiledFunction[] {
	return cause.kind === 'located' ? cause.functions.flatMap((named) => functions[named.function] ?? []) : [];
}

/** Whether an amount changed in the direction that explains a verdict. */
type Explains = (amounts: Pick<CountedWork, 'base' | 'head'>) => boolean;

function describeChange(counts: Counts, verdict: ExplainedRow['verdict']): Phrase | null {
	const slower = verdict === 'improved' ? null : describeWork(counts, ({ base, head }) => head > base);
	return slower ?? (verdict === 'regressed' ? null : describeWork(counts, ({ base, head }) => head < base));
}

function describeWork(counts: Counts, explains: Explains): Phrase | null {
	const [first, ...others] = counts.functions.filter(explains);
	const work = counts.work.filter(explains);
	const peer = counts.peers.find(({ roundTrips }) => roundTrips.differs && explains(roundTrips));
	if (peer)
		return first ? phrase`${callWords(first)}. ${tripWords(peer)}` : phrase`${tripWords(peer)}${changedWords(counts)}`;
	if (first) {
		const allocated = work.find(({ kind }) => kind === 'bytes-allocated');
		return phrase`${callWords(first)}.${consequenceWords(first, others, counts.omitted)}${allocated ? phrase` ${workWords(allocated)}` : []}`;
	}
	const kinds = Object.keys(WORK_WORDS) as WorkKind[];
	const [chief] = kinds.flatMap((kind) => work.filter((each) => each.kind === kind));
	return chief ? phrase`${workWords(chief)}${changedWords(counts)}` : null;
}

function describeSame(counts: Counts, verdict: ExplainedRow['verdict']): Phrase {
	const { functions, unseen } = counts;
	const became = verdict === 'regressed' ? 'slower' : verdict === 'improved' ? 'faster' : null;
	const isUncounted = functions.length === 0 && unseen.some(({ kind }) => kind === 'process');
	if (isUncounted) {
		const trips = counts.peers.length > 0 ? 'round trips to other programs are equal, and ' : '';
		return [`not located: ${trips}calls are counted in Node programs alone.`];
	}
	const same = 'both sides do the same counted work a request';
	const found = became === null ? `${same}.` : `not located: ${same}, so something in it got ${became}.`;
	return phrase`${found}${changedWords(counts)}`;
}

/** The function that the first one uses most, or else how many others changed like it. */
function consequenceWords(first: CountedFunction, others: readonly CountedFunction[], omitted: number): Phrase {
	const used = others.find(({ caller }) => caller?.path === first.path && caller.line === first.line);
	if (used) return phrase` So ${nameWords(used)} ${verbOf(used)} ${oftenWords(used)} (${placeWords(used)}).`;
	const count = others.length + omitted;
	const often = first.head > first.base ? 'more' : 'less';
	return count === 0 ? [] : [` ${countOf(count, 'other function')} ${count === 1 ? 'runs' : 'run'} ${often} often.`];
}

/** `handle (lib/router.js:40, changed here) calls layer.match, which runs 24× instead of 12× a request (lib/layer.js:9)`. */
function callWords(called: CountedFunction): Phrase {
	const { caller, state, package: upgraded } = called;
	const words = phrase`${verbOf(called)} ${oftenWords(called)} a request (${placeWords(called)}${reasonWords(called)})`;
	if (state !== 'same' || upgraded || !caller) return phrase`${nameWords(called)} ${words}`;
	return phrase`${nameWords(caller)} (${placeWords(caller)}, changed here) calls ${nameWords(called)}, which ${words}`;
}

function verbOf({ resumes }: CountedFunction): string {
	return resumes ? 'runs or resumes' : 'runs';
}

function oftenWords({ base, head, varies, state }: CountedFunction): string {
	const instead = base === 0 && state === 'new' ? '' : ` instead of ${formatCalls(base)}×`;
	return `${varies ? 'about ' : ''}${formatCalls(head)}×${instead}`;
}

function reasonWords({ state, package: upgraded }: CountedFunction): Phrase {
	if (upgraded) {
		const name = plainText(`${upgraded.name} ${upgraded.base ?? 'none'} → ${upgraded.head ?? 'none'}`, NAME_LIMIT);
		return phrase`, ${{ code: name }}`;
	}
	if (state === 'changed') return [', changed here'];
	return state === 'new' ? [', new here'] : [];
}

/** ` Changed code that it runs: render (lib/view.js:10).`, or no words. */
function changedWords({ functions }: Counts): Phrase {
	const changed = functions.filter(({ state, head }) => (state === 'changed' || state === 'new') && head > 0);
	if (changed.length === 0) return [];
	const named = changed.slice(0, MOST_CHANGED).map((each) => phrase`${nameWords(each)} (${placeWords(each)})`);
	const rest = changed.length - named.length;
	const all = rest > 0 ? [...named, [countOf(rest, 'other')]] : named;
	return phrase` Changed code that it runs: ${joinAnd(all)}.`;
}

function workWords({ kind, base, head, varies }: CountedWork): Phrase {
	const { verb, noun } = WORK_WORDS[kind];
	const about = varies ? 'about ' : '';
	return [`Head ${verb} ${about}${formatWork(head)} instead of ${formatWork(base)} ${noun} a request.`];
}

/** Returns `Head makes 2 instead of 1 round trips a request to postgres (127.0.0.1:5432).` */
function tripWords(peer: CountedPeer): Phrase {
	const { base, head, varies } = peer.roundTrips;
	const trips = `${varies ? 'about ' : ''}${formatWork(head)} instead of ${formatWork(base)}`;
	return phrase`Head makes ${trips} round trips a request to ${peerWords(peer)}.`;
}

export function peerWords({ name, address }: CountedPeer): Phrase {
	const place = { code: plainText(address, PEER_LIMIT) };
	return name === null ? phrase`${place}` : phrase`${{ code: plainText(name, PEER_LIMIT) }} (${place})`;
}

/** Returns calls a request: `12`, `0.02`. */
export function formatCalls(calls: number): string {
	const whole = Math.round(calls);
	return Math.abs(calls - whole) < 0.005 || calls >= 100 ? formatCount(whole) : `${Number(calls.toFixed(2))}`;
}
