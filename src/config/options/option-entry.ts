import type { Config } from '../../types/config.ts';
import type { Kind } from './option-kinds.ts';

export type CommandName =
	| 'compare'
	| 'selftest'
	| 'baseline'
	| 'bisect'
	| 'check'
	| 'explain'
	| 'measure'
	| 'plan'
	| 'gather';

export interface OptionUse {
	readonly help: string;
	/** As typed by a user. */
	readonly default?: string;
	/** A default that is not a single value. */
	readonly otherwise?: string;
	readonly required?: true;
	/** For `compare`: the option concerns only the measuring machine, so a plan ignores it. */
	readonly here?: true;
}

export const USES = {
	seed: { help: 'seed of every random choice', otherwise: 'drawn, and printed' },
	harmless: { help: 'a drop of up to this does not matter', otherwise: 'half the threshold' },
	config: {
		help: 'config file, or git:REF:PATH for that of a commit',
		otherwise: 'benchgate.yml here, if there is one',
	},
	subject: { help: 'folder of the package under test', default: '.' },
	step: { help: 'longest time one step of a build may take, e.g. 30m', default: '15m' },
	isolation: { help: 'how base and head are kept apart: auto, users, namespace or none', default: 'auto' },
	required: { help: 'fail where less isolation is possible: users or namespace', otherwise: 'none' },
	servers: {
		help: 'servers, separated by commas; of the config or built in',
		otherwise: 'those of the config, else the built-in ones that use the subject',
	},
	scenarios: {
		help: 'scenarios or groups (core, auto, all), separated by commas',
		otherwise: 'those of the config, else core',
	},
	warmup: { help: 'how long fresh servers are warmed up, e.g. 20s', otherwise: 'for 40,000 requests, 1 to 4 s' },
	warmupEach: {
		help: 'how long each fresh server is warmed up, e.g. 20s',
		otherwise: 'for 40,000 requests, 0.5 to 8 s',
	},
	accept: { help: 'red rows to let pass: all, removed, express/ping=-6%, …', otherwise: 'none' },
	packages: {
		help: 'package that built-in servers run instead of theirs: ergo=./folder, koa=2.16.4, …; may be repeated',
		otherwise: 'those of the config',
	},
	node: { help: 'Node binary both sides run on', otherwise: 'the node on PATH' },
	runtime: { help: 'what servers run on: node@22, bun, deno@2, …', otherwise: 'the node on PATH, or --node' },
	baseRuntime: { help: 'the same for base alone', otherwise: 'as --runtime' },
	headRuntime: { help: 'the same for head alone', otherwise: 'as --runtime' },
} as const satisfies Readonly<Record<string, OptionUse>>;

export interface Option<T> {
	readonly kind: Kind<T>;
	/** Shown in `--help`. */
	readonly placeholder: string;
	readonly uses: Partial<Readonly<Record<CommandName, OptionUse>>>;
	/** `empty` describes an empty input. Without it, `file` and `uses` do. */
	readonly input?: { readonly name: string; readonly description: string; readonly empty?: string };
	/** Equivalent key of `benchgate.yml`, dotted. */
	readonly file?: string;
	/** Returns its value in a resolved config. */
	readonly of?: (config: Config) => T | undefined;
}

/** Returns how a command takes an option. A plan takes the options of a comparison, an explanation those of a check. */
export function useOf({ uses }: Pick<Option<unknown>, 'uses'>, command: CommandName): OptionUse | undefined {
	const use = uses[command];
	if (command === 'explain') return use ?? uses.check;
	if (use !== undefined || command !== 'plan' || uses.compare?.here) return use;
	return uses.compare;
}

/** Keeps an entry's exact type and ties `of` to the kind. */
export function option<T, const O extends Omit<Option<T>, 'kind'>>(
	kind: Kind<T>,
	fields: O,
): O & { readonly kind: Kind<T> } {
	return { kind, ...fields };
}
