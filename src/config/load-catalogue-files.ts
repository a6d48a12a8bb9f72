/** What the folders `servers` and `scenarios` say. In the bundles `load-packed-catalogue.ts` stands in its place. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Scenario } from '../types/config.ts';
import type { CatalogueServer } from './catalogue.ts';
import { parseScenario } from './file/parse-scenario.ts';
import { fromLockfile } from './npm-lockfile.ts';

/** The parts of a server's package.json that are read. */
export interface ServerPackage {
	readonly description?: string;
	readonly dependencies?: Readonly<Record<string, string>>;
	readonly overrides?: Readonly<Record<string, unknown>>;
	readonly engines?: { readonly node?: string };
	/** How it is built, if it has to be, and how it is started: one program and its arguments each. */
	readonly scripts?: { readonly build?: string; readonly start?: string };
	/** What it declares about itself; `CatalogueServer` says what each means. */
	readonly benchgate?: Pick<
		CatalogueServer,
		| 'without'
		| 'remarks'
		| 'about'
		| 'unserved'
		| 'runtime'
		| 'glibc'
		| 'code'
		| 'inProcess'
		| 'socketOnly'
		| 'unclustered'
		| 'unwatched'
	>;
}

/** What the files of a server's folder say of it. */
export interface ServerFiles {
	readonly name: string;
	readonly manifest: ServerPackage;
	/** Names of all packages its lockfile installs; none without a lockfile. */
	readonly installed: readonly string[];
}

/** What all files of the catalogue say, as plain data, in alphabetical order. */
export interface CatalogueFiles {
	readonly servers: readonly ServerFiles[];
	readonly scenarios: readonly Scenario[];
}

/** Returns what the folders of the tool in `toolFolder` say. Rejects when one is missing, with a UserError for a wrong scenario. */
export async function readCatalogueFiles(toolFolder: string): Promise<CatalogueFiles> {
	const [servers, scenarios] = await Promise.all([
		readServerFiles(toolFolder),
		readScenarios(path.join(toolFolder, 'scenarios')),
	]);
	return { servers, scenarios };
}

/** Returns the servers of `readCatalogueFiles`. Rejects as it does. */
export async function readServerFiles(toolFolder: string): Promise<readonly ServerFiles[]> {
	const folder = path.join(toolFolder, 'servers');
	const entries = await readdir(folder, { withFileTypes: true });
	const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
	const servers = await Promise.all(names.toSorted().map((name) => readServer(folder, name)));
	return servers.filter((server) => server !== null);
}

/** A folder without package.json holds what servers share and is no server. */
async function readServer(folder: string, name: string): Promise<ServerFiles | null> {
	const text = await readFile(path.join(folder, name, 'package.json'), 'utf8').catch((error: NodeJS.ErrnoException) => {
		if (error.code === 'ENOENT') return null;
		throw error;
	});
	if (text === null) return null;
	const lockfile = await readFile(path.join(folder, name, 'package-lock.json'), 'utf8').catch(() => '{}');
	const installed = new Set(fromLockfile(lockfile).map(([installedName]) => installedName));
	return { name, manifest: JSON.parse(text) as ServerPackage, installed: [...installed] };
}

async function readScenarios(folder: string): Promise<Scenario[]> {
	const files = (await readdir(folder)).filter((name) => /\.ya?ml$/.test(name));
	return Promise.all(
		files
			.toSorted()
			.map(async (name) => parseScenario(await readFile(path.join(folder, name), 'utf8'), `scenarios/${name}`)),
	);
}
