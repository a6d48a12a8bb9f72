import { reasonLeftOut } from '../config/answered-scenarios.ts';
import type { Config } from '../types/config.ts';
import { SIDES, type Sides, type Warning } from '../types/units.ts';

/** A cell that is asked for and not planned, because a built-in server leaves its scenario out. */
export interface LeftOutCell {
	readonly server: string;
	readonly scenario: string;
	readonly reason: string;
}

type Asked = Pick<Config, 'servers' | 'scenarios'>;

/** Returns the cells of `config` that its built-in servers leave out; with configs for each side, those that any of them asks for. */
export function leftOutCells(
	config: Asked,
	configs: Sides<readonly Asked[]> = { base: [config], head: [config] },
): LeftOutCell[] {
	const has = (named: readonly { readonly name: string }[], name: string) => named.some((one) => one.name === name);
	return config.servers.flatMap((server) =>
		config.scenarios.flatMap((scenario) => {
			const reason = reasonLeftOut(server, scenario);
			const asked = SIDES.flatMap((side) => configs[side]).some(
				(one) => has(one.servers, server.name) && has(one.scenarios, scenario.name),
			);
			return reason === undefined || !asked ? [] : [{ server: server.name, scenario: scenario.name, reason }];
		}),
	);
}

/** Returns a warning `scenario-left-out` for each scenario that is left out, with its servers and their reasons. */
export function leftOutWarnings(cells: readonly LeftOutCell[]): Warning[] {
	return [...Map.groupBy(cells, ({ scenario }) => scenario)].map(([scenario, all]) => {
		const reasons = [...Map.groupBy(all, ({ reason }) => reason)];
		const servers = reasons.map(([reason, same]) => `${same.map(({ server }) => server).join(', ')} (${reason})`);
		return { code: 'scenario-left-out', message: `${scenario} is not measured for ${servers.join('; ')}` };
	});
}
