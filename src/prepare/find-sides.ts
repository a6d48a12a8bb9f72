import { type LoadedServer, loadServers } from '../config/load-catalogue.ts';
import type { CustomServer, ServerSpec } from '../types/config.ts';
import type { Side, Sides } from '../types/units.ts';
import { type BuiltinFolder, readBuiltins } from './builtin-servers.ts';
import { findHarness, warnOfChange } from './harness/find-harness.ts';
import { type Harness, type PackageFolder, packageOf } from './harness/harness.ts';
import { fetchOverrides } from './package/overrides.ts';
import type { PlacedPackage } from './package/packed.ts';
import type { Elsewhere, Selected } from './place-subject.ts';
import type { Origin, Session } from './prepare-context.ts';
import { resolveRevisions } from './revision/resolve-revision.ts';
import type { Source } from './revision/source.ts';
import { refuseWritable } from './revision/writable-folders.ts';

export interface Found {
	readonly sources: Sides<Source>;
	/** If base is the only side: its name in messages. */
	readonly name?: string;
	/** All built-in servers. */
	readonly known: readonly LoadedServer[];
	readonly selected: readonly BuiltinFolder[];
	readonly harness: Harness | null;
	readonly packaged: readonly PackagedServer[];
	/** Replacements besides the subject. */
	readonly overrides: readonly PlacedPackage[];
	/** Servers that run in the checkout. */
	readonly custom: readonly CustomServer[];
	readonly elsewhere: Elsewhere;
}

interface PackagedServer {
	readonly server: CustomServer;
	readonly harness: Harness;
	readonly folder: PackageFolder;
}

/** Resolves both sides and their servers, without running the sides' code. */
export async function findSides(session: Session, specs: Sides<string>): Promise<Found> {
	return findCode(session, specs);
}

/** Resolves a single revision; messages call it `name`. */
export async function findAlone(session: Session, spec: string, name: string): Promise<Found> {
	return { ...(await findCode(session, { base: spec, head: spec })), name };
}

async function findCode(session: Session, specs: Sides<string>): Promise<Found> {
	const { servers } = session.config;
	const catalogue = await loadServers(session.toolRoot);
	const selected = await readBuiltins(session.toolRoot, servers, catalogue);
	const { base, head } = await resolveRevisions(session, specs);
	const harness = await findHarness(session);
	if (harness !== null) session.warnings.push(...(await warnOfChange(session, harness, { base, head })));
	const { packaged, custom } = placeCustom(servers, harness);
	refuseWritable(packaged.map(({ server }) => server));
	const overrides = await fetchOverrides(session);
	const elsewhere = describeElsewhere(session.elsewhere ?? [], catalogue, harness);
	return { sources: { base, head }, known: catalogue, selected, overrides, harness, packaged, custom, elsewhere };
}

function placeCustom(servers: readonly ServerSpec[], harness: Harness | null): Pick<Found, 'packaged' | 'custom'> {
	const customServers = servers.filter((server) => server.kind === 'custom');
	const packaged = customServers.flatMap((server) => {
		const folder = packageOf(harness, server);
		return harness === null || folder === null ? [] : [{ server, harness, folder }];
	});
	return { packaged, custom: customServers.filter((server) => packageOf(harness, server) === null) };
}

function describeElsewhere(
	servers: readonly ServerSpec[],
	catalogue: readonly LoadedServer[],
	harness: Harness | null,
): Elsewhere {
	const { packaged, custom } = placeCustom(servers, harness);
	const builtIn = servers.flatMap(({ kind, name }) => (kind === 'built-in' ? [name] : []));
	const selected = catalogue.filter(({ name }) => builtIn.includes(name));
	return { installables: installablesOf({ selected, packaged }), hasCustom: custom.length > 0 };
}

export function packs({ selected, packaged }: Found): boolean {
	return selected.length + packaged.length > 0;
}

/** Returns the servers that the packed subject may be installed into. */
export function installablesOf({
	selected,
	packaged,
}: {
	readonly selected: readonly Selected[];
	readonly packaged: Found['packaged'];
}): readonly Selected[] {
	return [
		...selected,
		...packaged.map(({ server, folder }) => ({
			...folder.package,
			name: server.name,
			harness: `${folder.path}/package.json`,
		})),
	];
}

export function originOf({ sources, name }: Found, side: Side): Origin {
	return { side, source: sources[side], ...(name !== undefined && { name }) };
}
