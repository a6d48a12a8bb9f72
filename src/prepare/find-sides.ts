import { type LoadedServer, loadServers } from '../config/load-catalogue.ts';
import type { CustomServer } from '../types/config.ts';
import type { Side, Sides } from '../types/units.ts';
import { type BuiltinFolder, readBuiltins } from './builtin-servers.ts';
import { findHarness } from './harness/find-harness.ts';
import { type Harness, type PackageFolder, packageOf } from './harness/harness.ts';
import { warnOfChange } from './harness/warn-changed.ts';
import { fetchOverrides } from './package/overrides.ts';
import type { PlacedPackage } from './package/packed.ts';
import type { Selected } from './place-subject.ts';
import type { Origin, Session } from './prepare-context.ts';
import { resolveRevisions } from './revision/resolve-revision.ts';
import type { Source } from './revision/source.ts';
import { refuseWritable } from './revision/writable-folders.ts';

/** What to prepare. */
export interface Found {
	readonly sources: Sides<Source>;
	/** All built-in servers there are. */
	readonly known: readonly LoadedServer[];
	readonly selected: readonly BuiltinFolder[];
	readonly harness: Harness | null;
	/** Servers in packages of the harness. */
	readonly packaged: readonly PackagedServer[];
	/** What the built-in ones run instead of pinned packages, besides the subject. */
	readonly overrides: readonly PlacedPackage[];
	/** Servers that run in the checkout. */
	readonly custom: readonly CustomServer[];
}

interface PackagedServer {
	readonly server: CustomServer;
	readonly harness: Harness;
	readonly folder: PackageFolder;
}

/** Returns where the code of both sides is, and what to make of it. Nothing of either side has run yet. */
export async function findSides(session: Session, specs: Sides<string>): Promise<Found> {
	const { servers } = session.config;
	const known = await loadServers(session.toolRoot);
	const selected = await readBuiltins(session.toolRoot, servers, known);
	session.progress.step('Resolving revisions');
	const { base, head } = await resolveRevisions(session, specs);
	const harness = await findHarness(session);
	if (harness !== null) session.warnings.push(...(await warnOfChange(session, harness, { base, head })));
	const own = servers.filter((server) => server.kind === 'custom');
	const packaged = own.flatMap((server) => {
		const folder = packageOf(harness, server);
		return harness === null || folder === null ? [] : [{ server, harness, folder }];
	});
	refuseWritable(packaged.map(({ server }) => server));
	const custom = own.filter((server) => packageOf(harness, server) === null);
	const overrides = await fetchOverrides(session);
	return { sources: { base, head }, known, selected, overrides, harness, packaged, custom };
}

/** Returns whether any server needs the packed subject. */
export function packs({ selected, packaged }: Found): boolean {
	return selected.length + packaged.length > 0;
}

/** Returns everything the packed subject is installed into. */
export function installablesOf({ selected, packaged }: Found): readonly Selected[] {
	return [
		...selected,
		...packaged.map(({ server, folder }) => ({
			...folder.package,
			name: server.name,
			harness: `${folder.path}/package.json`,
		})),
	];
}

/** Returns one side and where its code comes from. */
export function originOf({ sources }: Found, side: Side): Origin {
	return { side, source: sources[side] };
}
