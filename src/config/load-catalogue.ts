import { UserError } from '../types/errors.ts';
import { withUnhosted } from './answered-scenarios.ts';
import { type Catalogue, type CatalogueServer, withoutGroups } from './catalogue.ts';
import {
	type CatalogueFiles,
	readCatalogueFiles,
	type ServerFiles,
	type ServerPackage,
} from './load-catalogue-files.ts';

export interface LoadedServer extends CatalogueServer {
	readonly manifest: ServerPackage;
	readonly installed: ReadonlySet<string>;
}

/**
 * Returns servers and scenarios of the benchgate in `toolFolder`, in alphabetical order. Throws UserError when files
 * are missing or a scenario is invalid.
 */
export async function loadCatalogue(toolFolder: string): Promise<Catalogue> {
	const files = await readCatalogueFiles(toolFolder).catch(refuseIncomplete);
	return { servers: withUnhosted(describeServers(files), files.scenarios), scenarios: files.scenarios };
}

export async function loadServers(toolFolder: string): Promise<LoadedServer[]> {
	return describeServers(await readCatalogueFiles(toolFolder).catch(refuseIncomplete));
}

function describeServers({ servers, scenarios }: CatalogueFiles): LoadedServer[] {
	return withoutGroups(servers.map(describeServer), scenarios);
}

function describeServer({ name, manifest, installed }: ServerFiles): LoadedServer {
	const { description = '', dependencies: versions = {}, engines: { node } = {}, benchgate: declared } = manifest;
	const dependencies = Object.keys(versions);
	const programs = foreignPrograms(manifest);
	return {
		...{ name, description, dependencies, installed: new Set(installed), versions, manifest, ...declared },
		...(node !== undefined && { node }),
		...(programs.length > 0 && { programs }),
	};
}

/** The programs of its commands, except its own, Node, and a runtime that it brings. */
function foreignPrograms({ scripts: { build, start } = {}, benchgate: { runtime } = {} }: ServerPackage): string[] {
	const named = [build, start].flatMap((script) => script?.split(' ')[0] ?? []);
	const foreign = named.filter((program) => !['node', runtime].includes(program) && !program.startsWith('.'));
	return [...new Set(foreign)];
}

function refuseIncomplete(cause: NodeJS.ErrnoException): never {
	if (cause.code !== 'ENOENT') throw cause;
	throw new UserError({
		code: 'incomplete-installation',
		message: 'a part of benchgate itself is missing',
		where: cause.path ?? 'benchgate',
		remedy: 'install benchgate again',
		cause,
	});
}
