/** Pure: what was seen of connections to a pair's servers during a turn → faults and warnings. */
import type { Fault } from '../../types/round.ts';
import { type Fraction, otherSide, SIDES, type Side, type Sides, type Warning } from '../../types/units.ts';
import type { Unexplained } from './ledger.ts';
import type { Live } from './live-connections.ts';

/** Requests of others that cannot change a result: as a share of our own, and of however few of these. */
const MOST_FOREIGN: Fraction = 0.002;
const FEW_REQUESTS = 20;
/** Servers that connect to themselves do so about as often as each other: only what one has beyond this is another's doing. */
const ALIKE = 2;
/** `GET / HTTP/1.0` and two line ends: no request is shorter, or hardly any. */
const FEWEST_REQUEST_BYTES = 18;

/** What a turn's watch has seen. */
export interface Evidence {
	/** Connections seen open, each as often as it was seen. */
	readonly live: readonly Live[];
	/** Connections that ended before it was seen whose they were. */
	readonly ended: Sides<Unexplained>;
	/** Connections accepted by anybody, beyond those that are known; null where each is told apart. */
	readonly uncounted: number | null;
	/** Whether more connections ended than could be told of. */
	readonly hasLost: boolean;
	/** Answers each side gave us. */
	readonly answers: Sides<number>;
}

/** Returns how many requests the connections can have carried at most; opening one costs about as much as a request. */
export function weightOf({ connections, bytes }: Unexplained): number {
	return connections + Math.floor(bytes / FEWEST_REQUEST_BYTES);
}

/**
 * Returns the faults of a turn, `foreign-connections`, on the side that connected to the other's server, or on none where that
 * could not be told; and the warning `unexplained-connections` for too few of them to matter. A server's connections to itself
 * are its own business: where it was seen to make them, or both sides have them alike, what ended unseen counts as such too.
 */
export function judgeConnections(evidence: Evidence): { faults: Fault[]; warnings: Warning[] } {
	const faults: Fault[] = [];
	const warnings: Warning[] = [];
	for (const victim of SIDES) {
		const { connections } = evidence.ended[victim];
		const foreign = findForeign(evidence, victim);
		if (foreign !== null) faults.push(foreign);
		else if (connections > 0 && !connectsToItself(evidence, victim))
			warnings.push(
				unexplained(
					`Connections ${toPort(victim)} ended before it could be seen who opened them. They were too few to matter, or both servers have them alike, as servers that connect to themselves do.`,
				),
			);
	}
	if (evidence.uncounted !== null && evidence.uncounted > 0 && faults.length === 0) {
		warnings.push(
			unexplained(
				'This machine accepted connections under load that benchgate did not open, and it is not known by which program. Where the command ss is installed (Debian and Ubuntu: package iproute2) it is.',
			),
		);
	}
	if (evidence.hasLost) {
		warnings.push(
			unexplained(
				'More connections ended under load than the kernel could tell of, so some may not have been benchgate’s own.',
			),
		);
	}
	return { faults, warnings };
}

function findForeign(evidence: Evidence, victim: Side): Fault | null {
	const { live, ended, answers } = evidence;
	const rival = otherSide(victim);
	const here = live.filter(({ to }) => to === victim);
	if (here.some(({ from }) => from === rival)) {
		return fault(rival, `processes of the ${rival} server connected ${toPort(victim)} while both were measured`);
	}
	if (here.some(({ from }) => from === null)) {
		return fault(null, `a process that belongs to neither server connected ${toPort(victim)} while it was measured`);
	}
	const most = Math.max(FEW_REQUESTS, MOST_FOREIGN * answers[victim]) + ALIKE * weightOf(ended[rival]);
	if (connectsToItself(evidence, victim) || weightOf(ended[victim]) <= most) return null;
	const { connections, bytes } = ended[victim];
	return fault(
		null,
		`somebody else than benchgate connected ${toPort(victim)} while it was measured: ${times(connections, 'connection')} with ${bytes} bytes of requests, opened and closed before it could be seen by whom`,
	);
}

function connectsToItself({ live }: Evidence, side: Side): boolean {
	return live.some(({ from, to }) => from === side && to === side);
}

function toPort(victim: Side): string {
	return `to the port of the ${victim} server`;
}

function times(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function fault(side: Side | null, message: string): Fault {
	return { code: 'foreign-connections', side, message };
}

function unexplained(message: string): Warning {
	return { code: 'unexplained-connections', message };
}
