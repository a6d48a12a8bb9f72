/** Prepares built-in servers as released. */
import type { Config } from '../types/config.ts';
import type { Prepared, PreparedServer, PreparedSide } from '../types/prepared.ts';
import { SIDES, type Side } from '../types/units.ts';
import { readBuiltins } from './builtin-servers.ts';
import { fetchOverrides } from './package/overrides.ts';
import { type Origin, type PrepareContext, sessionOf } from './prepare-context.ts';
import { inSession } from './prepare-session.ts';
import { prepareWorkspace } from './workspace.ts';

const PINNED: Origin = {
	side: 'base',
	name: 'built-in',
	source: { kind: 'dir', revision: 'pinned', label: 'pinned', content: '', folder: '', files: [] },
};

/**
 * Installs the config's built-in servers with pinned dependencies, once for both sides. For `isTold` see
 * `fetchOverrides`.
 */
export async function preparePinned(config: Config, context: PrepareContext, isTold = false): Promise<Prepared> {
	return inSession(config, context, async (session) => {
		const servers: Record<string, PreparedServer> = {};
		let installs = 0;
		const overrides = await fetchOverrides(session, isTold);
		for (const folder of await readBuiltins(session.toolRoot, config.servers)) {
			const workspace = await prepareWorkspace(sessionOf(session, PINNED.side), PINNED, folder, null, overrides);
			servers[folder.name] = workspace.prepared;
			installs += workspace.installs;
			await session.isolation?.sides[PINNED.side].allow(workspace.folder, true);
		}
		const [base, head] = SIDES.map((side) => describeSide(side, servers)) as [PreparedSide, PreparedSide];
		return { sides: { base, head }, warnings: session.warnings, installs };
	});
}

function describeSide(side: Side, servers: Readonly<Record<string, PreparedServer>>): PreparedSide {
	const versions = Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, server.versions]));
	return { side, info: { revision: 'pinned', kind: 'dir', label: 'pinned', versions }, servers };
}
