/** One or two sentences on why a row changed. */
import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { shortPath } from '../../text/impact-words.ts';
import { countOf, formatCount } from '../../text/numbers.ts';
import { joinAnd, type Phrase, phrase } from '../../text/phrase.ts';
import type { CodePlace, CountedFunction, CountedWork, Counts, WorkKind } from '../../types/explain/counts.ts';
import type { ExplainedRow, Explanation } from '../../types/explain.ts';
import { proofWords, withoutWords } from './proof-section.ts';

const MOST_CHANGED = 2;

export const WORK_WORDS: Readonly<Record<WorkKind, { readonly verb: string; readonly noun: string }>> = {
	writes: { verb: 'makes', noun: 'write calls' },
	reads: { verb: 'makes', noun: 'read calls' },
	promises: { verb: 'creates', noun: 'promises' },
	'bytes-allocated': { verb: 'allocates', noun: 'bytes' },
	collections: { verb: 'causes', noun: 'garbage collections' },
};

/** Returns a line for each explained row: `Why: …`, with its name if there are several. */
export function whyLines(explanation: Explanation | null | undefined): readonly Phrase[] {
	const rows = explanation?.rows ?? [];
	return rows.map((row) => {
		const about = rows.length > 1 ? phrase` ${{ code: plainText(`${row.server}/${row.scenario}`, NAME_LIMIT) }}` : [];
		return phrase`${{ strong: 'Why' }}${about}: ${whyOf(row)}`;
	});
}

/** Returns at most 40 words. */
export function whyOf({ counts, proof, notes, unreached }: ExplainedRow): Phrase {
	if (proof && proof.carriers.length > 0) {
		return counts && isCounted(counts) ? phrase`${callsOf(counts)} ${withoutWords(proof)}` : proofWords(proof);
	}
	if (counts) return whyCounted(counts);
	const [note] = notes;
	if (note !== undefined) return [{ text: plainText(note, MESSAGE_LIMIT) }];
	return [unreached.length > 0 ? 'not explained: the budget was spent before this row.' : 'not located.'];
}

function whyCounted(counts: Counts): Phrase {
	const called = callsOf(counts);
	if (called.length > 0) return called;
	const work = chiefWork(counts);
	const changed = changedWords(counts);
	if (work) return phrase`${workWords(work)}${changed}`;
	if (isUncounted(counts)) return ['not located: calls are counted in Node programs alone.'];
	return phrase`not located: head does no more counted work a request, so something in it got slower.${changed}`;
}

export function isCounted({ functions: [first] }: Counts): boolean {
	return first !== undefined && first.head > first.base;
}

/** Returns no words if no function runs more often. */
function callsOf(counts: Counts): Phrase {
	const [first] = counts.functions;
	const more = counts.functions.filter(({ base, head }) => head > base);
	if (first && first.head > first.base) {
		const also = consequenceWords(first, more, counts.omitted);
		const allocated = counts.work.find(({ kind }) => kind === 'bytes-allocated');
		const bytes = allocated && allocated.head > allocated.base ? phrase` ${workWords(allocated)}` : [];
		return phrase`${callWords(first)}.${also}${bytes}`;
	}
	return [];
}

function isUncounted({ functions, unseen }: Counts): boolean {
	return functions.length === 0 && unseen.some(({ kind }) => kind === 'process');
}

function chiefWork({ work }: Counts): CountedWork | undefined {
	const kinds = Object.keys(WORK_WORDS) as WorkKind[];
	return kinds.flatMap((kind) => work.filter((each) => each.kind === kind && each.head > each.base))[0];
}

/** Returns the function that the first one uses most, or else how many others run more often. */
function consequenceWords(first: CountedFunction, more: readonly CountedFunction[], omitted: number): Phrase {
	const used = more.find(({ caller }) => caller?.path === first.path && caller.line === first.line);
	if (used) return phrase` So ${nameWords(used)} runs ${oftenWords(used)} (${placeWords(used)}).`;
	const others = more.length + omitted - 1;
	return others === 0 ? [] : [` ${countOf(others, 'other function')} ${others === 1 ? 'runs' : 'run'} more often.`];
}

/** Returns `layer.match runs 24× instead of 12× a request (lib/router.js:122, changed here)`. */
function callWords(called: CountedFunction): Phrase {
	return phrase`${nameWords(called)} runs ${oftenWords(called)} a request (${placeWords(called)}${reasonWords(called)})`;
}

function oftenWords({ base, head, varies, state }: CountedFunction): string {
	const instead = base === 0 && state === 'new' ? '' : ` instead of ${formatCalls(base)}×`;
	return `${varies ? 'about ' : ''}${formatCalls(head)}×${instead}`;
}

function reasonWords({ state, caller, package: upgraded }: CountedFunction): Phrase {
	if (upgraded) {
		const name = plainText(`${upgraded.name} ${upgraded.base ?? 'none'} → ${upgraded.head ?? 'none'}`, NAME_LIMIT);
		return phrase`, ${{ code: name }}`;
	}
	if (state === 'changed') return [', changed here'];
	if (state === 'new') return [', new here'];
	return caller ? phrase`; used in ${nameWords(caller)}, changed at ${placeWords(caller)}` : [];
}

/** Returns ` Changed code that it runs: render (lib/view.js:10).`, or no words. */
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

export function nameWords({ name }: Pick<CodePlace, 'name'>): Phrase {
	return [{ code: plainText(name, NAME_LIMIT) }];
}

/** Returns `lib/router.js:122`. */
export function placeWords({ path, line }: Pick<CodePlace, 'path' | 'line'>): Phrase {
	return [{ code: plainText(line > 0 ? `${shortPath(path)}:${line}` : shortPath(path), 2 * NAME_LIMIT) }];
}

/** Returns calls a request: `12`, `0.02`. */
export function formatCalls(calls: number): string {
	const whole = Math.round(calls);
	return Math.abs(calls - whole) < 0.005 || calls >= 100 ? formatCount(whole) : `${Number(calls.toFixed(2))}`;
}

/** Returns an amount a request. */
export function formatWork(amount: number): string {
	return amount < 100 ? `${Number(amount.toFixed(2))}` : formatCount(amount);
}
