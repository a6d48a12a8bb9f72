/** The port guard, with its tables in a separate network namespace. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openPortGuard } from '../../src/isolation/guard-ports.ts';

test('there is no guard without nft, or without the right to make tables', async (t) => {
	assert.equal(await openPortGuard(null, 'root', 'benchgate_test'), null);
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-nft-'));
	t.after(() => rmSync(folder, { recursive: true }));
	const nft = join(folder, 'nft');
	const says = 'echo "Error: Could not process rule: Operation not permitted" >&2';
	writeFileSync(nft, `#!/bin/sh\n${says}\n[ "$1" != -i ] || cat >/dev/null\nexit 1\n`, { mode: 0o755 });
	assert.equal(await openPortGuard(nft, 'root', 'benchgate_test'), null);
});

/**
 * Program for the network namespace: tracks all connections, guards one of two ports, and counts the entries that a
 * connection adds.
 */
const COUNTING = `
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { openPortGuard } from '${new URL('../../src/isolation/guard-ports.ts', import.meta.url).pathname}';
const run = (...command) => execFileSync(command[0], command.slice(1));
run('ip', 'link', 'set', 'lo', 'up');
run('nft', 'add table inet tracking');
run('nft', 'add chain inet tracking out { type filter hook output priority 0; }');
run('nft', 'add rule inet tracking out ct state new counter');
const tracked = () => Number(readFileSync('/proc/sys/net/netfilter/nf_conntrack_count', 'utf8'));
const [one, other] = [createServer(), createServer()];
for (const server of [one, other]) await once(server.listen(0, '127.0.0.1'), 'listening');
const guard = await openPortGuard('/usr/sbin/nft', 'root', 'benchgate_counting');
guard.refuse([64000], one.address().port);
// The guard's nft works in the background.
const list = () => spawnSync('nft', ['list', 'set', 'inet', 'benchgate_counting', 'served'], { encoding: 'utf8' }).stdout;
while (!list().includes(String(one.address().port))) await setTimeout(20);
const added = [];
for (const server of [one, other]) {
	const before = tracked();
	const socket = connect(server.address().port, '127.0.0.1');
	await once(socket, 'connect');
	added.push(tracked() - before);
	socket.destroy();
}
console.log(JSON.stringify(added));
await guard.close();
process.exit(0);
`;

test('connections to a guarded port are not tracked, so that a full table of the kernel blocks none', (t) => {
	const isRoot = process.getuid?.() === 0;
	if (!isRoot || !['/usr/sbin/nft', '/proc/sys/net/netfilter/nf_conntrack_count'].every((path) => existsSync(path)))
		return t.skip('it needs root, nft, and a kernel that tracks connections');
	const argv = ['--net', process.execPath, '--input-type=module', '--eval', COUNTING];
	const { stdout, stderr } = spawnSync('unshare', argv, { encoding: 'utf8', timeout: 60_000 });
	assert.deepEqual(JSON.parse(stdout.trim() || 'null'), [0, 1], stderr);
});
