import { findWithheld, GIT_SETTING } from '../../process/environment.ts';
import { isSecretVariable } from '../../process/secret-variables.ts';
import type { Warning } from '../../types/units.ts';
import { scrubInitialEnvironment } from './secrets-memory.ts';

/** Variables of the runner's artifact and cache services, by name. Holds a token: never logged, never given to a child. */
export type RuntimeVariables = Readonly<Record<string, string>>;

export interface TakenSecrets {
	readonly runtime: RuntimeVariables;
	/** Names of the user's own variables that were taken, so that a build that fails without them can say so. */
	readonly withheld: readonly string[];
	/** `environment-readable` when other processes of this user can still read what we were started with. */
	readonly warnings: readonly Warning[];
}

/** Paths of files through which a step speaks to the runner: whoever writes to them changes later steps. */
export const RUNNER_FILES = [
	'GITHUB_ENV',
	'GITHUB_PATH',
	'GITHUB_OUTPUT',
	'GITHUB_STEP_SUMMARY',
	'GITHUB_STATE',
] as const;

/** A token, as opposed to a path or a word that happens to stand in a variable with a suspicious name. */
const TOKEN_VALUE = /^[\w.=+-]{16,}$/;

/**
 * Takes every secret out of this process, to be called before anything else is started and after the inputs are read: from
 * `process.env`, so that no child inherits it, and from the block of memory that `/proc/PID/environ` shows to every other
 * process of the same user. The paths in RUNNER_FILES stay in `process.env`, where the toolkit needs them, but leave that
 * block too. The debugger, through which the memory of a Node process can be read, no longer opens on request. Returns what
 * artifact and cache services need, for `withRuntimeVariables`.
 */
export function takeSecrets(): TakenSecrets {
	const environment = process.env;
	const isSecret = recogniseSecrets(environment);
	const withheld = findWithheld(environment);
	const runtime: Record<string, string> = {};
	for (const [name, value = ''] of Object.entries(environment)) {
		if (!isSecret(name, value)) continue;
		// Identity tokens are asked for by nothing of ours, so that nobody needs to get them back.
		if (/^ACTIONS_(?!ID_TOKEN_)/.test(name)) runtime[name] = value;
		delete environment[name];
	}
	const isRunnerFile = (name: string) => RUNNER_FILES.some((known) => known === name);
	for (const name of RUNNER_FILES) {
		// Setting a variable moves it out of the initial block, which may then be overwritten.
		if (environment[name] !== undefined) environment[name] = String(environment[name]);
	}
	const warning = scrubInitialEnvironment((name, value) => isSecret(name, value) || isRunnerFile(name));
	// Any process of the same user can send SIGUSR1, and without a listener it opens Node's debugger to all of them.
	process.on('SIGUSR1', () => {});
	return { runtime, withheld, warnings: warning === null ? [] : [warning] };
}

/**
 * Returns what `use` returns, with the variables of the runner's services set while it runs: its libraries read them from
 * the environment. To be called only while no process of the code under test is alive: children that the libraries start
 * (tar) inherit them. Calls must not overlap.
 */
export async function withRuntimeVariables<T>(runtime: RuntimeVariables, use: () => Promise<T>): Promise<T> {
	Object.assign(process.env, runtime);
	try {
		return await use();
	} finally {
		for (const name of Object.keys(runtime)) delete process.env[name];
	}
}

/**
 * Returns what tells secrets apart: by the name, as for children, everything of the runner's services, and every variable
 * with a token of another one inside, plain or as git's header has it.
 */
function recogniseSecrets(environment: NodeJS.ProcessEnv): (name: string, value: string) => boolean {
	const tokens = Object.entries(environment).flatMap(([name, value = '']) =>
		isSecret(name, value) && TOKEN_VALUE.test(value)
			? [value, Buffer.from(`x-access-token:${value}`).toString('base64')]
			: [],
	);
	const holdsToken = (value: string) => tokens.some((token) => value.includes(token));
	const gitSettings = Object.entries(environment).some(
		([name, value = '']) => GIT_SETTING.test(name) && holdsToken(value),
	);
	return (name, value) => isSecret(name, value) || holdsToken(value) || (gitSettings && GIT_SETTING.test(name));
}

/** One rule for us and for children, but that not everything of the platform's is a secret. */
function isSecret(name: string, value: string): boolean {
	return /^ACTIONS_/i.test(name) || isSecretVariable(name, value);
}
