import { shellWord } from '../text/shell-word.ts';
import type { Config } from '../types/config.ts';
import { flagOf, type OptionName, type OptionTexts, optionsOf } from './option-names.ts';
import type { CommandName } from './options/option-entry.ts';

/** A request as it was resolved, whoever made it. */
export interface ResolvedRequest {
	/** The command that takes such a request. */
	readonly command: CommandName;
	/** What stands in no config: revisions, Node, and the config file itself. */
	readonly given: OptionTexts;
	readonly config: Config;
	/** Returns the config that the command makes of flags; throws when they do not suffice. */
	readonly resolve: (flags: OptionTexts) => Config;
}

/**
 * Returns the command that asks for this request again: what was given, the seed, and of the rest what the command would not
 * resolve to the same by itself. So nothing that an input, a comment or a flag has set is lost, and no default is repeated.
 */
export function repeatCommand({ command, given, config, resolve }: ResolvedRequest): string {
	const options = optionsOf(command);
	const flags: { [K in OptionName]?: string | undefined } = { ...given, seed: String(config.seed) };
	for (const [name, { kind, of }] of options) {
		const wanted = of?.(config);
		if (of === undefined || wanted === undefined || name === 'seed') continue;
		const written = kind.write(wanted);
		const resolved = attempt(() => of(resolve(flags)));
		if (resolved === undefined || kind.write(resolved) !== written) flags[name] = written;
	}
	const words = options.flatMap(([name]) => (flags[name] ? [flagOf(name), flags[name]] : []));
	return ['npx', 'benchgate', command, ...words].map(shellWord).join(' ');
}

/** What is missing so far may be an option that comes later. */
function attempt<T>(act: () => T): T | undefined {
	try {
		return act();
	} catch {
		return undefined;
	}
}
