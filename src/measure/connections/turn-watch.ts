/** Watches the servers of one turn from outside while they are loaded: who connects to them, and who stops them. */
import { listTrees } from '../../process/process-tree.ts';
import { findStopped } from '../../process/processes.ts';
import { readPassiveOpens } from '../../process/socket-table.ts';
import { type Fault, REACHED_FAULTS } from '../../types/round.ts';
import { SIDES, type Side, type Sides, type Warning } from '../../types/units.ts';
import { judgeConnections } from './connection-faults.ts';
import type { Ledger } from './ledger.ts';
import { findIntruders, findLive, type Intruder, type Live, type Watched } from './live-connections.ts';

/** How often it is looked whether something is wrong. */
const LOOK_MS = 100;
/** How long the generator may take to report a connection of ours. */
const TOLD_MS = 400;
/** Rest between two looks at the kernel's table while somebody is pursued. */
const PURSUIT_PAUSE_MS = 3;
/** Mean time between two looks at the table where the kernel does not report each connection that ends. */
const RANDOM_LOOK_MS = 500;
/**
 * Share of the turns in which it is looked at a random moment who else listens, besides at the end: a look costs a window some of
 * its time.
 */
const LOOKED_AT_TURNS = 0.25;
const LATEST_PORT_LOOK_MS = 3_000;

export interface TurnWatch {
	/** The generator has opened connections from these ports. */
	opened(ports: Sides<readonly number[]>): void;
	/** Ends the watch, with the load over and the servers still there. */
	finish(): Promise<{ faults: Fault[]; warnings: Warning[] }>;
	/** Ends the watch without asking what it saw. */
	stop(): void;
}

export interface TurnWatchOptions {
	readonly servers: Sides<Watched>;
	/** Processes of ours, which may connect and must not be stopped either. */
	readonly ours: () => Readonly<Record<string, number>>;
	readonly ledger: Ledger;
	/** Resolves once all ended connections are in the ledger, or will not be. Null where nobody reports them. */
	readonly settle: (() => Promise<'told' | 'late' | 'ended'>) | null;
	/** How often the kernel had more to tell than could be read, so far. */
	readonly losses: () => number;
	/** Whether no side can connect to the other one's server. */
	readonly refusesRival: boolean;
	/** Milliseconds, as the ledger's clock. */
	readonly clock: () => number;
}

/** Begins to watch at once. */
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
		const found = findLive(servers, Object.values(ours()));
		live.push(...found);
		return found;
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
			// Whose they are is known at the first that is seen: the windows need not suffer any longer.
			if ([...pursued].some(isUnseen)) pause = PURSUIT_PAUSE_MS;
		}
		timer = setTimeout(tick, pause);
	};
	timer = setTimeout(tick, LOOK_MS);
	// The kernel tells a parent at once when a child is stopped, also for a moment that no regular look would meet.
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

/** Returns who reached for the other side while `watch` looked, or that somebody did; ends the watch. */
export async function findCulprits(watch: TurnWatch | undefined): Promise<Fault[]> {
	const { faults = [] } = (await watch?.finish()) ?? {};
	return faults.filter(({ side, code }) => side !== null || REACHED_FAULTS.includes(code));
}

/** Returns the faults of `reached` and then those of `broke`, except for those of a side that was reached for: they are not its own. */
export function withoutVictims(reached: readonly Fault[], broke: readonly Fault[]): Fault[] {
	const culprits = reached.flatMap(({ side }) => side ?? []);
	return [...reached, ...broke.filter(({ side }) => culprits.length === 0 || side === null || culprits.includes(side))];
}
