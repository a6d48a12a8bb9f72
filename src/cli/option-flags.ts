import { type Command, Option } from 'commander';
import { flagOf, optionsOf } from '../config/option-names.ts';
import { type CommandName, useOf } from '../config/options/option-entry.ts';

/** Adds a command's options. Values stay text, because they are parsed where all problems are reported together. */
export function addOptions(command: Command, name: CommandName): Command {
	for (const [option, entry] of optionsOf(name)) {
		const { help = '', default: value, otherwise = value, required = false } = useOf(entry, name) ?? {};
		const words = otherwise === undefined ? help : `${help} (default: ${otherwise})`;
		const flag = new Option(`${flagOf(option)} <${entry.placeholder}>`, words).makeOptionMandatory(required);
		if (entry.kind.repeats)
			flag.argParser<string>((text, before) => (before === undefined ? text : `${before},${text}`));
		command.addOption(flag);
	}
	return command;
}
