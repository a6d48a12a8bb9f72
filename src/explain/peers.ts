import { differenceOf, isVarying, rangeOf } from '../stats/repeats.ts';
import {
	type CountedPeer,
	type CountedRepeat,
	PEER_FIGURES,
	type PeerFigure,
	TRIP_TOLERANCE,
} from '../types/explain/counts.ts';
import { SIDES, type Side } from '../types/units.ts';

const BYTES_TOLERANCE_A_REQUEST = 0.25;
const MOST_PEERS = 20;

/** Returns the peers of requests, those with more round trips in head first. */
export function comparePeers(repeats: readonly CountedRepeat[]): readonly CountedPeer[] {
	const counted = repeats.filter(({ base, head }) => base.requests > 0 && head.requests > 0);
	const all = counted.flatMap((repeat) => SIDES.flatMap((side) => repeat[side].peers));
	const names = new Map<string, string | null>();
	for (const { address, name } of all) names.set(address, names.get(address) ?? name);
	return [...names]
		.map(([address, name]) => comparePeer(counted, address, name))
		.filter(({ roundTrips: { base, head } }) => Math.max(base, head) >= TRIP_TOLERANCE)
		.toSorted((a, b) => moreOf(b) - moreOf(a) || (a.address < b.address ? -1 : 1))
		.slice(0, MOST_PEERS);
}

function comparePeer(repeats: readonly CountedRepeat[], address: string, name: string | null): CountedPeer {
	const figure = (kind: PeerFigure) => {
		const amounts = (side: Side) =>
			repeats.map(({ [side]: { peers, requests } }) => {
				const peer = peers.find((each) => each.address === address);
				return (peer?.[kind] ?? 0) / requests;
			});
		const [base, head] = [amounts('base'), amounts('head')];
		const tolerance = kind === 'roundTrips' ? TRIP_TOLERANCE : BYTES_TOLERANCE_A_REQUEST;
		return {
			base: rangeOf(base)[0],
			head: rangeOf(head)[0],
			varies: isVarying(base, tolerance) || isVarying(head, tolerance),
			differs: differenceOf(base, head, tolerance) !== 0,
		};
	};
	const [roundTrips, bytesSent, bytesReceived] = PEER_FIGURES.map(figure) as [Figure, Figure, Figure];
	return { address, name, roundTrips, bytesSent, bytesReceived };
}

type Figure = CountedPeer['roundTrips'];

function moreOf({ roundTrips: { base, head, differs } }: CountedPeer): number {
	return differs ? head - base : 0;
}
