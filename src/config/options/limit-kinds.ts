/** Values of options that limit what a machine gives: CPUs and memory. */
import type { Bytes } from '../../types/units.ts';
import type { Kind } from './option-kinds.ts';

/** More CPUs than any machine has. */
const MOST_CPUS = 4096;

/** Numbers of CPUs as the kernel writes them: `0`, `2,3`, `0-3,8`. Ascending, each once. */
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

function readRange(text: string): readonly number[] | undefined {
	const [, from, to = from] = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(text) ?? [];
	const [first, last] = [Number(from), Number(to)];
	if (from === undefined || first > last || last >= MOST_CPUS) return undefined;
	return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Allowed form of a size, for the JSON Schema and for flags: a whole number above zero. */
export const SIZE_PATTERN = '^(?=.*[1-9])\\d{1,7}(MB|GB|MiB|GiB)$';
/** The same in words. */
export const SIZE_FORM = 'a size in MB, GB, MiB or GiB, e.g. 512MB';
const UNITS = { GB: 1e9, MB: 1e6, GiB: 2 ** 30, MiB: 2 ** 20 } as const;

/** Memory, in bytes. */
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
