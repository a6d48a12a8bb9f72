/** What the value of an option can be: how it is read, what is allowed in words, and how it is typed again. */
import type { Fraction, Seconds } from '../types/units.ts';
import {
	DURATION_FORM,
	PERCENTAGE_FORM,
	parseDuration,
	parsePercentage,
	writeDuration,
	writePercentage,
} from './durations.ts';

/** One kind of value. `parse(write(value))` is the value again. */
export interface Kind<T> {
	/** What the text is made of: an input of the action may be a block of names, and must not be several lines of text. */
	readonly text: 'word' | 'line' | 'names' | 'revision';
	/** Returns the value of a text without spaces around it; undefined when the text is not allowed. */
	readonly parse: (text: string) => T | undefined;
	/** What is allowed, in words. */
	readonly form: string;
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

/** Returns the kind of whole numbers from `least` to `most`; nobody is told of a largest number that is the machine's own. */
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
