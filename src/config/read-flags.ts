import { UserError } from '../types/errors.ts';
import {
	flagOf,
	OPTION_NAMES,
	type OptionName,
	type OptionTexts,
	type OptionValues,
	optionOf,
} from './option-names.ts';
import type { Kind } from './options/option-kinds.ts';
import { suggest } from './suggest.ts';

/** Flags of the command line, or inputs of the action, as the user typed them. */
export interface Flags extends OptionTexts {
	/** Not typed by the user: name in the package.json of the subject, when there is one. */
	readonly subjectName?: string | undefined;
	/** How messages spell a flag: `--on-inconclusive` (default), or `input on-inconclusive` for the action. */
	readonly spelling?: 'flag' | 'input' | undefined;
}

/** Flags with their values read; what was not given is undefined. */
export type FlagValues = { readonly [K in OptionName]: OptionValues[K] | undefined };

/** Collects what is wrong with flags, so that all of it is said at once. */
export type Complain = (flag: OptionName, message: string) => void;

/** Returns how messages name an option. */
export function spellFlag(flag: OptionName, { spelling }: Pick<Flags, 'spelling'>): string {
	return spelling === 'input' ? `input ${optionOf(flag).input?.name ?? flag}` : flagOf(flag);
}

/** Returns one error that lists every complaint about flags. */
export function flagsError(complaints: readonly string[]): UserError {
	return new UserError({ code: 'bad-flag', message: complaints.join('\n') });
}

/** Returns the values of all flags. A flag that cannot be read is complained about and counts as absent. */
export function readFlags(flags: OptionTexts, complain: Complain): FlagValues {
	const read = (flag: OptionName): unknown => {
		const text = flags[flag]?.trim();
		if (text === undefined || text === '') return undefined;
		const { kind } = optionOf(flag);
		const value = kind.parse(text);
		if (value === undefined) complain(flag, `not allowed; ${formFor(text, kind)}`);
		return value;
	};
	return Object.fromEntries(OPTION_NAMES.map((flag) => [flag, read(flag)])) as FlagValues;
}

/** Returns what is allowed in place of `text`, with the nearest word when there is a choice of words. */
export function formFor(text: string, { form, words = [] }: Pick<Kind<never>, 'form' | 'words'>): string {
	const word = suggest(text, words);
	return word === undefined ? form : `${form}; did you mean "${word}"?`;
}
