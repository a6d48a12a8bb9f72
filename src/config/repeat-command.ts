import { shellWord } from '../text/escape.ts';
import type { Config } from '../types/config.ts';
import { flagOf, type OptionName, type OptionTexts, optionsOf } from './option-names.ts';
import type { CommandName } from './options/option-entry.ts';

export interface ResolvedRequest {
	readonly command: CommandName;
	/** Options that a config lacks: revisions, Node, and the config file itself. */
	readonly given: OptionTexts;
	readonly config: Config;
	/** Resolves flags as the command does. Throws when they do not suffice. */
	readonly resolve: (flags: OptionTexts) => Config;
}

/**
 * Returns the command that repeats a request: the given options, the seed, and options that would otherwise resolve
 * differently. It loses no setting and repeats no default.
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

/** Resolving throws while a later option is missing. */
function attempt<T>(act: () => T): T | undefined {
	try {
		return act();
	} catch {
		return undefined;
	}
}
