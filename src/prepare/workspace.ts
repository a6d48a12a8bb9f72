import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CatalogueServer, hasPackage } from '../config/catalogue.ts';
import { packageFlags } from '../config/server-needs.ts';
import { shellWord } from '../text/escape.ts';
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

const SAYINGS = [
	/'(@?[^@'\s]+)@[^']*' is not in/,
	/requested resource '(@?[^@'\s]+)(?:@[^']*)?' could not be found/,
	/No matching version found for (@?[^@\s]+)@/,
];

/** Forces the lockfile. The user's other npm settings (registry, proxy) still apply. */
export const INSTALL = ['install', '--no-audit', '--no-fund', '--package-lock=true'];

/** Workspace input besides the subject. */
export interface WorkspaceSource {
	/** Name in messages: `server express`. */
	readonly what: string;
	/** Identifies the files' content. */
	readonly key: Readonly<Record<string, unknown>>;
	/** Folder of the package inside the workspace. */
	readonly folder: string;
	readonly manifest: Manifest;
	/** Packages in its lockfile. */
	readonly installed: ReadonlySet<string>;
	readonly install: readonly string[];
	readonly build?: readonly string[];
	/** Packages, besides the subject's, that replace released ones. */
	readonly overrides?: readonly PlacedPackage[];
	readonly write: (workspace: string) => Promise<void>;
}

/** Shared by sides whose subjects pack to the same content. */
export interface Workspace {
	/** Absolute folder where its servers run. */
	readonly folder: string;
	readonly versions: Versions;
	/** Packages installed now; 0 from the cache. */
	readonly installs: number;
}

/** Installs a built-in server with pinned dependencies and the side's subject (null: as released). */
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
		// Mirrors `servers/`: the server beside its shared files.
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
	return { prepared: { name: server.name, cwd, root: folder, run, env: {}, versions }, folder, installs };
}

/** `packed` is null for the released package. Uses the cache if possible. */
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

/** Avoids the file names of the subject's tarballs. */
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

export function writeManifest(manifest: Manifest, packages: readonly Replacement[]): string {
	return `${JSON.stringify(replacePackages(manifest, packages), null, '\t')}\n`;
}

interface WorkspaceStep {
	readonly origin: Origin;
	readonly source: WorkspaceSource;
	readonly entry: Entry;
	readonly doing: string;
	readonly what: string;
	readonly argv: readonly string[];
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

/** A server that silently ran the released package would make every row `unchanged`. */
async function checkInstalled(folder: string, replacements: readonly Replacement[]): Promise<void> {
	const text = await readPlainText(join(folder, 'node_modules', '.package-lock.json'));
	const { packages } = JSON.parse(text) as { packages: Record<string, { resolved?: string }> };
	for (const { name, file } of replacements) {
		const copies = Object.entries(packages).filter(([path]) => path.endsWith(`node_modules/${name}`));
		if (copies.length > 0 && copies.every(([, { resolved }]) => resolved === `file:${file}`)) continue;
		const places = copies.map(([path, { resolved }]) => `${path} from ${resolved ?? 'the registry'}`);
		throw new Error(
			`npm did not install ${name} from ${file} everywhere in ${folder}: ${places.join(', ') || 'nowhere'}`,
		);
	}
}

/** Turns a failed install for lack of a package into UserError `not-installed`. Returns other errors unchanged. */
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

/** Returns the package that the registry lacks, or lacks in that version. */
export function missingPackage(output: string): string | null {
	if (!/^npm (?:error|ERR!) code (?:E404|ETARGET)/m.test(output)) return null;
	const names = SAYINGS.map((saying) => saying.exec(output)?.[1]);
	return names.find((name) => name !== undefined) ?? null;
}
