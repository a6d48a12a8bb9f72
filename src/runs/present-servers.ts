import { type AskedCells, isNewServer, type Presence } from '../plan/plan-cells.ts';
import type { ServerSpec } from '../types/config.ts';
import type { Cell } from '../types/plan.ts';
import type { Prepared } from '../types/prepared.ts';
import type { RefusedCell } from '../types/result.ts';
import { SIDES, type Side } from '../types/units.ts';

/** Returns the servers in both sides' configs that read changed code. */
export function sharedServers(options: AskedCells): readonly ServerSpec[] {
	const { config, sameCode = [] } = options;
	const compared = config.servers.filter(({ name }) => !sameCode.includes(name));
	return compared.filter((server) => SIDES.every((side) => hasServer(options, side, server)));
}

/** Returns servers that base may lack, because the config is newer than base. */
export function newServers(options: AskedCells): readonly string[] {
	return sharedServers(options).flatMap((server) => (isNewServer(server, options) ? [server.name] : []));
}

/**
 * Returns each side's servers: if both configs have a server, only where it was prepared; otherwise, as in the configs.
 */
export function presenceOf(options: AskedCells, prepared: Prepared): Presence {
	const { config, sideConfigs, mergeBase, sameCode, unaffected } = options;
	const shared = new Set(sharedServers(options));
	const present = (side: Side) =>
		config.servers
			.filter((server) =>
				shared.has(server) ? prepared.sides[side].servers[server.name] !== undefined : hasServer(options, side, server),
			)
			.map(({ name }) => name);
	return {
		servers: { base: present('base'), head: present('head') },
		...(sideConfigs && { configs: sideConfigs }),
		...(mergeBase !== undefined && { mergeBase }),
		...(sameCode && { sameCode }),
		...(unaffected && { unaffected }),
		...(prepared.samePacked && { samePacked: prepared.samePacked }),
	};
}

export function refuseUnserved({ id, server }: Cell): RefusedCell[] {
	const message = `Neither side has the server ${server} yet: the config of the base branch is newer than this change. Rebase it on the base branch.`;
	return SIDES.map((side) => ({ cell: id, fault: { code: 'server-missing', side, message } }));
}

function hasServer({ config, sideConfigs }: AskedCells, side: Side, { name }: ServerSpec): boolean {
	return (sideConfigs?.[side] ?? [config]).some(({ servers }) => servers.some((server) => server.name === name));
}
