/** The part of our environment that code under test may see: for builds, and for servers. */
import { isPlatformVariable, isSecretVariable } from './secret-variables.ts';

/** All a server needs besides its own variables: a short list keeps both sides' environments equally long. */
const SERVE = [
	'PATH',
	'HOME',
	'LANG',
	'LC_ALL',
	'TZ',
	'TMPDIR',
	'LD_LIBRARY_PATH',
	'SystemRoot',
	'TEMP',
	'USERPROFILE',
];
/** One of these without the others is an error for git, so that they go together. */
export const GIT_SETTING = /^GIT_CONFIG_(?:COUNT|PARAMETERS|KEY_\d+|VALUE_\d+)$/;
/**
 * A debugger or preload of ours must not ride along into the code under test; nor may one side write a cache of compiled code or a
 * report of coverage where the other reads.
 */
const OURS = ['NODE_OPTIONS', 'NODE_CHANNEL_FD', 'NODE_TEST_CONTEXT', 'NODE_COMPILE_CACHE', 'NODE_V8_COVERAGE'];

/**
 * Returns the part of `environment` that code under test may see: for `build` everything but platform variables and what is
 * likely to be a secret (see `isSecretVariable`); for `serve` only a short list. The code under test can still read files of
 * its user.
 */
export function scrubEnvironment(environment: NodeJS.ProcessEnv, purpose: 'build' | 'serve'): Record<string, string> {
	const withheld = new Set(findWithheld(environment));
	const kept: Record<string, string> = {};
	for (const [name, value] of Object.entries(environment)) {
		if (value === undefined || isPlatformVariable(name) || withheld.has(name) || OURS.includes(name)) continue;
		if (purpose === 'serve' && !SERVE.includes(name)) continue;
		kept[name] = value;
	}
	return kept;
}

/** Returns what a process of ours gets besides: where Node keeps code compiled, so that it starts in half the time. */
export function ownVariables({ NODE_COMPILE_CACHE: folder }: NodeJS.ProcessEnv): Record<string, string> {
	return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}

/** Returns the names of the user's own variables that builds and servers do not get because they may hold secrets. */
export function findWithheld(environment: NodeJS.ProcessEnv): string[] {
	const names = Object.entries(environment)
		.filter(([name, value = '']) => !isPlatformVariable(name) && isSecretVariable(name, value))
		.map(([name]) => name);
	if (!names.some((name) => GIT_SETTING.test(name))) return names;
	return [...new Set([...names, ...Object.keys(environment).filter((name) => GIT_SETTING.test(name))])];
}
