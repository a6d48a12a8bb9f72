import { UserError } from '../types/errors.ts';
import type { ExplainOptions } from '../types/explain.ts';
import {
	flagOf,
	OPTION_NAMES,
	type OptionName,
	type OptionTexts,
	type OptionValues,
	optionOf,
	withDefaults,
} from './option-names.ts';
import type { Kind } from './options/option-kinds.ts';
import { OPTIONS } from './options.ts';
import { suggest } from './suggest.ts';

export interface Flags extends OptionTexts {
	/** Not typed, but read from the subject's package.json. */
	readonly subjectName?: string | undefined;
	/** In messages: `--on-inconclusive` (default), or `input on-inconclusive` for the action. */
	readonly spelling?: 'flag' | 'input' | undefined;
}

export type FlagValues = { readonly [K in OptionName]: OptionValues[K] | undefined };

export type Complain = (flag: OptionName, message: string) => void;

export function spellFlag(flag: OptionName, { spelling }: Pick<Flags, 'spelling'>): string {
	return spelling === 'input' ? `input ${optionOf(flag).input?.name ?? flag}` : flagOf(flag);
}

export function flagsError(complaints: readonly string[]): UserError {
	return new UserError({ code: 'bad-flag', message: complaints.join('\n') });
}

/** Parses all flags. Complains about an invalid flag and treats it as absent. */
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

/** Returns the values of some flags, and adds a complaint for each that is not allowed. */
export function readSome<Name extends OptionName>(
	flags: OptionTexts,
	names: readonly Name[],
	complaints: string[],
): Pick<FlagValues, Name> {
	const texts: OptionTexts = Object.fromEntries(names.map((name) => [name, flags[name]]));
	return readFlags(texts, (flag, message) => complaints.push(`${flagOf(flag)} ${flags[flag]}: ${message}`));
}

/** Returns the allowed form, with the word nearest to `text` if there are words. */
export function formFor(text: string, { form, words = [] }: Pick<Kind<never>, 'form' | 'words'>): string {
	const word = suggest(text, words);
	return word === undefined ? form : `${form}; did you mean "${word}"?`;
}

/** The syntax of the texts is already checked. */
export function explainOptionsOf(texts: OptionTexts): ExplainOptions {
	const { explain = '', explainBudget = '', prove = '', profile = '' } = { ...withDefaults('compare', texts) };
	return {
		policy: OPTIONS.explain.kind.parse(explain) ?? 'auto',
		budgetSeconds: OPTIONS.explainBudget.kind.parse(explainBudget) ?? 0,
		prove: OPTIONS.prove.kind.parse(prove) ?? 'auto',
		profile: OPTIONS.profile.kind.parse(profile) ?? 'auto',
	};
}

/** Returns the texts that differ from the defaults of `compare`, for the command that repeats a run. */
export function explainTextsOf(texts: OptionTexts): OptionTexts {
	const defaults = withDefaults('compare', {});
	const { explain, explainBudget, prove, profile } = withDefaults('compare', texts);
	const entries = Object.entries({ explain, explainBudget, prove, profile });
	return Object.fromEntries(entries.filter(([name, text]) => text !== defaults[name as keyof OptionTexts]));
}
