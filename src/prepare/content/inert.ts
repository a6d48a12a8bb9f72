/** Files that no program runs. */
import { posix } from 'node:path';

const PROSE = 'md|markdown|rst|adoc|txt';
/** Without an extension only in capitals, as a program never is. */
const DOCUMENT = new RegExp(
	`(?:^|/)(?:(?:readme|changelog|changes|history|contributing|code[-_]of[-_]conduct|security|support|governance|maintainers|authors|contributors|notice|copying|licen[cs]e)(?:[-_][\\w-]+)?\\.(?:${PROSE})|(?:README|CHANGELOG|CHANGES|AUTHORS|CONTRIBUTORS|NOTICE|COPYING|LICEN[CS]E))$`,
	'i',
);
/** `security-requirements.txt` is for pip, not about security. */
const FOR_PIP = /(?:requirements?|constraints?)[^/]*\.txt$/i;
const CAPITALS = /(?:^|\/)[A-Z]+$/;
const IN_DOCS = new RegExp(`^docs?/.*\\.(?:${PROSE}|png|jpe?g|gif|svg|webp)$`, 'i');
const CONFIG = /^benchgate\.ya?ml$/;
/** A script beside them may be used anywhere. */
const FOR_GITHUB = /^\.github\/(?:.*\.(?:ya?ml|md)|CODEOWNERS)$/i;
/** Excludes `.txt`: requirements.txt and CMakeLists.txt control builds. */
const HARMLESS = /(?:^|\/)CODEOWNERS$|\.(?:md|rst|adoc|png|jpe?g|gif|svg|webp)$/i;
/** Unless a server starts there. */
const IDLE_FOLDERS = ['.github', 'doc', 'docs'];

/**
 * Returns whether a file is a document: README, LICENSE and the like, or text and pictures in a top folder `docs`.
 * Servers may render other Markdown, and other text may list packages for pip.
 */
export function isDocument(path: string): boolean {
	if (FOR_PIP.test(path)) return false;
	if (!DOCUMENT.test(path)) return IN_DOCS.test(path);
	return path.includes('.', path.lastIndexOf('/') + 1) || CAPITALS.test(path);
}

/** Returns whether a file is a document or has an extension rare for programs. */
export function isProse(path: string): boolean {
	return HARMLESS.test(path) || isDocument(path);
}

/**
 * Returns whether a file cannot change a server: documents, GitHub's workflows and templates, and `benchgate.yml`,
 * whose meaning is compared separately. Every file may matter in the top folders of `folders` (subject, servers); so
 * may other texts.
 */
export function isInert(path: string, folders: readonly string[]): boolean {
	const [top = '', ...below] = path.split('/');
	const idle = IDLE_FOLDERS.includes(top.toLowerCase());
	const used = folders.some((folder) => posix.normalize(folder).split('/')[0]?.toLowerCase() === top.toLowerCase());
	if (idle && used) return false;
	if (below.length > 0 && /\.txt$/i.test(path) && !IN_DOCS.test(path)) return false;
	return CONFIG.test(path) || FOR_GITHUB.test(path) || isDocument(path);
}
