/** Turns a turn's connections into faults and warnings. */
import type { Fault } from '../../types/round.ts';
import { otherSide, SIDES, type Side, type Sides, type Warning } from '../../types/units.ts';
import type { Intruder, Live } from './live-connections.ts';
import type { Unexplained } from './own-connections.ts';

/** Servers connect to themselves about equally often. */
const ALIKE = 2;
/** About the shortest request: `GET / HTTP/1.0` and two line ends. */
const FEWEST_REQUEST_BYTES = 18;

export interface Evidence {
	/** One entry per sighting. */
	readonly live: readonly Live[];
	/** Foreign sockets at server ports, one per sighting. */
	readonly intruders: readonly Intruder[];
	/** Connections that ended before their owner was seen. */
	readonly ended: Sides<Unexplained>;
	/** Accepted connections beyond the known ones; null if each is identified. */
	readonly uncounted: number | null;
	/** More connections ended than the kernel could report. */
	readonly hasLost: boolean;
	/** Each side has its own user: every seen connection has an owner, and can reach the other's server. */
	readonly ownUsers: boolean;
}

/**
 * Returns the faults `foreign-listener` and `foreign-connections`, by the side that connected if known, and the warning
 * `unexplained-connections`. If a server was seen to connect to itself, or both sides run as one user and do so alike,
 * unseen connections count as its own, unless some were unreported.
 */
export function judgeConnections(evidence: Evidence): { faults: Fault[]; warnings: Warning[] } {
	const faults: Fault[] = [];
	const warnings: Warning[] = [];
	for (const victim of SIDES) {
		const intruder = findIntruder(evidence, victim);
		if (intruder !== null) faults.push(intruder);
		const foreign = findForeign(evidence, victim);
		if (foreign !== null) faults.push(foreign);
		else if (evidence.ended[victim].connections > 0 && !connectsToItself(evidence, victim))
			warnings.push(
				unexplained(
					`Connections ${toPort(victim)} ended before it could be seen who opened them. Both servers have about as many, so they probably connect to themselves.`,
				),
			);
	}
	if (evidence.uncounted !== null && evidence.uncounted > 0 && faults.length === 0) {
		warnings.push(
			unexplained(
				'This machine accepted connections under load that benchgate did not open, and it is not known which program opened them. To find out, install the command ss (Debian and Ubuntu: package iproute2).',
			),
		);
	}
	if (evidence.hasLost) {
		warnings.push(
			unexplained(
				'More connections ended under load than the kernel could report, so some may not have been benchgate’s own.',
			),
		);
	}
	return { faults, warnings };
}

/** Another listener on a server's port answers in its place. */
function findIntruder({ intruders }: Evidence, victim: Side): Fault | null {
	const here = intruders.filter(({ at }) => at === victim);
	const intruder = here.find(({ from }) => from !== null) ?? here[0];
	if (intruder === undefined) return null;
	const { from, beside } = intruder;
	const who =
		from === null
			? 'a process that belongs to neither server'
			: `processes of the ${from} server${beside ? ' of another lane' : ''}`;
	const message = `${who} listened on the port of the ${victim} server while it was measured, and may have answered in its place`;
	return { code: 'foreign-listener', side: from, message };
}

function findForeign(evidence: Evidence, victim: Side): Fault | null {
	const { live, ended, hasLost } = evidence;
	const rival = otherSide(victim);
	const here = live.filter(({ to }) => to === victim);
	const side = here.find(({ beside }) => beside)?.from;
	if (side) {
		const whose = `the ${side} server of another lane`;
		return fault(side, `processes of ${whose} connected ${toPort(victim)} while it was measured`);
	}
	if (here.some(({ from }) => from === rival)) {
		return fault(rival, `processes of the ${rival} server connected ${toPort(victim)} while both were measured`);
	}
	if (here.some(({ from }) => from === null)) {
		return fault(null, `a process that belongs to neither server connected ${toPort(victim)} while it was measured`);
	}
	const { connections, bytes } = ended[victim];
	const self = connectsToItself(evidence, victim);
	if (connections === 0 || (!hasLost && (self || (!evidence.ownUsers && isAlike(ended, victim))))) return null;
	// Unreported connections may be foreign.
	if (self) {
		return fault(
			null,
			`the ${victim} server connected to itself while it was measured, and more connections ended than the kernel could report, so it is not known whether others connected to it too. Switch off where it is measured that your server connects to itself`,
		);
	}
	return fault(
		null,
		`a program other than benchgate connected ${toPort(victim)} while it was measured: ${times(connections, 'connection')} with ${bytes} bytes of requests, closed before it could be seen whose they were. If your server connects to itself now and then, switch that off where it is measured`,
	);
}

function isAlike(ended: Sides<Unexplained>, victim: Side): boolean {
	return weightOf(ended[victim]) <= ALIKE * weightOf(ended[otherSide(victim)]);
}

/** The most requests they can have carried; opening a connection costs about as much. */
function weightOf({ connections, bytes }: Unexplained): number {
	return connections + Math.floor(bytes / FEWEST_REQUEST_BYTES);
}

function connectsToItself({ live }: Evidence, side: Side): boolean {
	return live.some(({ from, to, beside }) => from === side && to === side && !beside);
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
