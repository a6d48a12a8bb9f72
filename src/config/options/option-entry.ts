/** What an entry of the table of options is. */
import type { Config } from '../../types/config.ts';
import type { Kind } from './option-kinds.ts';

/** Commands of the command line that take options of a request. */
export type CommandName = 'compare' | 'selftest' | 'baseline' | 'bisect' | 'check' | 'measure' | 'plan' | 'gather';

/** How one command takes an option. */
export interface OptionUse {
	/** Line of `--help`, without the default. */
	readonly help: string;
	/** What is taken when nobody says anything, as a user would type it. */
	readonly default?: string;
	/** The same in words, where it is not always one value. */
	readonly otherwise?: string;
	readonly required?: true;
	/** Of `compare`: about measuring here and now, so that a plan neither takes nor keeps it. */
	readonly here?: true;
}

/** What several commands say of one option. */
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
	required: { help: 'fail where less isolation is possible: users or namespace', otherwise: 'any level will do' },
	servers: {
		help: 'servers, separated by commas; of the config or built in',
		otherwise: 'those of the config, else the built-in ones that use the subject',
	},
	scenarios: {
		help: 'scenarios or groups (core, all), separated by commas',
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

/** One option; `T` is its value. */
export interface Option<T> {
	readonly kind: Kind<T>;
	/** What stands for the value in `--help`. */
	readonly placeholder: string;
	/** The commands that take it. */
	readonly uses: Partial<Readonly<Record<CommandName, OptionUse>>>;
	/** The action's input. What an empty one means is said by `empty`, else from `file` and `uses`. */
	readonly input?: { readonly name: string; readonly description: string; readonly empty?: string };
	/** Key of `benchgate.yml` that means the same, with dots between levels. */
	readonly file?: string;
	/** Where the resolved config has it; absent for what no config holds. Undefined when the config says nothing. */
	readonly of?: (config: Config) => T | undefined;
}

/** Returns how a command takes an option, undefined when it does not. A plan takes what a comparison takes. */
export function useOf({ uses }: Pick<Option<unknown>, 'uses'>, command: CommandName): OptionUse | undefined {
	const use = uses[command];
	if (use !== undefined || command !== 'plan' || uses.compare?.here) return use;
	return uses.compare;
}

/** Keeps the exact type of an entry, and makes `of` agree with the kind. */
export function option<T, const O extends Omit<Option<T>, 'kind'>>(
	kind: Kind<T>,
	rest: O,
): O & { readonly kind: Kind<T> } {
	return { kind, ...rest };
}
