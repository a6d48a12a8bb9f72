import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Scenario } from '../types/config.ts';
import { UserError } from '../types/errors.ts';
import type { Catalogue, CatalogueServer } from './catalogue.ts';
import { parseScenario } from './file/parse-scenario.ts';
import { fromLockfile } from './npm-lockfile.ts';
import { withUnhosted } from './servers/hosting.ts';

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
		'without' | 'about' | 'unserved' | 'runtime' | 'glibc' | 'code' | 'inProcess' | 'unclustered'
	>;
}

/** A server of the catalogue, with the package.json it is installed by. */
export interface LoadedServer extends CatalogueServer {
	readonly manifest: ServerPackage;
	readonly installed: ReadonlySet<string>;
}

/**
 * Returns the servers and scenarios that come with the benchgate installed in `toolFolder`, in alphabetical order.
 * Throws a UserError when the installation is incomplete or a scenario file is not valid.
 */
export async function loadCatalogue(toolFolder: string): Promise<Catalogue> {
	const [servers, scenarios] = await Promise.all([
		loadServers(toolFolder),
		loadScenarios(path.join(toolFolder, 'scenarios')),
	]);
	return { servers: withUnhosted(servers, scenarios), scenarios };
}

/** Returns the servers of `loadCatalogue`; the only reader of what `servers/` has. Throws as it does. */
export async function loadServers(toolFolder: string): Promise<LoadedServer[]> {
	const folder = path.join(toolFolder, 'servers');
	const entries = await listFolder(folder);
	const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
	const servers = await Promise.all(names.toSorted().map((name) => loadServer(folder, name)));
	return servers.filter((server) => server !== undefined);
}

/** A folder without package.json holds what servers share and is no server. */
async function loadServer(folder: string, name: string): Promise<LoadedServer | undefined> {
	const text = await readFile(path.join(folder, name, 'package.json'), 'utf8').catch((error: NodeJS.ErrnoException) => {
		if (error.code === 'ENOENT') return undefined;
		throw error;
	});
	if (text === undefined) return undefined;
	const manifest = JSON.parse(text) as ServerPackage;
	const { description = '', dependencies: versions = {}, engines: { node } = {}, benchgate: declared } = manifest;
	const lockfile = await readFile(path.join(folder, name, 'package-lock.json'), 'utf8').catch(() => '{}');
	const installed = new Set(fromLockfile(lockfile).map(([installedName]) => installedName));
	const dependencies = Object.keys(versions);
	const programs = foreignPrograms(manifest);
	return {
		...{ name, description, dependencies, installed, versions, manifest, ...declared },
		...(node !== undefined && { node }),
		...(programs.length > 0 && { programs }),
	};
}

/** Its own files, Node and the runtime it brings along are no programs of the machine's. */
function foreignPrograms({ scripts: { build, start } = {}, benchgate: { runtime } = {} }: ServerPackage): string[] {
	const named = [build, start].flatMap((script) => script?.split(' ')[0] ?? []);
	const foreign = named.filter((program) => !['node', runtime].includes(program) && !program.startsWith('.'));
	return [...new Set(foreign)];
}

async function loadScenarios(folder: string): Promise<Scenario[]> {
	const files = (await listFolder(folder)).map((entry) => entry.name).filter((name) => /\.ya?ml$/.test(name));
	return Promise.all(
		files
			.toSorted()
			.map(async (name) => parseScenario(await readFile(path.join(folder, name), 'utf8'), `scenarios/${name}`)),
	);
}

async function listFolder(folder: string) {
	try {
		return await readdir(folder, { withFileTypes: true });
	} catch (cause) {
		throw new UserError({
			code: 'incomplete-installation',
			message: 'a folder of benchgate itself is missing',
			where: folder,
			remedy: 'install benchgate again',
			cause,
		});
	}
}
