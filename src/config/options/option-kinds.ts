import { EVERY_CELL, isCellName, readWhat, WHAT_FORM, writeWhat } from '../../text/accepted-words.ts';
import { RUNTIME_FORM, readRuntime, writeRuntime } from '../../text/runtime-words.ts';
import type { PackageOverride } from '../../types/config.ts';
import type { AskedRuntime } from '../../types/runtime.ts';
import type { Bytes, Fraction, Seconds } from '../../types/units.ts';
import type { AcceptedRows } from '../../types/verdict.ts';
import {
	DURATION_FORM,
	PERCENTAGE_FORM,
	parseDuration,
	parsePercentage,
	writeDuration,
	writePercentage,
} from '../durations.ts';

/** A package name allowed by npm, or a built-in server named after its package. */
export const PACKAGE_NAME = '^(?:@[a-z0-9~][a-z0-9._~-]*/)?[a-z0-9~][a-z0-9._~-]*$';

/** Text that replaces a package, without commas. */
export const PLACE = '^[^,\\u0000-\\u001f\\u007f]*[^,\\s\\u0000-\\u001f\\u007f]$';

export const PLACE_FORM = 'a folder, a tarball or a version, without commas, e.g. ./ergo, ./ergo-0.8.0.tgz or 0.8.0';

/** Packages to replace, like `ergo=./folder,koa=2.16.4`, each name once. */
export const PACKAGES: Kind<readonly PackageOverride[]> = {
	text: 'names',
	repeats: true,
	parse: (text) => {
		const items = text.split(',').map((item) => readItem(item.trim()));
		if (!items.every((item) => item !== undefined)) return undefined;
		return new Set(items.map(({ name }) => name)).size === items.length ? items : undefined;
	},
	form: `items separated by commas: NAME=PLACE, each package once, where PLACE is ${PLACE_FORM}`,
	write: (packages) => packages.map(({ name, place }) => `${name}=${place}`).join(','),
};

const MOST_CPUS = 4096;

/** CPU numbers as the kernel writes them: `0`, `2,3`, `0-3,8`. Ascending, each once. */
export const CPUS: Kind<readonly number[]> = {
	text: 'names',
	parse: (text) => {
		const parts = text.split(',').map((part) => readRange(part.trim()));
		if (parts.includes(undefined)) return undefined;
		const cpus = parts.flatMap((part) => part ?? []);
		return [...new Set(cpus)].sort((one, other) => one - other);
	},
	form: 'numbers of CPUs, separated by commas: 0, 2,3 or 0-3',
	write: (cpus) => cpus.join(','),
};

/** A whole number above zero, with a unit. */
export const SIZE_PATTERN = '^(?=.*[1-9])\\d{1,7}(MB|GB|MiB|GiB)$';

export const SIZE_FORM = 'a size in MB, GB, MiB or GiB, e.g. 512MB';

const UNITS = { GB: 1e9, MB: 1e6, GiB: 2 ** 30, MiB: 2 ** 20 } as const;

export const SIZE: Kind<Bytes> = {
	text: 'word',
	parse: (text) => {
		const [unit] = new RegExp(SIZE_PATTERN).exec(text)?.slice(1) ?? [];
		return unit === undefined ? undefined : Number.parseInt(text, 10) * UNITS[unit as keyof typeof UNITS];
	},
	form: SIZE_FORM,
	write: (bytes) => {
		const texts = Object.entries(UNITS).map(([unit, size]) => `${bytes / size}${unit}`);
		return texts.find((text) => SIZE.parse(text) === bytes) ?? `${bytes / UNITS.MB}MB`;
	},
};

/** A kind of value. `parse(write(value))` returns the value again. */
export interface Kind<T> {
	/** In an input, `names` may be a block of lines; other kinds refuse several lines. */
	readonly text: 'word' | 'line' | 'names' | 'revision';
	/** Takes trimmed text; returns undefined if it is not allowed. */
	readonly parse: (text: string) => T | undefined;
	readonly form: string;
	/** The flag may be repeated, each with a part of the value. */
	readonly repeats?: true;
	/** Every allowed text, if there are few. */
	readonly words?: readonly string[];
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

/** Separated by commas; duplicates are dropped. */
export const NAMES: Kind<readonly string[]> = {
	text: 'names',
	parse: (text) => {
		const names = text.split(',').map((name) => name.trim());
		return names.includes('') ? undefined : [...new Set(names)];
	},
	form: 'names separated by commas',
	write: (names) => names.join(','),
};

/** Ascending whole numbers from 1, like `10,50,100`. */
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

/** Like `mine=express,other=koa`. */
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

/** Accepted red rows, like `all`, `removed`, `express/ping=-6%`. */
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
	const [first = '', second, ...otherParts] = item.split('=');
	const word = second ?? first;
	const cell = second === undefined || first === EVERY_CELL ? null : first;
	if (otherParts.length > 0 || (cell !== null && !isCellName(cell))) return undefined;
	const what = word === EVERY_CELL ? { kind: null, upTo: null } : readWhat(word);
	return what && { cell, ...what };
}

export function pathOf(form: string): Kind<string> {
	return { text: 'line', parse: same, form, write: same };
}

export function oneOf<T extends string>(words: readonly T[]): Kind<T> {
	return {
		text: 'word',
		parse: (text) => words.find((word) => word === text),
		form: `one of ${words.join(', ')}`,
		words,
		write: same,
	};
}

export const TRUTH: Kind<boolean> = {
	text: 'word',
	parse: (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined),
	form: 'true or false',
	words: ['true', 'false'],
	write: String,
};

/** Returns the kind of whole numbers in a range; `form` omits a default maximum. */
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

function readRange(text: string): readonly number[] | undefined {
	const [, from, to = from] = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(text) ?? [];
	const [first, last] = [Number(from), Number(to)];
	if (from === undefined || first > last || last >= MOST_CPUS) return undefined;
	return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function readItem(item: string): PackageOverride | undefined {
	const at = item.indexOf('=');
	const [name, place] = [item.slice(0, at).trim(), item.slice(at + 1).trim()];
	if (at < 0 || !new RegExp(PACKAGE_NAME).test(name) || !new RegExp(PLACE, 'u').test(place)) return undefined;
	return { name, place };
}
