/** Finds the scripts that would build a package. */
import { relative } from 'node:path';
import { shellWord } from '../../text/shell-word.ts';
import { walkFolder } from '../content/list-files.ts';
import { type Manifest, readManifest } from '../package/manifest.ts';
import { findInstallRoot, findPackageManager, foldersUpTo } from '../package/package-manager.ts';
import { orderForBuild } from '../package/siblings.ts';
import type { Session } from '../prepare-context.ts';
import { type Checkout, runStep } from '../revision/checkout.ts';
import { findMissing, type NamedFile } from './named-files.ts';

/** The script that builds a package, by the name nearly all give it. */
const BUILD = 'build';
/** Names of scripts that may build, for those who gave it another. */
const LIKELY = /^(?:compile|bundle|dist|tsc|transpile|make|rollup|tsup|prepublishOnly|build[:._-].+|.+:build)$/;

/** Builds that belong together: the package and what it needs, or the whole repository. */
export type Stage = readonly string[];

/**
 * Returns the folders whose build script may make what packages lack, in the order to try them: first the packages
 * themselves, each after the packages of the checkout that it needs and that lack files, too; then the folder around them,
 * which builds the whole repository. Empty when nothing has a build script.
 */
export async function findBuilds(checkout: Checkout, lacking: readonly string[]): Promise<Stage[]> {
	const own: string[] = [];
	for (const folder of await orderForBuild(checkout.folder, lacking)) {
		const manifest = await readManifest(folder, folder);
		if (manifest === null || !hasBuild(manifest)) continue;
		if (lacking.includes(folder) || (await findUnbuilt(folder, manifest)).length > 0) own.push(folder);
	}
	const around = foldersUpTo(lacking[0] ?? checkout.folder, checkout.folder).slice(1);
	const whole: string[] = [];
	for (const folder of around) if (hasBuild(await readManifest(folder, folder))) whole.push(folder);
	return [own, ...whole.slice(0, 1).map((folder) => [folder])].filter((stage) => stage.length > 0);
}

/** Runs the build script of each folder. Throws as `runStep` does. Returns the commands as one would type them at the top. */
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

/** Returns the line of benchgate.yml that would build a package, with the script that most likely does. */
export async function suggestPrepare(session: Session, checkout: Checkout, folder: string): Promise<string> {
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
	return `prepare: ${install} && YOUR BUILD COMMAND`;
}

/** Returns the files that Node loads by the package.json of a folder of a checkout, and that the folder lacks. */
export async function findUnbuilt(folder: string, manifest: Manifest): Promise<NamedFile[]> {
	return findMissing(manifest, new Set(await walkFolder(folder))).filter(({ loaded }) => loaded);
}

function hasBuild(manifest: Manifest | null): boolean {
	return typeof manifest?.scripts?.[BUILD] === 'string';
}

/** Returns whether the checkout has a file of a package, so that packing left it out. */
export async function isInCheckout(folder: string, path: string): Promise<boolean> {
	return findMissing({ exports: `./${path}` }, new Set(await walkFolder(folder))).length === 0;
}
