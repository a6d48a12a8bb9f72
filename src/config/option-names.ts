import { type CommandName, useOf } from './options/option-entry.ts';
import type { Kind } from './options/option-kinds.ts';
import { OPTIONS, type Option } from './options.ts';

type Table = typeof OPTIONS;
export type OptionName = keyof Table;
export type InputOption = { [K in OptionName]: Table[K] extends { readonly input: object } ? K : never }[OptionName];
export type OptionInput = { [K in InputOption]: Table[K]['input']['name'] }[InputOption];
export type FileOption = { [K in OptionName]: Table[K] extends { readonly file: string } ? K : never }[OptionName];
export type DefaultOption = {
	[K in OptionName]: Table[K]['uses'] extends { readonly compare: { readonly default: string } } ? K : never;
}[OptionName];

export type OptionValues = {
	readonly [K in OptionName]: Table[K] extends { readonly kind: Kind<infer T> } ? T : never;
};
/** Options as typed. Empty text counts as absent. */
export type OptionTexts = { readonly [K in OptionName]?: string | undefined };

type Entry<K extends OptionName> = readonly [K, Option<unknown>];

// A loop loses the options' value types, but `parse` and `write` of one kind still match.
const ENTRIES = Object.entries(OPTIONS) as unknown as readonly Entry<OptionName>[];

/** In the order of `--help`. */
export const OPTION_NAMES: readonly OptionName[] = ENTRIES.map(([name]) => name);
export const INPUT_OPTIONS = ENTRIES.filter(([, { input }]) => input) as readonly Entry<InputOption>[];
export const FILE_OPTIONS = ENTRIES.filter(([, { file }]) => file) as readonly Entry<FileOption>[];

export function optionsOf(command: CommandName): readonly Entry<OptionName>[] {
	return ENTRIES.filter(([, entry]) => useOf(entry, command) !== undefined);
}

/** Returns only the texts that a command takes, with its defaults. */
export function withDefaults(command: CommandName, texts: OptionTexts): OptionTexts {
	const textOf = (name: OptionName) => texts[name]?.trim() || undefined;
	return Object.fromEntries(
		optionsOf(command).map(([name, entry]) => [name, textOf(name) ?? useOf(entry, command)?.default]),
	);
}

export function optionOf(name: OptionName): Option<unknown> {
	return OPTIONS[name] as unknown as Option<unknown>;
}

export function flagOf(name: OptionName): string {
	return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

export function inputOf(name: InputOption): OptionInput {
	return OPTIONS[name].input.name;
}

/** Returns the option's default in a comparison; throws without one. */
export function defaultOf<K extends DefaultOption>(name: K): OptionValues[K] {
	const { kind, uses } = OPTIONS[name] as unknown as Option<OptionValues[K]>;
	const value = kind.parse(uses.compare?.default ?? '');
	if (value === undefined) throw new Error(`${name} has no default`);
	return value;
}
