/** Files that no program runs. */
import { posix } from 'node:path';

const PROSE = 'md|markdown|rst|adoc|txt';
/** A name without extension must be in capitals (`CAPITALS`), as programs never are. */
const DOCUMENT = new RegExp(
	`(?:^|/)(?:(?:readme|changelog|changes|history|contributing|code[-_]of[-_]conduct|security|support|governance|maintainers|authors|contributors|notice|copying|licen[cs]e)(?:[-_][\\w-]+)?\\.(?:${PROSE})|(?:README|CHANGELOG|CHANGES|AUTHORS|CONTRIBUTORS|NOTICE|COPYING|LICEN[CS]E))$`,
	'i',
);
/** `security-requirements.txt` is for pip, not about security. */
const FOR_PIP = /(?:requirements?|constraints?)[^/]*\.txt$/i;
const CAPITALS = /(?:^|\/)[A-Z]+$/;
const IN_DOCS = new RegExp(`^docs?/.*\\.(?:${PROSE}|png|jpe?g|gif|svg|webp)$`, 'i');
const CONFIG = /^benchgate\.ya?ml$/;
/** Excludes scripts below `.github`, because anything may use them. */
const FOR_GITHUB = /^\.github\/(?:.*\.(?:ya?ml|md)|CODEOWNERS)$/i;
/** Excludes `.txt`: requirements.txt and CMakeLists.txt control builds. */
const HARMLESS = /(?:^|\/)CODEOWNERS$|\.(?:md|rst|adoc|png|jpe?g|gif|svg|webp)$/i;
/** Top folders without code, unless a server or the subject is there. */
const IDLE_FOLDERS = ['.github', 'doc', 'docs'];

/**
 * Whether a file is a document: a README, LICENSE or the like, or text and pictures in a top folder `docs`. Servers may
 * render other Markdown.
 */
export function isDocument(path: string): boolean {
	if (FOR_PIP.test(path)) return false;
	if (!DOCUMENT.test(path)) return IN_DOCS.test(path);
	return path.includes('.', path.lastIndexOf('/') + 1) || CAPITALS.test(path);
}

/** Counts documents, and extensions that programs rarely have. */
export function isProse(path: string): boolean {
	return HARMLESS.test(path) || isDocument(path);
}

/** Whether a file cannot change a server. In `.github` and `docs`, every file may if one of `folders` is there. */
export function isInert(path: string, folders: readonly string[]): boolean {
	const [top = '', ...below] = path.split('/');
	const idle = IDLE_FOLDERS.includes(top.toLowerCase());
	const used = folders.some((folder) => posix.normalize(folder).split('/')[0]?.toLowerCase() === top.toLowerCase());
	if (idle && used) return false;
	if (below.length > 0 && /\.txt$/i.test(path) && !IN_DOCS.test(path)) return false;
	return CONFIG.test(path) || FOR_GITHUB.test(path) || isDocument(path);
}
