/** Which versions a ranking would run, before anything is installed. */
import { readRuntime } from '../../text/runtime-words.ts';
import type { Config } from '../../types/config.ts';
import type { AskedRuntime, RuntimeInfo } from '../../types/runtime.ts';
import type { Catalogue, CatalogueServer } from '../catalogue.ts';
import { readEntry } from './runtime-entries.ts';

/** What a server would run. */
export interface PlannedVersions {
	readonly state: 'installed';
	/** Of the packages that it names itself, as far as that is known. */
	readonly versions: Readonly<Record<string, string>>;
	readonly direct: readonly string[];
	/** Absent for the Node at hand. */
	readonly runtime?: RuntimeInfo;
}

/**
 * Returns what each built-in server of a ranking would run. A version of a runtime is as it was asked for. `runsHere` says whether the
 * Node at hand is in a range of `engines`.
 */
export function plannedVersions(
	{ servers, packages = [] }: Pick<Config, 'servers' | 'packages'>,
	catalogue: Catalogue,
	runsHere: (range: string) => boolean,
): readonly PlannedVersions[] {
	return servers.flatMap(({ kind, name }): PlannedVersions[] => {
		const entry = readEntry(name);
		const known = catalogue.servers.find((server) => kind === 'built-in' && server.name === entry.server);
		if (known === undefined) return [];
		const { dependencies: direct } = known;
		const given = packages.flatMap(({ name, place }) => (direct.includes(name) ? [[name, place] as const] : []));
		const versions = Object.entries({ ...known.versions, ...Object.fromEntries(given) });
		const { name: runtime = 'node', version } = entry.runtime ?? ownRuntime(known, runsHere) ?? {};
		const isAtHand = runtime === 'node' && version === undefined;
		return [
			{
				state: 'installed',
				// A folder, a tarball or a range is no version.
				versions: Object.fromEntries(versions.filter(([, version]) => EXACT.test(version))),
				direct,
				...(!isAtHand && { runtime: { name: runtime, version: version ?? '' } }),
			},
		];
	});
}

const EXACT = /^\d+\.\d+\.\d+/;

/** As a run chooses it: a server gets the runtime that it asks for where the Node at hand will not do. */
function ownRuntime(
	{ runtime, node }: CatalogueServer,
	runsHere: (range: string) => boolean,
): AskedRuntime | undefined {
	if (runtime === undefined || (node !== undefined && runsHere(node))) return undefined;
	return readRuntime(runtime);
}
