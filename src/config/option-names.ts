/** The options by who takes them, and how each of them spells their names. */

import { type CommandName, useOf } from './options/option-entry.ts';
import type { Kind } from './options/option-kinds.ts';
import { OPTIONS, type Option } from './options.ts';

type Table = typeof OPTIONS;
/** Name of an option, as code calls it. */
export type OptionName = keyof Table;
/** Options that are inputs of the action. */
export type InputOption = { [K in OptionName]: Table[K] extends { readonly input: object } ? K : never }[OptionName];
/** Names of those inputs. */
export type OptionInput = { [K in InputOption]: Table[K]['input']['name'] }[InputOption];
/** Options that a `benchgate.yml` can give. */
export type FileOption = { [K in OptionName]: Table[K] extends { readonly file: string } ? K : never }[OptionName];
/** Options of which `compare` has a value when nobody gives one. */
export type DefaultOption = {
	[K in OptionName]: Table[K]['uses'] extends { readonly compare: { readonly default: string } } ? K : never;
}[OptionName];

/** Every option with the type of its value. */
export type OptionValues = {
	readonly [K in OptionName]: Table[K] extends { readonly kind: Kind<infer T> } ? T : never;
};
/** Options as somebody typed them. Empty text counts as absent. */
export type OptionTexts = { readonly [K in OptionName]?: string | undefined };

type Entry<K extends OptionName> = readonly [K, Option<unknown>];

// The value's type is lost in a loop over all options; `parse` and `write` of one kind still belong together.
const ENTRIES = Object.entries(OPTIONS) as unknown as readonly Entry<OptionName>[];

/** Every option, in the order of `--help`. */
export const OPTION_NAMES: readonly OptionName[] = ENTRIES.map(([name]) => name);
export const INPUT_OPTIONS = ENTRIES.filter(([, { input }]) => input) as readonly Entry<InputOption>[];
export const FILE_OPTIONS = ENTRIES.filter(([, { file }]) => file) as readonly Entry<FileOption>[];

/** Returns the options a command takes, in the order of `--help`. */
export function optionsOf(command: CommandName): readonly Entry<OptionName>[] {
	return ENTRIES.filter(([, entry]) => useOf(entry, command) !== undefined);
}

/** Returns the texts that a command takes, and no others, with its defaults where nothing is given. */
export function withDefaults(command: CommandName, texts: OptionTexts): OptionTexts {
	const given = (name: OptionName) => texts[name]?.trim() || undefined;
	return Object.fromEntries(
		optionsOf(command).map(([name, entry]) => [name, given(name) ?? useOf(entry, command)?.default]),
	);
}

/** Returns an option whose value may be anything. */
export function optionOf(name: OptionName): Option<unknown> {
	return OPTIONS[name] as unknown as Option<unknown>;
}

/** Returns the flag of an option: `--on-inconclusive`. */
export function flagOf(name: OptionName): string {
	return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Returns the name of the action's input: `servers`. */
export function inputOf(name: InputOption): OptionInput {
	return OPTIONS[name].input.name;
}

/** Returns what a comparison takes when nobody gives the option; throws for one without such a value. */
export function defaultOf<K extends DefaultOption>(name: K): OptionValues[K] {
	const { kind, uses } = OPTIONS[name] as unknown as Option<OptionValues[K]>;
	const value = kind.parse(uses.compare?.default ?? '');
	if (value === undefined) throw new Error(`${name} has no default`);
	return value;
}
