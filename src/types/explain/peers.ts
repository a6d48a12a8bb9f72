/** Round trips and bytes between a server and other programs. Names and addresses are untrusted text. */
import { described, FLAG, type Infer, NUMBER, objectOf, TEXT, TEXT_OR_NULL } from '../schema.ts';

/** A round trip a request; one query more in one of 50 requests is 0.02. */
export const TRIP_TOLERANCE = 0.01;

export const PEER_FIGURES = ['roundTrips', 'bytesSent', 'bytesReceived'] as const;
export type PeerFigure = (typeof PEER_FIGURES)[number];

/** Of one side. */
export interface PeerCount extends Readonly<Record<PeerFigure, number>> {
	/** `127.0.0.1:5432`. */
	readonly address: string;
	/** `postgres`; null if unknown. */
	readonly name: string | null;
}

const FIGURE = objectOf({
	base: described(NUMBER, 'a request, the least of all repeats'),
	head: described(NUMBER, 'a request, the least of all repeats'),
	varies: described(FLAG, 'no second repeat confirmed the least count of a side'),
	differs: described(FLAG, 'by more than repeats of a side do'),
});

export type CountedPeer = Infer<typeof COUNTED_PEER>;
export const COUNTED_PEER = objectOf({
	address: TEXT,
	name: described(TEXT_OR_NULL, 'the program that listens there, or the usual one of its port'),
	roundTrips: described(FIGURE, 'TCP segments with data, sent or received, whichever are fewer'),
	bytesSent: FIGURE,
	bytesReceived: FIGURE,
});
