/** Round trips of both sides with the same peers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparePeers } from '../../src/explain/peers.ts';
import type { CountedRepeat, PeerCount, SideCount } from '../../src/types/explain/counts.ts';

const REQUESTS = 200;

function peer(roundTrips: number, more: Partial<PeerCount> = {}): PeerCount {
	return {
		address: '127.0.0.1:5432',
		name: 'postgres',
		bytesSent: 60 * roundTrips,
		bytesReceived: 0,
		roundTrips,
		...more,
	};
}

function side(...peers: readonly PeerCount[]): SideCount {
	return { requests: REQUESTS, scripts: [], work: {}, peers, unseen: [] };
}

const repeat = (base: SideCount, head: SideCount): CountedRepeat => ({ base, head });

test('one more query in one of 50 requests is a difference', () => {
	const [listed] = comparePeers([1, 2, 3].map(() => repeat(side(peer(200)), side(peer(204)))));
	assert.deepEqual(listed?.roundTrips, { base: 1, head: 1.02, varies: false, differs: true });
	assert.deepEqual(listed?.bytesSent, { base: 60, head: 61.2, varies: false, differs: true });
	assert.deepEqual(listed?.bytesReceived, { base: 0, head: 0, varies: false, differs: false });
});

test('one heartbeat in 200 requests, or in one repeat, is no difference', () => {
	const [once] = comparePeers([1, 2, 3].map(() => repeat(side(peer(200)), side(peer(201)))));
	assert.equal(once?.roundTrips.differs, false);
	assert.deepEqual(comparePeers([1, 2].map(() => repeat(side(), side(peer(1))))), []);
	const heads = [200, 210, 200].map((trips) => repeat(side(peer(200)), side(peer(trips))));
	assert.equal(comparePeers(heads)[0]?.roundTrips.differs, false);
});

test('counts that no repeat confirms vary, and differ only if all of head exceed all of base', () => {
	const apart = [300, 310, 320].map((trips) => repeat(side(peer(200)), side(peer(trips))));
	assert.deepEqual(comparePeers(apart)[0]?.roundTrips, { base: 1, head: 1.5, varies: true, differs: true });
	const across = [190, 310, 320].map((trips) => repeat(side(peer(200)), side(peer(trips))));
	assert.deepEqual(comparePeers(across)[0]?.roundTrips, { base: 1, head: 0.95, varies: true, differs: false });
});

test('a new peer comes first, and an unchanged one is listed', () => {
	const cache = peer(400, { address: '10.0.0.2:6379', name: null });
	const listed = comparePeers([1, 2].map(() => repeat(side(peer(200)), side(peer(200), cache))));
	assert.deepEqual(
		listed.map(({ address, roundTrips: { base, head } }) => [address, base, head]),
		[
			['10.0.0.2:6379', 0, 2],
			['127.0.0.1:5432', 1, 1],
		],
	);
	assert.deepEqual(comparePeers([repeat({ ...side(), requests: 0 }, side(cache))]), []);
});
