import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { countOf, superscript } from '../../text/numbers.ts';
import type { Phrase } from '../../text/phrase.ts';
import { placeOfRow } from '../../types/metric.ts';
import type { CellResult, Result } from '../../types/result.ts';
import type { Warning } from '../../types/units.ts';
import { noteCode } from './links.ts';

const MOST_NAMED = 3;

/** Texts are harmless lines (`plainText`), not yet escaped. */
export interface Footnote {
	/** Counts from 1 in reading order. */
	readonly number: number;
	readonly code: string;
	readonly message: string;
	readonly alike: number;
	/** Empty if about the whole run. */
	readonly cells: readonly string[];
	readonly moreCells: number;
}

export interface Footnotes {
	readonly notes: readonly Footnote[];
	readonly numbersOf: (cell: CellResult) => readonly number[];
}

/** More messages of one code share a footnote: 200 cells must not make 200 notes. */
const MOST_ALIKE = 3;

interface Group {
	readonly first: Warning;
	readonly messages: Set<string>;
	readonly cells: Set<CellResult>;
}

/**
 * Returns numbered footnotes of `cells`, then of the run. Merges equal warnings, and counts more than three of a code.
 * Leaves out `faultMessage` and unaffected rows.
 */
export function collectFootnotes(
	cells: readonly CellResult[],
	result: Pick<Result, 'warnings'>,
	faultMessage: string | null = null,
): Footnotes {
	const notesOf = ({ warnings, verdict }: CellResult) =>
		verdict === 'unaffected' ? [] : warnings.filter(({ message }) => message !== faultMessage);
	const all = [
		...cells.flatMap((cell) => notesOf(cell).map((warning) => ({ warning, cell }))),
		...result.warnings.map((warning) => ({ warning, cell: null })),
	];
	const keyOf = keyByCount(all.map(({ warning }) => warning));
	const groups = new Map<string, Group>();
	for (const { warning, cell } of all) {
		const key = keyOf(warning);
		const group = groups.get(key) ?? { first: warning, messages: new Set(), cells: new Set() };
		group.messages.add(warning.message);
		if (cell) group.cells.add(cell);
		groups.set(key, group);
	}
	const numbers = new Map([...groups.keys()].map((key, index) => [key, index + 1]));
	return {
		notes: [...groups.values()].map((group, index) => footnoteOf(group, index + 1)),
		numbersOf: (cell) =>
			[...new Set(notesOf(cell).map((warning) => numbers.get(keyOf(warning)) ?? 0))].sort((a, b) => a - b),
	};
}

/** Returns a footnote's number, or a bullet for the whole run. */
export function markOf({ number, cells }: Footnote): string {
	return cells.length > 0 ? superscript(number) : '•';
}

export function describeFootnote(note: Footnote): Phrase {
	const names = note.cells.flatMap((code, index) => (index === 0 ? [{ code }] : [', ', { code }]));
	const more = note.moreCells > 0 ? ` and ${note.moreCells} more` : '';
	const cells: Phrase = names.length > 0 ? [...names, more, ': '] : [];
	const alike = note.alike > 0 ? ` (and ${countOf(note.alike, 'message')} like this)` : '';
	return [...cells, { text: note.message }, alike, ' [', noteCode(note.code), ']'];
}

function keyByCount(warnings: readonly Warning[]): (warning: Warning) => string {
	const messages = new Map<string, Set<string>>();
	for (const { code, message } of warnings) messages.set(code, (messages.get(code) ?? new Set()).add(message));
	return ({ code, message }) => ((messages.get(code)?.size ?? 0) > MOST_ALIKE ? code : `${code}\n${message}`);
}

function footnoteOf({ first, messages, cells }: Group, number: number): Footnote {
	const names = [
		...new Set(
			[...cells].map(({ server, scenario, metric }) =>
				plainText(placeOfRow(`${server}/${scenario}`, metric), NAME_LIMIT),
			),
		),
	];
	return {
		number,
		code: plainText(first.code, NAME_LIMIT),
		message: plainText(first.message, MESSAGE_LIMIT),
		alike: messages.size - 1,
		cells: names.slice(0, MOST_NAMED),
		moreCells: Math.max(names.length - MOST_NAMED, 0),
	};
}
