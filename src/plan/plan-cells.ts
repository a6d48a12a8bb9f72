import { answeredBy, reasonLeftOut } from '../config/answered-scenarios.ts';
import { marginsOf } from '../config/margins.ts';
import type { Config, Scenario, ServerSpec } from '../types/config.ts';
import { UserError } from '../types/errors.ts';
import type { Cell, OneSidedCell } from '../types/plan.ts';
import { SIDES, type Side, type Sides, type Warning } from '../types/units.ts';

interface LeftOutCell {
	readonly server: string;
	readonly scenario: string;
	readonly reason: string;
}

type Asked = Pick<Config, 'servers' | 'scenarios'>;

export interface Presence {
	/** Servers that could be prepared. */
	readonly servers: Sides<readonly string[]>;
	/** Unset if one config serves both sides. */
	readonly configs?: Sides<readonly SideCells[]>;
	/** See `AskedCells`. */
	readonly mergeBase?: SideCells | null | undefined;
	readonly sameCode?: readonly string[];
	/** Installed from identical packed files. */
	readonly samePacked?: readonly string[];
	/** Ids of cells that run no changed code. */
	readonly unaffected?: readonly string[];
}

export type SideCells = Pick<Config, 'servers' | 'scenarios'>;

export interface AskedCells {
	/** Both sides' cells, with the margins and definitions in force. */
	readonly config: Config;
	/** A cell that no config of a side has is one-sided. Unset if one config serves both sides. */
	readonly sideConfigs?: Sides<readonly SideCells[]> | undefined;
	/** The config beside base's code, if the one in force is newer; null if that code has no config. */
	readonly mergeBase?: SideCells | null | undefined;
	/** Servers that read nothing different: not prepared. */
	readonly sameCode?: readonly string[];
	/** Ids of cells that run no changed code. */
	readonly unaffected?: readonly string[];
}

export interface PlannedCells {
	readonly cells: readonly Cell[];
	readonly oneSided: readonly OneSidedCell[];
	readonly leftOut: readonly LeftOutCell[];
	/** Cells newer than base's code whose server neither side has. */
	readonly unserved: readonly Cell[];
}

/**
 * Returns the cells to measure, the others, and those left out. A side lacks unprepared servers and cells that no
 * config of its own has. Throws UserError if no cell is left, and for a server on neither side that is not newer than
 * base.
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
			if (presence.unaffected?.includes(cell.id)) {
				oneSided.push(markUnaffected(cell));
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
 * Whether both sides of a server share something, such as a database: `${slot}` names a side's part. Private data lies
 * in `${data}`.
 */
export function sharesWork(server: ServerSpec): boolean {
	if (server.kind !== 'custom') return false;
	const { command, start = '', stop = '', env } = server;
	return [command, start, stop, ...Object.values(env)].some((text) => text.includes('${slot}'));
}

/** Whether the config in force starts a server differently from that beside base's code. */
export function isNewServer(server: ServerSpec, { mergeBase }: Pick<Presence, 'mergeBase'>): boolean {
	if (mergeBase === undefined) return false;
	const older = mergeBase?.servers.find(({ name }) => name === server.name);
	return programOf(older) !== programOf(server);
}

/** In newer cells, base's code may fail. */
function isNewer(server: ServerSpec, scenario: Scenario, presence: Presence): boolean {
	const { mergeBase } = presence;
	if (mergeBase === undefined) return false;
	if (mergeBase === null || isNewServer(server, presence) || !answers(mergeBase, server, scenario)) return true;
	const older = mergeBase.scenarios.find(({ name }) => name === scenario.name);
	return older !== undefined && questionOf(older) !== questionOf(scenario);
}

/** A new order of keys counts as a new program, which does no harm. */
function programOf(server: ServerSpec | undefined): string {
	if (server?.kind !== 'custom') return server?.name ?? '';
	const { name, command, cwd, env, start, stop, ready } = server;
	return JSON.stringify([name, command, cwd, env, start, stop, ready]);
}

/** Includes the data file's content, because other rows are other requests. */
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

export function markOneSided(cell: Cell, side: Side, what: 'scenario' | 'server'): OneSidedCell {
	const reason = `Only ${side} has the ${what} ${cell[what]}.`;
	return { ...cell, verdict: side === 'head' ? 'new' : 'removed', reason };
}

export function markSameCode(cell: Cell): OneSidedCell {
	return { ...cell, verdict: 'same-code', reason: `Nothing that ${cell.server} reads differs between base and head.` };
}

export function markSamePacked(cell: Cell): OneSidedCell {
	return {
		...cell,
		verdict: 'same-code',
		reason: `What ${cell.server} runs is packed to the same files in base and head.`,
	};
}

export function markUnaffected(cell: Cell): OneSidedCell {
	return { ...cell, verdict: 'unaffected', reason: 'None of the code that this row runs has changed.' };
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

/** With a config per side, includes the cells that either side requests. */
function leftOutCells(
	config: Asked,
	configs: Sides<readonly Asked[]> = { base: [config], head: [config] },
): LeftOutCell[] {
	const has = (named: readonly { readonly name: string }[], name: string) => named.some((one) => one.name === name);
	return config.servers.flatMap((server) =>
		config.scenarios.flatMap((scenario) => {
			const reason = reasonLeftOut(server, scenario);
			const isAsked = SIDES.flatMap((side) => configs[side]).some(
				(one) => has(one.servers, server.name) && has(one.scenarios, scenario.name),
			);
			return reason === undefined || !isAsked ? [] : [{ server: server.name, scenario: scenario.name, reason }];
		}),
	);
}

export function leftOutWarnings(cells: readonly LeftOutCell[]): Warning[] {
	return [...Map.groupBy(cells, ({ scenario }) => scenario)].map(([scenario, all]) => {
		const reasons = [...Map.groupBy(all, ({ reason }) => reason)];
		const servers = reasons.map(([reason, same]) => `${same.map(({ server }) => server).join(', ')} (${reason})`);
		return { code: 'scenario-left-out', message: `${scenario} is not measured for ${servers.join('; ')}` };
	});
}
