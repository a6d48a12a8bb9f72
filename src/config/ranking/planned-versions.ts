import { readRuntime } from '../../text/runtime-words.ts';
import type { Config } from '../../types/config.ts';
import type { AskedRuntime, RuntimeInfo } from '../../types/runtime.ts';
import type { Catalogue, CatalogueServer } from '../catalogue.ts';
import { readEntry } from './runtime-entries.ts';

export interface PlannedVersions {
	readonly state: 'installed';
	/** Versions of its direct dependencies, where known. */
	readonly versions: Readonly<Record<string, string>>;
	readonly direct: readonly string[];
	/** Absent for the current Node. */
	readonly runtime?: RuntimeInfo;
}

/**
 * Returns the versions that built-in servers would run, before installation. Versions of runtimes are as requested.
 * `runsHere` checks a range of `engines` against the current Node.
 */
export function plannedVersions(
	{ servers, packages = [] }: Pick<Config, 'servers' | 'packages'>,
	catalogue: Catalogue,
	runsHere: (range: string) => boolean,
): readonly PlannedVersions[] {
	return servers.flatMap(({ kind, name }): PlannedVersions[] => {
		const entry = readEntry(name);
		const catalogueServer = catalogue.servers.find((server) => kind === 'built-in' && server.name === entry.server);
		if (catalogueServer === undefined) return [];
		const { dependencies: direct } = catalogueServer;
		const packageVersions = packages.flatMap(({ name, place }) =>
			direct.includes(name) ? [[name, place] as const] : [],
		);
		const versions = Object.entries({ ...catalogueServer.versions, ...Object.fromEntries(packageVersions) });
		const { name: runtime = 'node', version } = entry.runtime ?? ownRuntime(catalogueServer, runsHere) ?? {};
		const isAtHand = runtime === 'node' && version === undefined;
		return [
			{
				state: 'installed',
				// Folders, tarballs and ranges are left out.
				versions: Object.fromEntries(versions.filter(([, version]) => EXACT.test(version))),
				direct,
				...(!isAtHand && { runtime: { name: runtime, version: version ?? '' } }),
			},
		];
	});
}

const EXACT = /^\d+\.\d+\.\d+/;

/** The server's own runtime is used where the current Node does not suffice. */
function ownRuntime(
	{ runtime, node }: CatalogueServer,
	runsHere: (range: string) => boolean,
): AskedRuntime | undefined {
	if (runtime === undefined || (node !== undefined && runsHere(node))) return undefined;
	return readRuntime(runtime);
}
