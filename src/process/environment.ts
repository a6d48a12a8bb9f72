/** Variables of the CI platform and of benchgate, which code under test and its build do not get. */
const PLATFORM = /^(GITHUB|ACTIONS|INPUT|RUNNER|STATE|CI_JOB|SYSTEM|BENCHGATE)_/i;

/** Words that suggest a secret anywhere in a name. */
const WORDS =
	/token|secret|passw|passphrase|passfile|credential|api_?key|private_?key|access_?key|session_?key|(^|_|:)auth(?!ors?(_|$))|cookie|webhook|connection_?string/i;

/**
 * Words that suggest a secret at the end of a name: DEPLOY_KEY, MYSQL_PWD, CI_PAT, SENTRY_DSN. `PWD` alone is a folder.
 */
const LAST_WORDS = /(^|[a-z\d]_)(key|keys|pwd|pw|pass|pat|dsn|jwt|pin|otp|sas)$/i;

const FOLDERS = /^(OLD)?PWD$/;

/** A proxy's address may contain a password, but builds behind the proxy cannot reach their registry without it. */
const PROXY = /(^|_)(https?_?|all_|ftp_)?proxy$/i;

const VALUES: readonly RegExp[] = [
	// A password in a URL, or a token as its user name.
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
	// The form in which git reads it from GIT_CONFIG_VALUE_0.
	/\bauthorization:\s*\S/i,
	/\b(password|pwd|accountkey|sharedaccesskey(name)?)=[^;\s]+/i,
];

/** A short list keeps both sides' environments equally long. */
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
/** Git fails if only some of these are set, so they are withheld together. */
export const GIT_SETTING = /^GIT_CONFIG_(?:COUNT|PARAMETERS|KEY_\d+|VALUE_\d+)$/;
/**
 * Withheld so that no debugger or preload of ours reaches code under test, and no side writes a compile cache or
 * coverage report that the other reads.
 */
const OURS = ['NODE_OPTIONS', 'NODE_CHANNEL_FD', 'NODE_TEST_CONTEXT', 'NODE_COMPILE_CACHE', 'NODE_V8_COVERAGE'];

/**
 * Returns the variables for code under test. For `build` these are all except the platform's and likely secrets; for
 * `serve`, a short list. Code under test can still read its user's files.
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

/** Returns extra variables of our own processes. Node's compile cache halves their start time. */
export function ownVariables({ NODE_COMPILE_CACHE: folder }: NodeJS.ProcessEnv): Record<string, string> {
	return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}

export function findWithheld(environment: NodeJS.ProcessEnv): string[] {
	const names = Object.entries(environment)
		.filter(([name, value = '']) => !isPlatformVariable(name) && isSecretVariable(name, value))
		.map(([name]) => name);
	if (!names.some((name) => GIT_SETTING.test(name))) return names;
	return [...new Set([...names, ...Object.keys(environment).filter((name) => GIT_SETTING.test(name))])];
}

function isPlatformVariable(name: string): boolean {
	return PLATFORM.test(name);
}

/**
 * Judges a variable by name and value. Proxy addresses pass, even with a password. No rule finds every secret
 * (docs/security.md).
 */
export function isSecretVariable(name: string, value: string): boolean {
	if (PROXY.test(name) || FOLDERS.test(name)) return false;
	return WORDS.test(name) || LAST_WORDS.test(name) || VALUES.some((pattern) => pattern.test(value));
}
