import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseClosed } from '../../../src/measure/connections/closed-connections.ts';
import { createLedger } from '../../../src/measure/connections/own-connections.ts';

const none = { connections: 0, bytes: 0 };

test('one of our connections is accounted for, reported before its end or after it, as often as it was opened', () => {
	const ledger = createLedger(() => 0);
	ledger.opened(20_001, 40_000);
	ledger.closed({ port: 20_001, peer: 40_000, bytes: 100 });
	ledger.closed({ port: 20_001, peer: 40_000, bytes: 200 });
	assert.deepEqual(ledger.unexplained(20_001), { connections: 1, bytes: 200 }, 'opened once, closed twice');
	ledger.opened(20_001, 40_000);
	assert.deepEqual(ledger.unexplained(20_001), none);
});

test('the same port of ours towards the other server explains nothing', () => {
	const ledger = createLedger(() => 0);
	ledger.opened(20_002, 40_000);
	ledger.closed({ port: 20_001, peer: 40_000, bytes: 100 });
	assert.deepEqual(ledger.unexplained(20_001), { connections: 1, bytes: 100 });
	assert.deepEqual(ledger.unexplained(20_002), none);
});

test('a recent end may still turn out to be ours, and cleared ones are forgotten', () => {
	let now = 10;
	const ledger = createLedger(() => now);
	ledger.closed({ port: 20_001, peer: 40_000, bytes: 1 });
	now = 20;
	assert.deepEqual(ledger.unexplained(20_001, 9), none);
	assert.deepEqual(ledger.unexplained(20_001, 10), { connections: 1, bytes: 1 });
	ledger.clear(20_001);
	assert.deepEqual(ledger.unexplained(20_001), none);
});

test('the output of ss is read, for both families of addresses; a socket that only listened is no connection', () => {
	const counters = 'cwnd:10 bytes_sent:10 bytes_acked:11 bytes_received:5001 segs_out:3';
	assert.deepEqual(parseClosed(`UNCONN 0      0      127.0.0.1:20001 127.0.0.1:39196 ${counters}`), {
		port: 20_001,
		peer: 39_196,
		bytes: 5001,
	});
	assert.deepEqual(parseClosed(`UNCONN 0 0 [::ffff:127.0.0.1]:20001 [::ffff:127.0.0.1]:39196 segs_in:3`), {
		port: 20_001,
		peer: 39_196,
		bytes: 0,
	});
	assert.equal(parseClosed('UNCONN 0 0 127.0.0.1:20001 0.0.0.0:*'), null);
	assert.equal(parseClosed(''), null);
});
