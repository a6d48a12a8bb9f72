/** Reads the folders `servers` and `scenarios`. The bundles use `load-packed-catalogue.ts` instead. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Scenario } from '../types/config.ts';
import type { CatalogueServer } from './catalogue.ts';
import { parseScenario } from './file/parse-scenario.ts';
import { fromLockfile } from './npm-lockfile.ts';

export interface ServerPackage {
	readonly description?: string;
	readonly dependencies?: Readonly<Record<string, string>>;
	readonly overrides?: Readonly<Record<string, unknown>>;
	readonly engines?: { readonly node?: string };
	/** Build and start commands: one program each, with arguments. */
	readonly scripts?: { readonly build?: string; readonly start?: string };
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

export interface ServerFiles {
	readonly name: string;
	readonly manifest: ServerPackage;
	readonly installed: readonly string[];
}

/** In alphabetical order. */
export interface CatalogueFiles {
	readonly servers: readonly ServerFiles[];
	readonly scenarios: readonly Scenario[];
}

const catalogues = new Map<string, Promise<CatalogueFiles>>();

/** Reads each folder once. Rejects when a folder is missing, and with a UserError for an invalid scenario. */
export function readCatalogueFiles(toolFolder: string): Promise<CatalogueFiles> {
	const catalogue = catalogues.get(toolFolder) ?? readFolders(toolFolder);
	catalogues.set(toolFolder, catalogue);
	return catalogue;
}

async function readFolders(toolFolder: string): Promise<CatalogueFiles> {
	const [servers, scenarios] = await Promise.all([
		readServerFiles(toolFolder),
		readScenarios(path.join(toolFolder, 'scenarios')),
	]);
	return { servers, scenarios };
}

async function readServerFiles(toolFolder: string): Promise<readonly ServerFiles[]> {
	const folder = path.join(toolFolder, 'servers');
	const entries = await readdir(folder, { withFileTypes: true });
	const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
	const servers = await Promise.all(names.toSorted().map((name) => readServer(folder, name)));
	return servers.filter((server) => server !== null);
}

/** A folder without package.json contains shared files. */
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
