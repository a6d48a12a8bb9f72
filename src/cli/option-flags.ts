import { type Command, Option } from 'commander';
import { flagOf, type OptionName, optionsOf } from '../config/option-names.ts';
import { type CommandName, useOf } from '../config/options/option-entry.ts';

const GROUPS: Readonly<Record<string, readonly OptionName[]>> = {
	'How long:': [
		'budget',
		'warmup',
		'rounds',
		'precision',
		'trials',
		'duration',
		'prepareTimeout',
		'readyTimeout',
		'explainBudget',
	],
	'Limits:': ['threshold', 'tolerance', 'onInconclusive', 'drift', 'driftThreshold', 'accept'],
	'Machine:': [
		...(['isolation', 'isolationRequired', 'lanes', 'node', 'serverCpus', 'loadCpus', 'memoryLimit'] as const),
		...(['plan', 'shard', 'attempt', 'shards'] as const),
	],
};
export const MEASURED = 'What is measured:';

function headingOf(option: OptionName): string {
	return Object.entries(GROUPS).find(([, names]) => names.includes(option))?.[0] ?? MEASURED;
}

/** Adds a command's options as text: all are parsed where problems are reported together. */
export function addOptions(command: Command, name: CommandName): Command {
	const headings = [MEASURED, ...Object.keys(GROUPS)];
	const options = optionsOf(name).map(([option, entry]) => ({ option, entry, heading: headingOf(option) }));
	options.sort((one, other) => headings.indexOf(one.heading) - headings.indexOf(other.heading));
	for (const { option, entry, heading } of options) {
		const { help = '', default: value, otherwise = value, required = false } = useOf(entry, name) ?? {};
		const words = otherwise === undefined ? help : `${help} (default: ${otherwise})`;
		const flag = new Option(`${flagOf(option)} <${entry.placeholder}>`, words).makeOptionMandatory(required);
		if (entry.kind.repeats)
			flag.argParser<string>((text, before) => (before === undefined ? text : `${before},${text}`));
		command.addOption(flag.helpGroup(heading));
	}
	return command.optionsGroup('Output:');
}
