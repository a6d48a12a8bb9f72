import { type Command, Option } from 'commander';
import { flagOf, optionsOf } from '../config/option-names.ts';
import type { CommandName } from '../config/options/option-entry.ts';

/** Gives a command the options of the table, with their help. Values stay text: they are read where all problems are told. */
export function addOptions(command: Command, name: CommandName): Command {
	for (const [option, { placeholder, uses }] of optionsOf(name)) {
		const { help = '', default: value, otherwise = value, required = false } = uses[name] ?? {};
		const words = otherwise === undefined ? help : `${help} (default: ${otherwise})`;
		command.addOption(new Option(`${flagOf(option)} <${placeholder}>`, words).makeOptionMandatory(required));
	}
	return command;
}
