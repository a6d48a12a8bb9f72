/** What servers read, and whether any of it is among changed files. */
import { posix } from 'node:path';
import { isWithin, plainFolder } from '../../config/file/check-harness.ts';
import type { Config, ServerSpec } from '../../types/config.ts';
import { asksForOne, type RuntimeWishes } from '../../types/runtime.ts';
import { isInert } from './inert.ts';

/** Below a top folder whose name begins with a dot, such as `.yarn`; texts there, such as those of changesets, install nothing. */
const HIDDEN = /^\.[^/]+\/.*(?<!\.md)$/i;

/** Top folders by the names everybody uses for what installs and builds all packages of a repository. */
const COMMON = /^(?:scripts?|tools?|tooling|build|configs?|patches|vendor)\//i;

/** What of a config says which server reads what. */
export type ReadingConfig = Pick<Config, 'servers' | 'subject' | 'reads' | 'harness'> & RuntimeWishes;

/**
 * Files that decide what is installed and built, wherever they lie: an install script or a version of one package reaches all others
 * of a workspace.
 */
const MANIFESTS = new RegExp(
	`^(?:${[
		'package\\.json|package-lock\\.json|npm-shrinkwrap\\.json|yarn\\.lock|pnpm-(?:lock|workspace)\\.ya?ml|bun\\.lockb?',
		'deno\\.(?:jsonc?|lock)|\\.npmrc|\\.yarnrc(?:\\.yml)?|\\.pnpmfile\\.c?js|\\.pnp\\.\\w+|\\.gitmodules|\\.gitattributes',
		'go\\.(?:mod|sum|work)|go\\.work\\.sum|Cargo\\.(?:toml|lock)|pyproject\\.toml|(?:poetry|uv)\\.lock|Pipfile(?:\\.lock)?',
		'.*\\.patch|requirements[\\w.-]*\\.txt|Gemfile(?:\\.lock)?|composer\\.(?:json|lock)|pom\\.xml|build\\.gradle(?:\\.kts)?',
	].join('|')})$`,
);

/** Returns whether a config says of any server what it reads. */
export function saysReads({ servers, reads }: Pick<Config, 'servers' | 'reads'>): boolean {
	return reads !== undefined || servers.some((server) => server.kind === 'custom' && server.reads !== undefined);
}

/**
 * Returns the folders and files that the rows of a server depend on by the word of the config, plain and relative to the top of the
 * repository: what it is said to read, the folder it starts in, and the subject where that is installed into it. Null for a
 * server that may read everything.
 */
export function readsOf(server: ServerSpec, config: ReadingConfig): readonly string[] | null {
	const own = server.kind === 'custom' ? server.reads : undefined;
	const said = own ?? config.reads;
	if (said === undefined) return null;
	const cwd = server.kind === 'custom' ? plainFolder(server.cwd) : '.';
	const installed = own === undefined || mayBeApart(server, config);
	const paths = [...said, cwd, ...(installed ? [plainFolder(config.subject)] : [])];
	return said.includes('.') ? null : [...new Set(paths)].filter((path) => path !== '.');
}

/**
 * Returns whether a server may run outside of the checkout, in a folder of its own that the packed subject is installed into: a
 * built-in one, and one of the harness.
 */
export function mayBeApart(server: ServerSpec, { harness = [] }: Pick<Config, 'harness'>): boolean {
	return server.kind === 'built-in' || harness.some((folder) => isWithin(plainFolder(server.cwd), folder));
}

/**
 * Returns the names of the servers whose rows cannot depend on any of these paths, which differ between two revisions, in the order
 * of the config. Besides what a server reads these count: files in the folders around that, top folders that everybody calls so for
 * builds or whose names begin with a dot (except for texts in these), and whatever decides what is installed. None where the sides
 * run on two runtimes. The run that measures and the job that reports ask the same, so that nobody has to believe the other.
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
	return around || HIDDEN.test(path) || COMMON.test(path) || MANIFESTS.test(posix.basename(path));
}
