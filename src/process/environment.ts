/** Variables of the platform's own, its inputs and its state: nothing of them reaches code under test or its build. */
const PLATFORM = /^(GITHUB|ACTIONS|INPUT|RUNNER|STATE|CI_JOB|SYSTEM)_/i;
/** Names that smell of a secret, whoever set them. */
const SECRET = /token|secret|passw|credential|api_?key|private_?key|access_?key|(^|_|:)auth|cookie|session_?key|_pat$/i;
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

/**
 * Returns the part of `environment` that code under test may see: for `build` everything but platform variables and
 * anything named like a secret; for `serve` only a short list. The code under test can still read files of its user.
 */
export function scrubEnvironment(environment: NodeJS.ProcessEnv, purpose: 'build' | 'serve'): Record<string, string> {
	const kept: Record<string, string> = {};
	for (const [name, value] of Object.entries(environment)) {
		if (value === undefined || PLATFORM.test(name) || SECRET.test(name)) continue;
		// A debugger or preload of ours must not ride along into the servers.
		if (name === 'NODE_OPTIONS' || name === 'NODE_CHANNEL_FD' || name === 'NODE_TEST_CONTEXT') continue;
		if (purpose === 'serve' && !SERVE.includes(name)) continue;
		kept[name] = value;
	}
	return kept;
}
