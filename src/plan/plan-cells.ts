import { answeredBy, reasonLeftOut } from '../config/answered-scenarios.ts';
import { marginsOf } from '../config/margins.ts';
import type { Config, Scenario, ServerSpec } from '../types/config.ts';
import { UserError } from '../types/errors.ts';
import type { Cell, OneSidedCell } from '../types/plan.ts';
import { SIDES, type Side, type Sides, type Warning } from '../types/units.ts';

/** A cell that is asked for and not planned, because a built-in server leaves its scenario out. */
interface LeftOutCell {
	readonly server: string;
	readonly scenario: string;
	readonly reason: string;
}

type Asked = Pick<Config, 'servers' | 'scenarios'>;

/** What each side has. */
export interface Presence {
	/** Names of the servers that could be prepared. */
	readonly servers: Sides<readonly string[]>;
	/** The configs by whose word a side has a cell; absent when one config serves both. */
	readonly configs?: Sides<readonly SideCells[]>;
	/** As `AskedCells` has them. */
	readonly mergeBase?: SideCells | null | undefined;
	readonly sameCode?: readonly string[];
	/** Names of servers that are the same installation on both sides. */
	readonly samePacked?: readonly string[];
}

/** The part of a config that decides which cells it has. */
export type SideCells = Pick<Config, 'servers' | 'scenarios'>;

/** What is asked of both sides. */
export interface AskedCells {
	/** Everything of both sides' configs, with the margins and definitions that hold. */
	readonly config: Config;
	/** The configs by whose word a side has a cell; what no config of a side has is one-sided. Absent when one serves both. */
	readonly sideConfigs?: Sides<readonly SideCells[]> | undefined;
	/** What the config beside base's code has, where the one that holds is newer than that code; null when it has none. */
	readonly mergeBase?: SideCells | null | undefined;
	/** Names of servers that read nothing that differs between the sides: nobody prepares or measures them. */
	readonly sameCode?: readonly string[];
}

/** Cells in the order of the config: servers, and within a server scenarios. */
export interface PlannedCells {
	readonly cells: readonly Cell[];
	readonly oneSided: readonly OneSidedCell[];
	readonly leftOut: readonly LeftOutCell[];
	/** Those of `cells` that cannot be measured: their server is newer than base's code, and head has not got it either. */
	readonly unserved: readonly Cell[];
}

/**
 * Returns the cells that both sides have, those that only one side has or whose code is the same, and those that built-in servers
 * leave out. A side lacks a server that could not be prepared for it, and what none of its configs has. `config` has everything of both
 * sides, and the margins that hold. `answeredBy` says which scenarios a server answers. Throws a UserError when there is no
 * cell at all, and for a server on neither side that is no newer than base's code.
 */
export function planCells(config: Config, presence: Presence): PlannedCells {
	const cells: Cell[] = [];
	const oneSided: OneSidedCell[] = [];
	const unserved: Cell[] = [];
	for (const server of config.servers) {
		const markSame = findSame(server, presence);
		const having = SIDES.filter((side) => markSame !== null || presence.servers[side].includes(server.name));
		if (having.length === 0 && !isNewServer(server, presence)) throw onNoSide(server);
		const serverSide = having.length === 1 ? having[0] : undefined;
		for (const scenario of config.scenarios) {
			const sides = SIDES.filter((side) =>
				configsOf(side, config, presence).some((one) => answers(one, server, scenario)),
			);
			if (sides.length === 0) continue;
			const side = serverSide ?? (sides.length === 1 ? sides[0] : undefined);
			const cell = makeCell(server, scenario, config);
			if (side !== undefined) {
				oneSided.push(markOneSided(cell, side, serverSide === undefined ? 'scenario' : 'server'));
				continue;
			}
			if (markSame !== null) {
				oneSided.push(markSame(cell));
				continue;
			}
			const marked = isNewer(server, scenario, presence) ? { ...cell, newerThanBase: true as const } : cell;
			cells.push(marked);
			if (having.length === 0) unserved.push(marked);
		}
	}
	const leftOut = leftOutCells(config, presence.configs);
	if (cells.length + oneSided.length === 0) throw noCells(config, leftOut);
	return { cells, oneSided, leftOut, unserved };
}

/** Returns how a cell says why its server need not be measured; null for one that has to be. */
function findSame({ name }: ServerSpec, { sameCode, samePacked }: Presence): ((cell: Cell) => OneSidedCell) | null {
	if (sameCode?.includes(name)) return markSameCode;
	return samePacked?.includes(name) ? markSamePacked : null;
}

function configsOf(side: Side, config: Config, { configs }: Presence): readonly SideCells[] {
	return configs?.[side] ?? [config];
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
		...(sharesWork(server) && { sharesWork: true as const }),
		...(scenario.metrics && { metrics: scenario.metrics }),
	};
}

/**
 * Returns whether both sides of a server ask something together, such as a database. A side has a name of its own only in what it shares
 * with its rival; what it has for itself lies in `${data}`.
 */
export function sharesWork(server: ServerSpec): boolean {
	if (server.kind !== 'custom') return false;
	const { command, start = '', stop = '', env } = server;
	return [command, start, stop, ...Object.values(env)].some((text) => text.includes('${slot}'));
}

/** Returns whether the config that holds starts a server otherwise than the one beside base's code, or that has none such. */
export function isNewServer(server: ServerSpec, { mergeBase }: Pick<Presence, 'mergeBase'>): boolean {
	if (mergeBase === undefined) return false;
	const older = mergeBase?.servers.find(({ name }) => name === server.name);
	return programOf(older) !== programOf(server);
}

/** What the older code was not made for may break in it, and that says nothing about head. */
function isNewer(server: ServerSpec, scenario: Scenario, presence: Presence): boolean {
	const { mergeBase } = presence;
	if (mergeBase === undefined) return false;
	if (mergeBase === null || isNewServer(server, presence) || !answers(mergeBase, server, scenario)) return true;
	const older = mergeBase.scenarios.find(({ name }) => name === scenario.name);
	return older !== undefined && questionOf(older) !== questionOf(scenario);
}

/** As text: another order of keys counts as another program, which costs nothing. */
function programOf(server: ServerSpec | undefined): string {
	if (server?.kind !== 'custom') return server?.name ?? '';
	const { name, command, cwd, env, start, stop, ready } = server;
	return JSON.stringify([name, command, cwd, env, start, stop, ready]);
}

/** With the content of its data file: other rows are other requests. */
function questionOf({ request, expect, mix, data, checks, learn, statusLimit }: Scenario): string {
	return JSON.stringify([request, expect, mix, data, checks, learn, statusLimit]);
}

function onNoSide({ name }: ServerSpec): UserError {
	return new UserError({
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

/** Returns the cell as one whose server reads nothing that differs between the sides. */
export function markSameCode(cell: Cell): OneSidedCell {
	return { ...cell, verdict: 'same-code', reason: `Nothing that ${cell.server} reads differs between base and head.` };
}

/** The same of one whose server is installed from files that are packed to the same on both sides. */
export function markSamePacked(cell: Cell): OneSidedCell {
	return {
		...cell,
		verdict: 'same-code',
		reason: `What ${cell.server} runs is packed to the same files in base and head.`,
	};
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

/** Returns the cells of `config` that its built-in servers leave out; with configs for each side, those that any of them asks for. */
function leftOutCells(
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
