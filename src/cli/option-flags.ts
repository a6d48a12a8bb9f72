import { type Command, Option } from 'commander';
import { flagOf, type OptionTexts, optionsOf } from '../config/option-names.ts';
import { type CommandName, useOf } from '../config/options/option-entry.ts';

/** Gives a command the options of the table, with their help. Values stay text: they are read where all problems are told. */
export function addOptions(command: Command, name: CommandName): Command {
	const planned = optionsOf(name).some(([option]) => option === 'plan');
	for (const [option, entry] of optionsOf(name)) {
		const { help = '', default: value, otherwise = value, required = false } = useOf(entry, name) ?? {};
		const words = otherwise === undefined ? help : `${help} (default: ${otherwise})`;
		const flag = new Option(`${flagOf(option)} <${entry.placeholder}>`, words);
		command.addOption(flag.makeOptionMandatory(required && !planned));
	}
	return planned ? command.hook('preAction', () => requireWithoutPlan(command, name)) : command;
}

/** What is required must be given or stand in a plan. */
function requireWithoutPlan(command: Command, name: CommandName): void {
	const given: OptionTexts = command.opts();
	if (given.plan !== undefined) return;
	const missing = optionsOf(name).find(
		([option, entry]) => useOf(entry, name)?.required && given[option] === undefined,
	);
	if (missing === undefined) return;
	const flag = `${flagOf(missing[0])} <${missing[1].placeholder}>`;
	command.error(`error: required option '${flag}' not specified`, {
		exitCode: 1,
		code: 'commander.missingMandatoryOptionValue',
	});
}
