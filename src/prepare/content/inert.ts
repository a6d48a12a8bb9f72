const PROSE = 'md|markdown|rst|adoc|txt';
/** What every repository has one of, by the names everybody uses; without an ending only in capitals, as a program never is. */
const DOCUMENT = new RegExp(
	`(?:^|/)(?:(?:readme|changelog|changes|history|contributing|code[-_]of[-_]conduct|security|support|governance|maintainers|authors|contributors|notice|copying|licen[cs]e)(?:[-_][\\w-]+)?\\.(?:${PROSE})|(?:README|CHANGELOG|CHANGES|AUTHORS|CONTRIBUTORS|NOTICE|COPYING|LICEN[CS]E))$`,
	'i',
);
const CAPITALS = /(?:^|\/)[A-Z]+$/;
const IN_DOCS = new RegExp(`^docs?/.*\\.(?:${PROSE}|png|jpe?g|gif|svg|webp)$`, 'i');
const CONFIG = /(?:^|\/)benchgate\.ya?ml$/;

/**
 * Returns whether a file is a document nobody runs: README, CHANGELOG, LICENSE and their like, and texts and pictures in a
 * top folder `docs`. Everything else may be code, other Markdown included: there are servers that render it.
 */
export function isDocument(path: string): boolean {
	if (!DOCUMENT.test(path)) return IN_DOCS.test(path);
	return path.includes('.', path.lastIndexOf('/') + 1) || CAPITALS.test(path);
}

/**
 * Returns whether a file of a checkout cannot change what a server in it does: documents; `.github/`, which holds workflows
 * and templates that no server is started from; and `benchgate.yml`, whose meaning is compared on its own, so that a
 * comment in it changes nothing.
 */
export function isInert(path: string): boolean {
	return path.startsWith('.github/') || CONFIG.test(path) || isDocument(path);
}
