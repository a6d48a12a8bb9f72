/** Installs a built-in server with the packages under test. */
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CatalogueServer, hasPackage } from '../config/catalogue.ts';
import { packageFlags } from '../config/server-needs.ts';
import { shellWord } from '../text/shell-word.ts';
import { EXIT, isUserError, UserError } from '../types/errors.ts';
import type { PreparedServer } from '../types/prepared.ts';
import { runForeign } from './build/foreign-step.ts';
import {
	type BuiltinFolder,
	copyServer,
	type Replacement,
	refuseUnsupported,
	replacePackages,
	startCommand,
} from './builtin-servers.ts';
import { type Entry, keyOf, useEntry } from './cache.ts';
import { readPlainText } from './content/plain-file.ts';
import { readInstalledVersions, type Versions } from './package/installed-versions.ts';
import type { Manifest } from './package/manifest.ts';
import { type PackedSubject, type PlacedPackage, packagesOf } from './package/packed.ts';
import { nameOrigin, type Origin, type Session } from './prepare-context.ts';

/** How npm names a package that there is not, in its releases and for what a registry answers. */
const SAYINGS = [
	/'(@?[^@'\s]+)@[^']*' is not in/,
	/requested resource '(@?[^@'\s]+)(?:@[^']*)?' could not be found/,
	/No matching version found for (@?[^@\s]+)@/,
];

/** The lockfile has to count whatever the user's npm settings say; the rest of them (registry, proxy) stay in force. */
export const INSTALL = ['install', '--no-audit', '--no-fund', '--package-lock=true'];

/** What a workspace is made from, besides the subject. */
export interface WorkspaceSource {
	/** What is installed, for messages: `server express`. */
	readonly what: string;
	/** Decides the content of the files. */
	readonly key: Readonly<Record<string, unknown>>;
	/** Where the package is, relative to the workspace: what it shares with others lies beside it. */
	readonly folder: string;
	readonly manifest: Manifest;
	/** Names of all packages its lockfile installs. */
	readonly installed: ReadonlySet<string>;
	readonly install: readonly string[];
	/** Argument vector that makes a program of what is installed; absent when there is nothing to make. */
	readonly build?: readonly string[];
	/** Packages that take the place of released ones besides the subject's. */
	readonly overrides?: readonly PlacedPackage[];
	/** Writes the files into the empty workspace. */
	readonly write: (workspace: string) => Promise<void>;
}

/** An installed workspace, shared by sides whose subjects pack to the same. */
export interface Workspace {
	/** Absolute folder of everything a server in it runs from. */
	readonly folder: string;
	readonly versions: Versions;
	/** Packages installed now; 0 when it was in the cache. */
	readonly installs: number;
}

/**
 * Returns a built-in server installed with its pinned dependencies and the side's subject (null: as released), and the
 * folder it runs from with what servers share, and the number of packages installed, 0 when it was in the cache.
 */
export async function prepareWorkspace(
	session: Session,
	origin: Origin,
	server: BuiltinFolder,
	packed: PackedSubject | null,
	overrides: readonly PlacedPackage[] = [],
): Promise<{ readonly prepared: PreparedServer; readonly folder: string; readonly installs: number }> {
	refuseUnsupported(session, server);
	const { build } = server.manifest.scripts ?? {};
	const source: WorkspaceSource = {
		what: `server ${server.name}`,
		key: { server: server.name, files: server.digest },
		// A small copy of `servers/`: the server beside what it shares with others.
		folder: server.name,
		manifest: server.manifest,
		installed: server.installed,
		install: [...INSTALL, '--omit=dev'],
		...(build !== undefined && { build: build.split(' ') }),
		overrides: overrides.filter(({ name }) => hasPackage(server, name)),
		write: (workspace) => copyServer(server, workspace),
	};
	const { folder, versions, installs } = await makeWorkspace(session, origin, source, packed).catch((error) => {
		throw explainUnserved(server, error);
	});
	const cwd = join(folder, source.folder);
	const run = { argv: startCommand(server.manifest, { node: session.program ?? session.node, folder: cwd }) };
	return { prepared: { name: server.name, cwd, run, env: {}, versions }, folder, installs };
}

/** Returns a workspace with the side's subject in place of the released package (null: as released), from the cache when there. */
export async function makeWorkspace(
	session: Session,
	origin: Origin,
	source: WorkspaceSource,
	packed: PackedSubject | null,
): Promise<Workspace> {
	const packages = [...packagesOf(packed), ...renameOverrides(source)];
	const key = keyOf({
		...source.key,
		packages: packages.map(({ name, digest }) => [name, digest]),
		platform: session.platform,
	});
	const { entry, note, built } = await useEntry(session, 'workspaces', key, async (made) => {
		await source.write(made.folder);
		const folder = join(made.folder, source.folder);
		if (packages.length > 0) await addPackages(folder, source.manifest, packages);
		if (packages.length > 0 || source.installed.size > 0 || source.manifest.dependencies !== undefined) {
			const npm = session.npm ?? 'npm';
			const argv = [npm, ...source.install];
			const repeat = `npm ${source.install.join(' ')}`;
			await runIn(session, { origin, source, entry: made, doing: 'installing', what: 'npm install', argv, repeat });
		}
		if (source.build !== undefined) {
			const repeat = source.build.join(' ');
			await runIn(session, {
				origin,
				source,
				entry: made,
				doing: 'building',
				what: repeat,
				argv: source.build,
				repeat,
			});
		}
		if (packages.length > 0) await checkInstalled(folder, packages);
		return { versions: await readInstalledVersions(folder) };
	});
	const { versions }: { versions: Versions } = note;
	return { folder: entry.folder, versions, installs: built ? Object.keys(versions).length : 0 };
}

/** Those of the subject have names of their own. */
function renameOverrides({ overrides = [] }: WorkspaceSource): (PlacedPackage & { readonly from: string })[] {
	return overrides.map((each, index) => ({ ...each, from: each.file, file: `override-${index + 1}.tgz` }));
}

async function addPackages(
	folder: string,
	manifest: Manifest,
	packages: readonly (PlacedPackage & { readonly from?: string })[],
): Promise<void> {
	for (const { folder: at, file, from = file } of packages) await copyFile(join(at, from), join(folder, file));
	await writeFile(join(folder, 'package.json'), writeManifest(manifest, packages));
}

/** Returns the text of a server's package.json with these packages in it. */
export function writeManifest(manifest: Manifest, packages: readonly Replacement[]): string {
	return `${JSON.stringify(replacePackages(manifest, packages), null, '\t')}\n`;
}

interface WorkspaceStep {
	readonly origin: Origin;
	readonly source: WorkspaceSource;
	readonly entry: Entry;
	/** What is done, for the progress: `installing`. */
	readonly doing: string;
	/** The same in words of the user's: `npm install`. */
	readonly what: string;
	readonly argv: readonly string[];
	/** Shell command that repeats it in the folder. */
	readonly repeat: string;
}

async function runIn(session: Session, step: WorkspaceStep): Promise<void> {
	const { origin, source, entry, doing, what, argv, repeat } = step;
	session.progress.step(`${nameOrigin(origin)}: ${doing} ${source.what}`);
	const folder = join(entry.folder, source.folder);
	await runForeign(session, {
		origin,
		what: `${what} of ${source.what}`,
		argv,
		folder,
		log: entry.log,
		writes: [entry.folder],
		repeat: `cd ${shellWord(folder)} && ${repeat}`,
	});
}

/** A server that silently ran the released package would make every comparison `unchanged`. */
async function checkInstalled(folder: string, replacements: readonly Replacement[]): Promise<void> {
	const text = await readPlainText(join(folder, 'node_modules', '.package-lock.json'));
	const { packages } = JSON.parse(text) as { packages: Record<string, { resolved?: string }> };
	for (const { name, file } of replacements) {
		const copies = Object.entries(packages).filter(([path]) => path.endsWith(`node_modules/${name}`));
		if (copies.length > 0 && copies.every(([, { resolved }]) => resolved === `file:${file}`)) continue;
		const found = copies.map(([path, { resolved }]) => `${path} from ${resolved ?? 'the registry'}`);
		throw new Error(
			`npm did not install ${name} from ${file} everywhere in ${folder}: ${found.join(', ') || 'nowhere'}`,
		);
	}
}

/**
 * Returns UserError `not-installed` when an install of a built-in server failed because the registry lacks a package, with
 * where else to take it from; any other error as it is.
 */
export function explainUnserved(server: CatalogueServer, error: unknown): unknown {
	if (!isUserError(error) || error.code !== 'build-failed') return error;
	const missing = missingPackage(error.details ?? '');
	if (missing === null) return error;
	return new UserError({
		code: 'not-installed',
		where: `server ${server.name}`,
		message: `the registry has no package ${missing}`,
		remedy: `give it from elsewhere (${packageFlags([missing])}, a tarball or another version), or leave the server out`,
		exitCode: EXIT.nothingMeasured,
		cause: error,
	});
}

/** Returns the package that npm's output says the registry does not have, or has not in this version; null for neither. */
export function missingPackage(output: string): string | null {
	if (!/^npm (?:error|ERR!) code (?:E404|ETARGET)/m.test(output)) return null;
	const found = SAYINGS.map((saying) => saying.exec(output)?.[1]);
	return found.find((name) => name !== undefined) ?? null;
}
