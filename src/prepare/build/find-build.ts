/** Finds scripts that build a package. */
import { relative } from 'node:path';
import { shellWord } from '../../text/escape.ts';
import { walkFolder } from '../content/list-files.ts';
import { type Manifest, readManifest } from '../package/manifest.ts';
import { findInstallRoot, findPackageManager, foldersUpTo } from '../package/package-manager.ts';
import { orderForBuild } from '../package/siblings.ts';
import type { Session } from '../prepare-context.ts';
import { type Checkout, runStep } from '../revision/checkout.ts';
import { findMissing, type NamedFile } from './named-files.ts';

const BUILD = 'build';
/** Script names other than `build` that may build. */
const LIKELY = /^(?:compile|bundle|dist|tsc|transpile|make|rollup|tsup|prepublishOnly|build[:._-].+|.+:build)$/;

/** A package and its dependencies, or the whole repository. */
export type Stage = readonly string[];

/**
 * Returns the folders whose build script may create missing files, in two stages: first the packages, each after its
 * dependencies that lack files too; then the nearest enclosing folder.
 */
export async function findBuilds(checkout: Checkout, lacking: readonly string[]): Promise<Stage[]> {
	const buildFolders: string[] = [];
	for (const folder of await orderForBuild(checkout.folder, lacking)) {
		const manifest = await readManifest(folder, folder);
		if (manifest === null || !hasBuild(manifest)) continue;
		if (lacking.includes(folder) || (await findUnbuilt(folder, manifest)).length > 0) buildFolders.push(folder);
	}
	const around = foldersUpTo(lacking[0] ?? checkout.folder, checkout.folder).slice(1);
	const whole: string[] = [];
	for (const folder of around) if (hasBuild(await readManifest(folder, folder))) whole.push(folder);
	return [buildFolders, ...whole.slice(0, 1).map((folder) => [folder])].filter((stage) => stage.length > 0);
}

/** Returns the commands as a user types them at the top. */
export async function runBuilds(session: Session, checkout: Checkout, stage: Stage): Promise<string[]> {
	const typed: string[] = [];
	for (const folder of stage) {
		const { argv, spoken } = await findPackageManager(session, checkout.folder, folder);
		const command = `${spoken} run ${BUILD}`;
		await runStep(session, checkout, { argv: [...argv, 'run', BUILD], spoken: command, folder });
		const inside = relative(checkout.folder, folder);
		typed.push(inside === '' ? command : `cd ${shellWord(inside)} && ${command}`);
	}
	return typed.length > 1 ? typed.map((command) => (command.startsWith('cd ') ? `(${command})` : command)) : typed;
}

/** Returns a line of the config with a script that is likely to build the package; null if none. */
export async function suggestPrepare(session: Session, checkout: Checkout, folder: string): Promise<string | null> {
	const root = await findInstallRoot(session, checkout.folder, folder);
	const { spoken } = root?.manager ?? (await findPackageManager(session, checkout.folder, folder));
	const install = [spoken, ...(root?.args ?? ['install'])].join(' ');
	for (const at of foldersUpTo(folder, checkout.folder)) {
		const names = Object.keys((await readManifest(at, at))?.scripts ?? {});
		const script = names.find((name) => name === BUILD) ?? names.find((name) => LIKELY.test(name));
		if (script === undefined) continue;
		const inside = relative(checkout.folder, at);
		const go = inside === '' ? '' : `cd ${shellWord(inside)} && `;
		return `prepare: ${install} && ${go}${spoken} run ${shellWord(script)}`;
	}
	return null;
}

/** Returns missing files that Node would load. */
export async function findUnbuilt(folder: string, manifest: Manifest): Promise<NamedFile[]> {
	return findMissing(manifest, new Set(await walkFolder(folder))).filter(({ loaded }) => loaded);
}

function hasBuild(manifest: Manifest | null): boolean {
	return typeof manifest?.scripts?.[BUILD] === 'string';
}

/** Whether the checkout has the file: then only packing left it out. */
export async function isInCheckout(folder: string, path: string): Promise<boolean> {
	return findMissing({ exports: `./${path}` }, new Set(await walkFolder(folder))).length === 0;
}
