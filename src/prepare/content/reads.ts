/** Files that no program runs, and those that servers read. */
import { posix } from 'node:path';
import { isWithin, plainFolder } from '../../config/file/check-harness.ts';
import type { Config, ServerSpec } from '../../types/config.ts';
import { asksForOne, type RuntimeWishes } from '../../types/runtime.ts';

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

/** Files in hidden folders, such as `.yarn`. Markdown there (changesets) installs nothing. */
const HIDDEN = /^\.[^/]+\/.*(?<!\.md)$/i;

/** Conventional folders for tools and builds of a repository. */
const COMMON = /^(?:scripts?|tools?|tooling|build|configs?|patches|vendor)\//i;

export function decidesInstall(path: string): boolean {
	return MANIFESTS.test(posix.basename(path));
}

export type ReadingConfig = Pick<Config, 'servers' | 'subject' | 'reads' | 'harness'> & RuntimeWishes;

/**
 * These files control installs in whatever folder they are: one package's script or version affects the whole
 * workspace.
 */
const MANIFESTS = new RegExp(
	`^(?:${[
		'package\\.json|package-lock\\.json|npm-shrinkwrap\\.json|yarn\\.lock|pnpm-(?:lock|workspace)\\.ya?ml|bun\\.lockb?',
		'deno\\.(?:jsonc?|lock)|\\.npmrc|\\.yarnrc(?:\\.yml)?|\\.pnpmfile\\.c?js|\\.pnp\\.\\w+|\\.gitmodules|\\.gitattributes',
		'go\\.(?:mod|sum|work)|go\\.work\\.sum|Cargo\\.(?:toml|lock)|pyproject\\.toml|(?:poetry|uv)\\.lock|Pipfile(?:\\.lock)?',
		'.*\\.patch|requirements[\\w.-]*\\.txt|Gemfile(?:\\.lock)?|composer\\.(?:json|lock)|pom\\.xml|build\\.gradle(?:\\.kts)?',
	].join('|')})$`,
);

export function saysReads({ servers, reads }: Pick<Config, 'servers' | 'reads'>): boolean {
	return reads !== undefined || servers.some((server) => server.kind === 'custom' && server.reads !== undefined);
}

/**
 * Returns the paths on which, according to the config, a server's rows depend: its `reads`, its `cwd`, and the subject
 * if it is installed into the server. Returns null if the server may read everything.
 */
export function readsOf(server: ServerSpec, config: ReadingConfig): readonly string[] | null {
	const ownReads = server.kind === 'custom' ? server.reads : undefined;
	const reads = ownReads ?? config.reads;
	if (reads === undefined) return null;
	const cwd = server.kind === 'custom' ? plainFolder(server.cwd) : '.';
	const installed = ownReads === undefined || mayBeApart(server, config);
	const paths = [...reads, cwd, ...(installed ? [plainFolder(config.subject)] : [])];
	return reads.includes('.') ? null : [...new Set(paths)].filter((path) => path !== '.');
}

/** Whether a server may run outside the checkout, with the packed subject installed. */
export function mayBeApart(server: ServerSpec, { harness = [] }: Pick<Config, 'harness'>): boolean {
	return server.kind === 'built-in' || harness.some((folder) => isWithin(plainFolder(server.cwd), folder));
}

/**
 * Returns the servers, in config order, whose rows cannot depend on the changed paths: `reads`, enclosing folders,
 * `COMMON`, `HIDDEN` and `MANIFESTS`. The reporting job calls this too.
 */
export function untouchedServers(config: ReadingConfig, changed: readonly string[]): readonly string[] {
	if (!asksForOne(config)) return [];
	return config.servers.flatMap((server) => {
		const paths = readsOf(server, config);
		return paths === null || changed.some((path) => matters(path, paths)) ? [] : [server.name];
	});
}

function matters(path: string, reads: readonly string[]): boolean {
	if (isInert(path, reads)) return false;
	if (reads.some((one) => isWithin(path, one))) return true;
	const folder = posix.dirname(path);
	const around = folder === '.' || reads.some((one) => isWithin(one, folder));
	return around || HIDDEN.test(path) || COMMON.test(path) || decidesInstall(path);
}
