/** Explains refusals that code met because it ran as another user. */

/**
 * Matches errors of the C library, and of programs that imitate it, for files that may not be written, entered or
 * executed.
 */
const REFUSED = /\bEACCES\b|\bEROFS\b|\bEPERM\b|permission denied|read-only file system|operation not permitted/i;
/** Errors of sudo and docker's client for unprivileged users. */
const NEEDS_ROOT = /no new privileges|have the setuid bit set|nosuid.{0,40}sudo|docker.?daemon|docker\.sock/i;
/** Matches errors of package managers if a registry requires a token. */
const NEEDS_TOKEN =
	/\bE40[13]\b|\bENEEDAUTH\b|\bYN0041\b|ERR_PNPM_FETCH_40[13]|(?:registry|npmrc).{0,80}40[13] (?:Unauthorized|Forbidden)/i;

/** Returns advice if isolated code printed a refusal, else an empty string; begins with a semicolon. */
export function explainRefused(output: string, what: 'build' | 'server'): string {
	return what === 'build' ? explainBuild(output) : explainServer(output);
}

function explainBuild(output: string): string {
	const trusting = 'set "prepare-as: runner" if you trust the authors of pull requests';
	if (NEEDS_ROOT.test(output)) {
		return `; it ran as a user of its own, which can use neither sudo nor docker: do that in a step before benchgate, or ${trusting}`;
	}
	if (NEEDS_TOKEN.test(output)) {
		return `; it ran as a user of its own, which gets the addresses of registries but no tokens: ${trusting}`;
	}
	if (!REFUSED.test(output)) return '';
	return `; it ran as a user of its own, which can write only to its checkout, HOME and TMPDIR: let it write there, or ${trusting}`;
}

function explainServer(output: string): string {
	if (!REFUSED.test(output)) return '';
	return '; it ran as a user of its own, which can write only to HOME, TMPDIR and ${data}: name the folders that it has to write to under "writable:" of the server, or set "isolation: none" if you trust the authors of pull requests';
}
