/** What programs say of a file they may not write, enter or execute, in words of the C library or its own likeness. */
const REFUSED = /\bEACCES\b|\bEROFS\b|\bEPERM\b|permission denied|read-only file system|operation not permitted/i;

/**
 * Returns what to do about code that ran as somebody else and printed that it was refused something; empty when it printed
 * nothing of the kind. Begins with a semicolon.
 */
export function explainRefused(output: string, what: 'build' | 'server'): string {
	if (!REFUSED.test(output)) return '';
	const may = what === 'build' ? 'its checkout, HOME and TMPDIR' : 'HOME and TMPDIR';
	return `; it ran as a user of its own, which can write only ${may}: let it write there, or set "isolation: none" if you trust the authors of pull requests`;
}
