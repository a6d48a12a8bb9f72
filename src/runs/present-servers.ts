import type { Presence, SideCells } from '../plan/plan-cells.ts';
import type { Config, ServerSpec } from '../types/config.ts';
import type { Prepared } from '../types/prepared.ts';
import type { Side, Sides } from '../types/units.ts';

/** A config, and what each side's own config has of it when there are two. */
export interface AskedCells {
	readonly config: Config;
	readonly sideConfigs?: Sides<SideCells>;
}

/** Returns the servers worth preparing: those of both sides' configs. */
export function sharedServers({ config, sideConfigs }: AskedCells): readonly ServerSpec[] {
	if (sideConfigs === undefined) return config.servers;
	return config.servers.filter(({ name }) => hasServer(sideConfigs.base, name) && hasServer(sideConfigs.head, name));
}

/** Returns what each side has: of servers in both configs what could be prepared, of others what its config says. */
export function presenceOf(asked: AskedCells, prepared: Prepared): Presence {
	const { config, sideConfigs } = asked;
	const shared = new Set(sharedServers(asked));
	const present = (side: Side) =>
		config.servers
			.filter((server) =>
				shared.has(server)
					? prepared.sides[side].servers[server.name] !== undefined
					: sideConfigs !== undefined && hasServer(sideConfigs[side], server.name),
			)
			.map(({ name }) => name);
	return { servers: { base: present('base'), head: present('head') }, ...(sideConfigs && { configs: sideConfigs }) };
}

function hasServer({ servers }: SideCells, name: string): boolean {
	return servers.some((server) => server.name === name);
}
