/** Which environment variables are likely to be secrets. */

/** Variables of the platform's own, its inputs and its state, and ours: nothing of them reaches code under test or its build. */
const PLATFORM = /^(GITHUB|ACTIONS|INPUT|RUNNER|STATE|CI_JOB|SYSTEM|BENCHGATE)_/i;

/** Words that make a name smell of a secret wherever they stand, whoever set it. */
const WORDS =
	/token|secret|passw|passphrase|passfile|credential|api_?key|private_?key|access_?key|session_?key|(^|_|:)auth(?!ors?(_|$))|cookie|webhook|connection_?string/i;

/** Words that do so at the end of a name: DEPLOY_KEY, MYSQL_PWD, CI_PAT, SENTRY_DSN. `PWD` alone is a folder. */
const LAST_WORDS = /(^|[a-z\d]_)(key|keys|pwd|pw|pass|pat|dsn|jwt|pin|otp|sas)$/i;

const FOLDERS = /^(OLD)?PWD$/;

/** The address of a proxy may hold a password, and without it no build behind that proxy reaches its registry. */
const PROXY = /(^|_)(https?_?|all_|ftp_)?proxy$/i;

/** What secrets look like whatever they are called. */
const VALUES: readonly RegExp[] = [
	// A password in an address, or a token in place of the user's name.
	/:\/\/[^/\s:@]*:[^/\s@]+@/,
	/:\/\/[^/\s:@]{20,}@/,
	/-----BEGIN [A-Z ]*PRIVATE KEY/,
	/\b(gh[pousr]_|github_pat_|npm_|glpat-|[rs]k_(live|test)_|xox[a-z]-|dop_v1_|hf_|pypi-)[\w-]{16,}/,
	/\bsk-[\w-]{20,}/,
	/\b(AKIA|ASIA)[0-9A-Z]{16}\b/,
	/\bAIza[\w-]{35}/,
	// A JSON Web Token.
	/\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\./,
	/\/\/hooks\.slack\.com\/|\/api\/webhooks\//,
	// A header, as git takes one from GIT_CONFIG_VALUE_0.
	/\bauthorization:\s*\S/i,
	/\b(password|pwd|accountkey|sharedaccesskey(name)?)=[^;\s]+/i,
];

/** The part of our environment that code under test may see: for builds, and for servers. */

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

/** Returns whether a variable belongs to the platform or to benchgate, and not to the user. */
function isPlatformVariable(name: string): boolean {
	return PLATFORM.test(name);
}

/**
 * Returns whether a variable is likely to hold a secret: by its name, or by what its value looks like. Addresses of proxies
 * pass, also with a password in them. A rule cannot know every secret; docs/security.md says so.
 */
export function isSecretVariable(name: string, value: string): boolean {
	if (PROXY.test(name) || FOLDERS.test(name)) return false;
	return WORDS.test(name) || LAST_WORDS.test(name) || VALUES.some((pattern) => pattern.test(value));
}
