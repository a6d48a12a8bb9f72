/** What the value of an option can be: how it is read, what is allowed in words, and how it is typed again. */
import { EVERY_CELL, isCellName, readWhat, WHAT_FORM, writeWhat } from '../../text/accepted-words.ts';
import { RUNTIME_FORM, readRuntime, writeRuntime } from '../../text/runtime-words.ts';
import type { AskedRuntime } from '../../types/runtime.ts';
import type { Fraction, Seconds } from '../../types/units.ts';
import type { AcceptedRows } from '../../types/verdict.ts';
import {
	DURATION_FORM,
	PERCENTAGE_FORM,
	parseDuration,
	parsePercentage,
	writeDuration,
	writePercentage,
} from '../durations.ts';

/** One kind of value. `parse(write(value))` is the value again. */
export interface Kind<T> {
	/** What the text is made of: an input of the action may be a block of names, and must not be several lines of text. */
	readonly text: 'word' | 'line' | 'names' | 'revision';
	/** Returns the value of a text without spaces around it; undefined when the text is not allowed. */
	readonly parse: (text: string) => T | undefined;
	/** What is allowed, in words. */
	readonly form: string;
	/** Whether a flag can be given several times, each with a part of the value. */
	readonly repeats?: true;
	/** Every allowed text, when there are few. */
	readonly words?: readonly string[];
	/** Returns the value as a user types it. */
	readonly write: (value: T) => string;
}

const same = (text: string): string => text;

export const REVISION: Kind<string> = { text: 'revision', parse: same, form: 'a revision', write: same };

export const PERCENTAGE: Kind<Fraction> = {
	text: 'word',
	parse: parsePercentage,
	form: PERCENTAGE_FORM,
	write: writePercentage,
};

export const DURATION: Kind<Seconds> = {
	text: 'word',
	parse: parseDuration,
	form: DURATION_FORM,
	write: writeDuration,
};

export const RUNTIME: Kind<AskedRuntime> = {
	text: 'word',
	parse: readRuntime,
	form: RUNTIME_FORM,
	write: writeRuntime,
};

/** Names separated by commas, each counted once. */
export const NAMES: Kind<readonly string[]> = {
	text: 'names',
	parse: (text) => {
		const names = text.split(',').map((name) => name.trim());
		return names.includes('') ? undefined : [...new Set(names)];
	},
	form: 'names separated by commas',
	write: (names) => names.join(','),
};

/** Whole numbers from 1, ascending, separated by commas: `10,50,100`. */
export const STEPS: Kind<readonly number[]> = {
	text: 'names',
	parse: (text) => {
		const numbers = text.split(',').map((item) => wholeNumber(1, 10_000).parse(item.trim()));
		const isRising = numbers.every((number, at) => number !== undefined && number > (numbers[at - 1] ?? 0));
		return isRising ? (numbers as readonly number[]) : undefined;
	},
	form: 'rising whole numbers from 1 to 10000, separated by commas: 10,50,100,200,500',
	write: (numbers) => numbers.join(','),
};

/** Names with another name each, separated by commas: `mine=express,other=koa`. */
export const PAIRS: Kind<Readonly<Record<string, string>>> = {
	text: 'names',
	parse: (text) => {
		const pairs = text.split(',').map((item) => item.split('=').map((name) => name.trim()));
		const isWhole = pairs.every((names) => names.length === 2 && !names.includes(''));
		return isWhole ? Object.fromEntries(pairs) : undefined;
	},
	form: 'pairs of names separated by commas: mine=express,other=koa',
	write: (pairs) =>
		Object.entries(pairs)
			.map((pair) => pair.join('='))
			.join(','),
};

/** Red rows that are let pass, separated by commas: `all`, `removed`, `express/ping=-6%`. */
export const ACCEPTED: Kind<readonly AcceptedRows[]> = {
	text: 'names',
	parse: (text) => {
		const rows = text.split(',').map((item) => readAccepted(item.trim()));
		return rows.every((row) => row !== undefined) ? rows : undefined;
	},
	form: `${EVERY_CELL}, or items separated by commas: ROW=WHAT, or WHAT for every row, where WHAT is ${WHAT_FORM}`,
	write: (rows) =>
		rows.map(({ cell, ...what }) => [...(cell === null ? [] : [cell]), writeWhat(what)].join('=')).join(','),
};

function readAccepted(item: string): AcceptedRows | undefined {
	const [first = '', second, ...rest] = item.split('=');
	const word = second ?? first;
	const cell = second === undefined || first === EVERY_CELL ? null : first;
	if (rest.length > 0 || (cell !== null && !isCellName(cell))) return undefined;
	const what = word === EVERY_CELL ? { kind: null, upTo: null } : readWhat(word);
	return what && { cell, ...what };
}

/** Returns the kind of a path, called as `form` says. */
export function pathOf(form: string): Kind<string> {
	return { text: 'line', parse: same, form, write: same };
}

/** Returns the kind whose values are these words. */
export function oneOf<T extends string>(words: readonly T[]): Kind<T> {
	return {
		text: 'word',
		parse: (text) => words.find((word) => word === text),
		form: `one of ${words.join(', ')}`,
		words,
		write: same,
	};
}

/** Returns the kind of whole numbers from `least` to `most`; a largest number that comes from the machine is not mentioned. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): Kind<number> {
	return {
		text: 'word',
		parse: (text) => {
			const value = Number(text);
			return /^\d+$/.test(text) && value >= least && value <= most ? value : undefined;
		},
		form: `a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`}`,
		write: String,
	};
}
