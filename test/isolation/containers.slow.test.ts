/** Levels of isolation in containers: with BusyBox in place of util-linux, and with the root of a user namespace. */
import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fetchBusyBox } from '../support/busybox.ts';
import { makeOrdinaryUser } from '../support/ordinary-user.ts';
import { type Client, openClient } from './isolation-client.ts';
import { makePlace, runAsRoot } from './place.ts';

const user = await makeOrdinaryUser();
/** A uid of the machine without an account. */
const ORDINARY = '61234';
const APART = ['unshare', '--mount', '--propagation', 'private', '--', '/bin/sh', '-c'];

/** Every program except `kept` is BusyBox, in a mount namespace of the client's. */
function withBusyBox(path: string, kept: readonly string[]): readonly string[] {
	const names = [
		'setpriv',
		'unshare',
		'nsenter',
		'mount',
		'umount',
		'find',
		'chown',
		'chgrp',
		'chmod',
		'rm',
		'env',
		'sh',
	];
	const replaced = names.filter((name) => !kept.includes(name)).join(' ');
	// All are found before the first is replaced.
	const script = `for name in ${replaced}; do found="$found $(readlink -f "$(command -v $name)")"; done
for path in $found; do mount --bind '${path}' "$path"; done; exec "$@"`;
	return [...APART, script, 'sh'];
}

/**
 * A container as LXC makes them: root of a user namespace with 65,536 users, behind a partly covered /proc, for which
 * the kernel allows no other one.
 */
function inUserNamespace(): readonly string[] {
	const inner = 'until read -r line </proc/self/uid_map; do sleep 0.05; done; exec "$@"';
	const script = `exec 3<&0; mount --bind /dev/null /proc/uptime
unshare --user --mount --propagation private /bin/sh -c '${inner}' sh "$@" <&3 &
until [ "$(readlink /proc/$!/ns/user)" != "$(readlink /proc/self/ns/user)" ]; do sleep 0.05; done
echo "0 0 65536" >/proc/$!/gid_map; echo "0 0 65536" >/proc/$!/uid_map; wait $!`;
	return [...APART, script, 'sh'];
}

async function openIn(t: TestContext, through: readonly string[], owner?: string): Promise<Client> {
	const folder = makePlace(t, 'root', user);
	if (owner !== undefined) runAsRoot('chown', '-R', owner, dirname(folder));
	return openClient(t, { who: 'root', user, folder, wish: 'auto', through });
}

/** Both sides run as their own users and write only their own files. */
async function assertApart(client: Client): Promise<void> {
	assert.notEqual(client.uids.base, client.uids.head);
	for (const side of ['base', 'head'] as const) {
		const { stdout } = await client.run(side, 'id -u; id -un; echo x >"$HOME/x" && cat "$HOME/x"');
		assert.equal(stdout, `${client.uids[side]}\napp\nx\n`);
		for (const path of ['/etc', '/usr', '/opt', '/root']) {
			const { status } = await client.run(side, `touch ${path}/benchgate-trial`);
			assert.notEqual(status, 0, path);
		}
	}
	const { status } = await client.run('head', `kill -9 ${client.pid}`);
	assert.notEqual(status, 0);
	await client.close();
}

const shown = ({ level, reason, readOnly, hidesProcesses }: Client) => ({ level, reason, readOnly, hidesProcesses });

test('BusyBox with the setpriv of util-linux, as in Alpine, supports users', async (t) => {
	const client = await openIn(t, withBusyBox(fetchBusyBox(), ['setpriv']));
	assert.deepEqual(shown(client), { level: 'users', reason: null, readOnly: true, hidesProcesses: true });
	await assertApart(client);
});

test('BusyBox alone supports nothing, and the reason names the package to install', async (t) => {
	const client = await openIn(t, withBusyBox(fetchBusyBox(), []));
	const reason =
		"this setpriv is BusyBox's and cannot change the user (install util-linux); this unshare is BusyBox's and cannot end what it started (install util-linux)";
	assert.deepEqual(shown(client), { level: 'none', reason, readOnly: false, hidesProcesses: false });
});

test('a container in a user namespace has users, with a note that other processes are visible', async (t) => {
	const client = await openIn(t, inUserNamespace());
	const reason = 'other processes could not be hidden';
	assert.deepEqual(shown(client), { level: 'users', reason, readOnly: true, hidesProcesses: false });
	assert.ok((client.uids.base ?? 0) < 65_536);
	await assertApart(client);
});

test('an ordinary user of such a container without sudo has no isolation, with the reason', async (t) => {
	const drop = `setpriv --reuid ${ORDINARY} --regid ${ORDINARY} --clear-groups --no-new-privs --`;
	const client = await openIn(t, [...inUserNamespace(), ...drop.split(' ')], ORDINARY);
	assert.deepEqual([client.level, client.readOnly], ['none', false]);
	assert.match(client.reason ?? '', /^this user is not root, and sudo .*; user namespaces are not available: /);
});
