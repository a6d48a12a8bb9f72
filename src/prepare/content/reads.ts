/** Compares changed files with those that servers read. */
import { posix } from 'node:path';
import { isWithin, plainFolder } from '../../config/file/check-harness.ts';
import type { Config, ServerSpec } from '../../types/config.ts';
import { asksForOne, type RuntimeWishes } from '../../types/runtime.ts';
import { isInert } from './inert.ts';

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
