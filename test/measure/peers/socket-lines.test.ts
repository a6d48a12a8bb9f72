/** Lines of `ss`, recorded from iproute2 6.1. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findUnixPeers, parseListener, parseSocket } from '../../../src/measure/connections/count-peers.ts';

test('reads data segments and bytes of a connection', () => {
	const line =
		'ESTAB 0 0 [::ffff:127.0.0.1]:33218 [::ffff:127.0.0.1]:5432 uid:1001 ino:77 sk:3befd4 cgroup:/ <-> ts sack cubic bytes_sent:64 bytes_acked:66 bytes_received:99 segs_out:5 segs_in:5 data_segs_out:3 data_segs_in:2 send 80659692308bps';
	assert.deepEqual(parseSocket(line), {
		...{ local: '127.0.0.1:33218', remote: '127.0.0.1:5432', inode: 77, uid: 1001 },
		...{ bytesSent: 64, bytesReceived: 99, segmentsSent: 3, segmentsReceived: 2 },
	});
	const ended = parseSocket('UNCONN 0 0 [::1]:33218 [::1]:5432 ino:0 sk:3 segs_out:1');
	assert.deepEqual([ended?.remote, ended?.inode, ended?.bytesSent], ['[::1]:5432', 0, 0]);
	for (const none of ['', 'UNCONN 0 0 0.0.0.0:23280 0.0.0.0:* ino:0', 'nonsense'])
		assert.equal(parseSocket(none), null);
});

test('reads the listening processes', () => {
	const line =
		'LISTEN 0 244 127.0.0.1:5432 0.0.0.0:* users:(("postgres",pid=12,fd=6),("postgres",pid=13,fd=6)) uid:26 ino:9 sk:1 <->';
	assert.deepEqual(parseListener(line), { port: 5432, inode: 9, uid: 26, pids: [12, 13], program: 'postgres' });
	const other = parseListener('LISTEN 0 128 [::]:22 [::]:* ino:1211 sk:3c0d04 v6only:1 <->');
	assert.deepEqual(other, { port: 22, inode: 1211, uid: 0, pids: [], program: null });
	assert.equal(parseListener('ESTAB 0 0 127.0.0.1:1 127.0.0.1:2 ino:1'), null);
});

test('names Unix sockets of other programs that a process is connected to', () => {
	const lines = [
		'u_str ESTAB 0 0 * 10 * 11',
		'u_str ESTAB 0 0 /run/postgresql/.s.PGSQL.5432 11 * 10',
		'u_str ESTAB 0 0 * 20 * 21',
		'u_str ESTAB 0 0 * 21 * 20',
		'u_str ESTAB 0 0 /run/own.sock 31 * 30',
		'u_str ESTAB 0 0 * 30 * 31',
	];
	assert.deepEqual(findUnixPeers(lines, new Set([10, 20, 30, 31])), ['/run/postgresql/.s.PGSQL.5432']);
});
