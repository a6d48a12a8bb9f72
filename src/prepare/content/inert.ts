/** Which files of a repository no program runs: documents, pictures, workflows. */
import { posix } from 'node:path';

const PROSE = 'md|markdown|rst|adoc|txt';
/** What every repository has one of, by the names everybody uses; without an ending only in capitals, as a program never is. */
const DOCUMENT = new RegExp(
	`(?:^|/)(?:(?:readme|changelog|changes|history|contributing|code[-_]of[-_]conduct|security|support|governance|maintainers|authors|contributors|notice|copying|licen[cs]e)(?:[-_][\\w-]+)?\\.(?:${PROSE})|(?:README|CHANGELOG|CHANGES|AUTHORS|CONTRIBUTORS|NOTICE|COPYING|LICEN[CS]E))$`,
	'i',
);
/** What pip installs: `security-requirements.txt` is no document about security. */
const FOR_PIP = /(?:requirements?|constraints?)[^/]*\.txt$/i;
const CAPITALS = /(?:^|\/)[A-Z]+$/;
const IN_DOCS = new RegExp(`^docs?/.*\\.(?:${PROSE}|png|jpe?g|gif|svg|webp)$`, 'i');
const CONFIG = /^benchgate\.ya?ml$/;
/** What GitHub reads: workflows, templates, owners. A script beside them may be anybody's. */
const FOR_GITHUB = /^\.github\/(?:.*\.(?:ya?ml|md)|CODEOWNERS)$/i;
/** Files that can hardly be code, at any path. Excludes `.txt`: requirements.txt and CMakeLists.txt control builds. */
const HARMLESS = /(?:^|\/)CODEOWNERS$|\.(?:md|rst|adoc|png|jpe?g|gif|svg|webp)$/i;
/** Top folders whose files do nothing, unless something is started from there. */
const IDLE_FOLDERS = ['.github', 'doc', 'docs'];

/**
 * Returns whether a file is a document nobody runs: README, CHANGELOG, LICENSE and their like, and texts and pictures in a
 * top folder `docs`. Everything else may be code: other Markdown, which servers render, and texts that name what pip installs.
 */
export function isDocument(path: string): boolean {
	if (FOR_PIP.test(path)) return false;
	if (!DOCUMENT.test(path)) return IN_DOCS.test(path);
	return path.includes('.', path.lastIndexOf('/') + 1) || CAPITALS.test(path);
}

/** Returns whether a file is prose or a picture: a document, or a file with an extension that programs rarely have. */
export function isProse(path: string): boolean {
	return HARMLESS.test(path) || isDocument(path);
}

/**
 * Returns whether a file of a checkout cannot change what a server in it does: documents; workflows and templates in
 * `.github/`; and `benchgate.yml`, whose meaning is compared on its own, so that a comment in it changes nothing. Of a top
 * folder that holds one of `folders`, which servers and subject lie in, everything may matter; so may a text that is no document of
 * the repository as a whole.
 */
export function isInert(path: string, folders: readonly string[]): boolean {
	const [top = '', ...below] = path.split('/');
	const idle = IDLE_FOLDERS.includes(top.toLowerCase());
	const used = folders.some((folder) => posix.normalize(folder).split('/')[0]?.toLowerCase() === top.toLowerCase());
	if (idle && used) return false;
	if (below.length > 0 && /\.txt$/i.test(path) && !IN_DOCS.test(path)) return false;
	return CONFIG.test(path) || FOR_GITHUB.test(path) || isDocument(path);
}
