import { answeredBy } from '../config/answered-scenarios.ts';
import { marginsOf } from '../config/margins.ts';
import type { Config, Scenario, ServerSpec } from '../types/config.ts';
import { UserError } from '../types/errors.ts';
import type { Cell, OneSidedCell } from '../types/plan.ts';
import { SIDES, type Side, type Sides } from '../types/units.ts';
import { type LeftOutCell, leftOutCells } from './left-out.ts';

/** What each side has. */
export interface Presence {
	/** Names of the servers that could be prepared. */
	readonly servers: Sides<readonly string[]>;
	/** What each side's own config has; absent when one config serves both. */
	readonly configs?: Sides<SideCells>;
}

/** The part of a config that decides which cells it has. */
export type SideCells = Pick<Config, 'servers' | 'scenarios'>;

/** Cells in the order of the config: servers, and within a server scenarios. */
export interface PlannedCells {
	readonly cells: readonly Cell[];
	readonly oneSided: readonly OneSidedCell[];
	readonly leftOut: readonly LeftOutCell[];
}

/**
 * Returns the cells that both sides have, those that only one side has, and those that built-in servers leave out. A side
 * lacks a server that could not be prepared for it, and what its own config does not have. `config` has everything of both
 * sides, and the margins that hold. `answeredBy` says which scenarios a server answers. Throws a UserError when there is no
 * cell at all.
 */
export function planCells(config: Config, presence: Presence): PlannedCells {
	const cells: Cell[] = [];
	const oneSided: OneSidedCell[] = [];
	for (const server of config.servers) {
		const serverSide = sideOfServer(server, presence);
		for (const scenario of config.scenarios) {
			const sides = SIDES.filter((side) => answers(presence.configs?.[side] ?? config, server, scenario));
			if (sides.length === 0) continue;
			const cell = makeCell(server, scenario, config);
			const side = serverSide ?? (sides.length === 1 ? sides[0] : undefined);
			if (side === undefined) cells.push(cell);
			else oneSided.push(markOneSided(cell, side, serverSide === undefined ? 'scenario' : 'server'));
		}
	}
	const leftOut = leftOutCells(config, presence.configs);
	if (cells.length + oneSided.length === 0) throw noCells(config, leftOut);
	return { cells, oneSided, leftOut };
}

function answers(config: SideCells, { name }: ServerSpec, scenario: Scenario): boolean {
	const server = config.servers.find((candidate) => candidate.name === name);
	const answered = server === undefined ? [] : answeredBy(server, config.scenarios);
	return answered.some((candidate) => candidate.name === scenario.name);
}

function makeCell(server: ServerSpec, scenario: Scenario, config: Config): Cell {
	return {
		id: `${server.name}/${scenario.name}`,
		server: server.name,
		scenario: scenario.name,
		...marginsOf(scenario, config),
	};
}

/** The one side that has the server; undefined when both have it. */
function sideOfServer({ name }: ServerSpec, { servers }: Presence): Side | undefined {
	const having = SIDES.filter((side) => servers[side].includes(name));
	if (having.length > 0) return having.length === 1 ? having[0] : undefined;
	throw new UserError({
		code: 'server-on-no-side',
		message: `server ${name} is on neither side`,
		where: name,
		remedy: 'remove it from the servers, or compare revisions that have it',
	});
}

/** Returns the cell as one that only `side` has, because only that side has its scenario or its server. */
export function markOneSided(cell: Cell, side: Side, what: 'scenario' | 'server'): OneSidedCell {
	const reason = `Only ${side} has the ${what} ${cell[what]}.`;
	return { ...cell, verdict: side === 'head' ? 'new' : 'removed', reason };
}

function noCells({ servers, scenarios, file }: Config, leftOut: readonly LeftOutCell[]): UserError {
	const reasons = leftOut.map(({ server, scenario, reason }) => `${server} leaves out ${scenario} (${reason})`);
	const why = reasons.length === 0 ? '' : `; ${reasons.join(', ')}`;
	return new UserError({
		code: 'no-cells',
		message: `no server answers any of the scenarios: ${names(servers)} with ${names(scenarios)}${why}`,
		...(file !== undefined && { where: file }),
		remedy: 'built-in servers answer built-in scenarios; a server of your own answers the scenarios it lists',
	});
}

function names(named: readonly { readonly name: string }[]): string {
	return named.length === 0 ? 'none' : named.map(({ name }) => name).join(', ');
}
