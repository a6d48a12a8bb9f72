import type { TestContext } from 'node:test';
import { loadSideConfig, type SideConfig } from '../../../src/action/config/config-source.ts';
import { parseInputs } from '../../../src/action/request/inputs.ts';
import { planCells } from '../../../src/plan/plan-cells.ts';
import { presenceOf, sharedServers } from '../../../src/runs/present-servers.ts';
import type { BenchCommand } from '../../../src/types/action-run.ts';
import type { Prepared } from '../../../src/types/prepared.ts';
import { commit, type Files, git, makeFolder, writeFiles } from '../../prepare/support.ts';
import { openAccess } from '../commits/git-remotes.ts';

export interface Given {
	readonly inputs?: Readonly<Record<string, string>>;
	readonly command?: BenchCommand;
	/** Typed revisions in place of the commits. */
	readonly base?: string;
	readonly head?: string;
	/** Later commits of the base branch; absent for none. */
	readonly tip?: Files;
	/** A run without a target branch, such as a push: base's own config applies. */
	readonly push?: boolean;
	/** Uncommitted files of the workspace. */
	readonly workspace?: Files;
}

/** The load of a run, with the commits it was read from. */
export interface Loaded extends SideConfig {
	readonly shas: { readonly base: string; readonly tip: string; readonly head: string };
	/** First seven digits of two commits: the one whose config is base's, and head. */
	readonly base: string;
	readonly head: string;
}

/** A deleted file. */
export const GONE = null;

/** A commit on top of the current one; deletes files that are GONE. */
function change(folder: string, tag: string, files: Files): string {
	for (const [path, text] of Object.entries(files)) if (text === GONE) git(folder, 'rm', '--quiet', path);
	return commit(folder, tag, Object.fromEntries(Object.entries(files).filter(([, text]) => text !== GONE)));
}

/**
 * Returns the config that the action loads for a pull request: `base` is the commit where it branched off, `head` its
 * changes. The checkout is at another commit, because the config must come from commits.
 */
export async function load(t: TestContext, base: Files, head: Files, given: Given = {}): Promise<Loaded> {
	const folder = makeFolder(t);
	const start = commit(folder, 'base', { 'package.json': { name: 'express' }, ...base });
	const tip = given.tip === undefined ? start : change(folder, 'tip', given.tip);
	git(folder, 'checkout', '--quiet', '--detach', start);
	const shas = { base: start, tip, head: change(folder, 'head', head) };
	git(folder, 'checkout', '--quiet', '--orphan', 'elsewhere');
	git(folder, 'rm', '--quiet', '-r', '-f', '--ignore-unmatch', '.');
	writeFiles(folder, { 'package.json': { name: 'express' }, ...given.workspace });
	const loaded = await loadSideConfig({
		access: await openAccess(folder),
		inputs: parseInputs(given.inputs ?? {}),
		command: given.command ?? null,
		revisions: { base: given.base ?? `git:${shas.base}`, head: given.head ?? `git:${shas.head}` },
		baseTip: given.push ? null : shas.tip,
	});
	return { ...loaded, shas, base: shas.tip.slice(0, 7), head: shas.head.slice(0, 7) };
}

/** Returns the rows of a run in which each side can serve every prepared server except those in `lacking`. */
export function rowsOf(loaded: SideConfig, lacking: { readonly base?: string[]; readonly head?: string[] } = {}) {
	const shared = sharedServers(loaded);
	const served = (gone: readonly string[] = []) =>
		Object.fromEntries(shared.filter(({ name }) => !gone.includes(name)).map(({ name }) => [name, {}]));
	const sides = { base: { servers: served(lacking.base) }, head: { servers: served(lacking.head) } };
	const planned = planCells(loaded.config, presenceOf(loaded, { sides } as unknown as Prepared));
	return {
		measured: planned.cells.filter((cell) => !planned.unserved.includes(cell)).map(({ id }) => id),
		newer: planned.cells.filter(({ newerThanBase }) => newerThanBase).map(({ id }) => id),
		unserved: planned.unserved.map(({ id }) => id),
		oneSided: planned.oneSided.map(({ id, verdict }) => `${id} ${verdict}`),
	};
}

export const yml = (text: string): Files => ({ 'benchgate.yml': text });
export const names = (items: readonly { readonly name: string }[] | undefined) => items?.map(({ name }) => name);
export const codes = ({ warnings }: SideConfig) => warnings.map(({ code }) => code);
export const messages = ({ warnings }: SideConfig) => warnings.map(({ message }) => message).join('\n');
export const scenario = (name: string, path = `/${name}`) =>
	`  - { name: ${name}, request: { path: ${path} }, expect: { status: 200 } }\n`;
export const API = 'servers:\n  - { name: api, command: node server.js }\n';
