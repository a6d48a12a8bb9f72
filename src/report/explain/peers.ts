import { plainText } from '../../text/escape.ts';
import { type Phrase, phrase } from '../../text/phrase.ts';
import type { CountedPeer } from '../../types/explain/counts.ts';
import type { Block } from '../document/document.ts';
import { formatWork } from './code-words.ts';

const LABEL_LIMIT = 60;

type Figure = CountedPeer['roundTrips'];

/** Returns `Head makes 2 instead of 1 round trips a request to postgres (127.0.0.1:5432).` */
export function tripWords(peer: CountedPeer): Phrase {
	const { base, head, varies } = peer.roundTrips;
	const trips = `${varies ? 'about ' : ''}${formatWork(head)} instead of ${formatWork(base)}`;
	return phrase`Head makes ${trips} round trips a request to ${peerWords(peer)}.`;
}

export function peerBlocks(peers: readonly CountedPeer[]): readonly Block[] {
	if (peers.length === 0) return [];
	return [
		{
			kind: 'table',
			columns: [
				{ label: 'other programs', align: 'left', shrinks: true },
				{ label: 'round trips a request', align: 'right' },
				{ label: 'bytes sent', align: 'right' },
				{ label: 'bytes received', align: 'right' },
			],
			rows: peers.map((peer) => [
				peerWords(peer),
				figureWords(peer.roundTrips),
				figureWords(peer.bytesSent),
				figureWords(peer.bytesReceived),
			]),
			note: 'Base → head, over TCP. A round trip is a segment with data, sent or received, whichever are fewer: queries that are sent together count once.',
		},
	];
}

function peerWords({ name, address }: CountedPeer): Phrase {
	const place = { code: plainText(address, LABEL_LIMIT) };
	return name === null ? phrase`${place}` : phrase`${{ code: plainText(name, LABEL_LIMIT) }} (${place})`;
}

function figureWords({ base, head, varies, differs }: Figure): Phrase {
	const about = varies ? '~' : '';
	return [differs ? `${about}${formatWork(base)} → ${about}${formatWork(head)}` : `${about}${formatWork(head)}`];
}
