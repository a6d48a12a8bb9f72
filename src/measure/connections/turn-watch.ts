/** Watches a turn for foreign connections and stopped processes. */
import { listTrees } from '../../process/process-tree.ts';
import { findStopped } from '../../process/processes.ts';
import { readPassiveOpens } from '../../process/socket-table.ts';
import { type Fault, REACHED_FAULTS } from '../../types/round.ts';
import { SIDES, type Side, type Sides, type Warning } from '../../types/units.ts';
import { judgeConnections } from './connection-faults.ts';
import { findIntruders, findLive, type Intruder, type Live, type Watched } from './live-connections.ts';
import type { Ledger } from './own-connections.ts';

const LOOK_MS = 100;
/** Time the generator may take to report its connections. */
const TOLD_MS = 400;
/** While an owner is searched. */
const PURSUIT_PAUSE_MS = 3;
/** Mean interval if closed connections are not reported. */
const RANDOM_LOOK_MS = 500;
/** Share of turns, because a look takes time from a window. */
const LOOKED_AT_TURNS = 0.25;
const LATEST_PORT_LOOK_MS = 3_000;

export interface TurnWatch {
	opened(ports: Sides<readonly number[]>): void;
	/** Call after load, before the servers end. */
	finish(): Promise<{ faults: Fault[]; warnings: Warning[] }>;
	stop(): void;
}

export interface TurnWatchOptions {
	readonly servers: Sides<Watched>;
	/** Our processes by name, which may connect. */
	readonly ours: () => Readonly<Record<string, number>>;
	readonly ledger: Ledger;
	/** Resolves once the ledger is as complete as it can be; null if closed connections are not reported. */
	readonly settle: (() => Promise<'told' | 'late' | 'ended'>) | null;
	readonly losses: () => number;
	readonly refusesRival: boolean;
	/** The ledger's clock (ms). */
	readonly clock: () => number;
}

export function watchTurn({ servers, ours, ledger, settle, losses, refusesRival, clock }: TurnWatchOptions): TurnWatch {
	const trees = listTrees(servers);
	const accepted = readPassiveOpens();
	const lostBefore = losses();
	const live: Live[] = [];
	const stopped = new Set<string>();
	let ownOpens = 0;
	let randomAt = clock() + Math.random() * RANDOM_LOOK_MS;
	let portsAt =
		Math.random() < LOOKED_AT_TURNS ? clock() + Math.random() * LATEST_PORT_LOOK_MS : Number.POSITIVE_INFINITY;
	const intruders: Intruder[] = [];
	// The kernel lets only programs of one user share a port.
	const mayShare = SIDES.some((side) => servers[side].uid === null);
	const lookAtPorts = () => {
		if (mayShare) intruders.push(...findIntruders(servers));
	};

	const look = () => {
		const connections = findLive(servers, Object.values(ours()));
		live.push(...connections);
		return connections;
	};
	const findStops = () => {
		for (const side of SIDES) if (findStopped(trees[side]).length > 0) stopped.add(`the ${side} server`);
		for (const [name, pid] of Object.entries(ours())) if (findStopped([pid]).length > 0) stopped.add(name);
	};
	const pursued = new Set<Side>();
	const isUnseen = (side: Side) => !live.some(({ to }) => to === side);
	const isPursuing = () => {
		for (const side of SIDES) {
			if (pursued.has(side)) continue;
			if (ledger.unexplained(servers[side].port, clock() - TOLD_MS).connections > 0) pursued.add(side);
		}
		return [...pursued].some(isUnseen);
	};
	let timer: NodeJS.Timeout;
	const tick = () => {
		findStops();
		if (clock() >= portsAt) {
			portsAt = Number.POSITIVE_INFINITY;
			lookAtPorts();
		}
		let pause = LOOK_MS;
		if (settle === null) {
			if (clock() >= randomAt) {
				randomAt = clock() + 2 * Math.random() * RANDOM_LOOK_MS;
				look();
			}
		} else if (isPursuing()) {
			look();
			// The first connection seen identifies the owner.
			if ([...pursued].some(isUnseen)) pause = PURSUIT_PAUSE_MS;
		}
		timer = setTimeout(tick, pause);
	};
	timer = setTimeout(tick, LOOK_MS);
	// The kernel signals a stopped child at once, however short the stop.
	process.on('SIGCHLD', findStops);
	const stop = () => {
		clearTimeout(timer);
		process.off('SIGCHLD', findStops);
	};
	return {
		stop,
		opened(ports) {
			for (const side of SIDES) {
				ownOpens += ports[side].length;
				for (const peer of ports[side]) ledger.opened(servers[side].port, peer);
			}
		},
		async finish() {
			stop();
			findStops();
			look();
			lookAtPorts();
			const settled = await settle?.();
			findStops();
			if (settled === 'ended') stopped.add('the process that watches connections');
			const now = readPassiveOpens();
			const uncounted = settle !== null || accepted === null || now === null ? null : now - accepted - ownOpens;
			const ended = bySide((side) => ledger.unexplained(servers[side].port));
			for (const side of SIDES) ledger.clear(servers[side].port);
			const { faults, warnings } = judgeConnections({
				live,
				intruders,
				ended,
				uncounted,
				hasLost: losses() > lostBefore || settled === 'late',
				ownUsers: !refusesRival && SIDES.every((side) => servers[side].uid !== null),
			});
			return { faults: [...faults, ...[...stopped].map(describeStop)], warnings };
		},
	};
}

function describeStop(what: string): Fault {
	return { code: 'stopped', side: null, message: `something stopped ${what} while it was measured` };
}

function bySide<T>(make: (side: Side) => T): Sides<T> {
	return { base: make('base'), head: make('head') };
}

/** Returns faults whose side is known, or whose server was reached. */
export async function findCulprits(watch: TurnWatch | undefined): Promise<Fault[]> {
	const { faults = [] } = (await watch?.finish()) ?? {};
	return faults.filter(({ side, code }) => side !== null || REACHED_FAULTS.includes(code));
}

/** Returns `reached`, and `broke` without the faults of the culprits' victims. */
export function withoutVictims(reached: readonly Fault[], broke: readonly Fault[]): Fault[] {
	const culprits = reached.flatMap(({ side }) => side ?? []);
	return [...reached, ...broke.filter(({ side }) => culprits.length === 0 || side === null || culprits.includes(side))];
}
