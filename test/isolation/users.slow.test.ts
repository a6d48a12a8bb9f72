import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { listProcessesOf } from '../../src/process/users/user-processes.ts';
import { SIDES } from '../../src/types/units.ts';
import { asRoot, BOTH_WAYS, makeOrdinaryUser, type Who } from '../support/ordinary-user.ts';
import { assertOwnQueues, type Client, type ClientOptions, openClient } from './isolation-client.ts';

const user = await makeOrdinaryUser();

/** A folder of the running user, and an isolation in it. */
async function open(
	t: TestContext,
	who: Who,
	more: Partial<ClientOptions> = {},
): Promise<{ iso: Client; folder: string }> {
	const folder = makeFolder(t, who);
	const iso = await openClient(t, { who, user, folder: join(folder, 'cache'), ...more });
	assert.deepEqual([iso.level, iso.reason], ['users', null]);
	return { iso, folder: join(folder, 'cache') };
}

/** A folder that only its owner can enter, like a home, with a cache in it. */
function makeFolder(t: TestContext, who: Who): string {
	const folder = realpathSync(mkdtempSync('/var/tmp/benchgate-isolation-'));
	t.after(() => asRootNow('rm', '-rf', folder));
	mkdirSync(join(folder, 'cache'));
	if (who === 'sudo') asRootNow('chown', '-R', user.name, folder);
	return folder;
}

function asRootNow(...argv: readonly string[]): void {
	const [program = '', ...args] = asRoot(argv);
	execFileSync(program, args);
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
	for (let attempt = 0; attempt < 2_400; attempt++) {
		if (await isSo()) return;
		await delay(25);
	}
	assert.fail('it did not happen');
}

for (const who of BOTH_WAYS) {
	test(`${who}: each side is its own user, without rights, with its own home and temporary files`, async (t) => {
		const { iso } = await open(t, who);
		assert.notEqual(iso.uids.base, iso.uids.head);
		for (const side of SIDES) {
			const uid = iso.uids[side];
			const script = 'id -u; id -g; id -G; umask; grep NoNewPrivs /proc/self/status; echo "$USER $GREETING"; whoami';
			const { stdout, status } = await iso.run(side, script);
			assert.deepEqual(
				[status, stdout.trim().split('\n')],
				[0, [uid, uid, uid, '0022', 'NoNewPrivs:\t1', 'app hello', 'app'].map(String)],
			);
			const sudo = await iso.run(side, 'sudo -n id');
			assert.notEqual(sudo.status, 0);
			const write =
				'for f in "$HOME" "$TMPDIR" /tmp /var/tmp /dev/shm; do echo x >"$f/file" || exit 1; done; cat "$HOME/file"';
			assert.equal((await iso.run(side, write)).stdout, 'x\n');
			assert.match((await iso.run(side, 'env')).stdout, /^GREETING=hello$/m);
			assert.doesNotMatch((await iso.run(side, 'env')).stdout, /SUDO_|^MAIL=/m);
		}
		const homes = await Promise.all(SIDES.map((side) => iso.run(side, 'echo "$HOME"; ls -A "$HOME"')));
		assert.equal(new Set(homes.map(({ stdout }) => stdout.split('\n')[0])).size, 2);
		assert.equal(homes[0]?.stdout.length, homes[1]?.stdout.length);
		assert.ok(!existsSync('/tmp/file') && !existsSync('/var/tmp/file') && !existsSync('/dev/shm/file'));
		await assertOwnQueues(iso);
	});

	test(`${who}: a side reaches neither us nor the other side`, async (t) => {
		const folder = makeFolder(t, who);
		const tools = join(folder, 'tools');
		mkdirSync(tools);
		// Like the folder of tools on hosted runners.
		chmodSync(tools, 0o777);
		writeFileSync(join(folder, 'secret'), 'secret');
		chmodSync(join(folder, 'secret'), 0o644);
		const { iso } = await open(t, who, { folder: join(folder, 'cache'), needed: [tools] });
		assert.deepEqual([iso.hidesProcesses, iso.readOnly], [true, true]);
		const head = await iso.start('head', 'echo ready; exec sleep 300');
		const pids = (await iso.run('base', 'ls /proc')).stdout.split('\n').filter((name) => /^\d+$/.test(name));
		assert.ok(pids.length <= 2, `it sees ${pids}`);
		const attempts = {
			'signal us': `kill -s CONT ${iso.pid}`,
			'signal the other side': `kill -s CONT ${head.pid}`,
			'open our debugger': `kill -s USR1 ${iso.pid}`,
			'read our environment': `cat /proc/${iso.pid}/environ`,
			'read our memory': `cat /proc/${iso.pid}/maps`,
			'change a tool': `touch '${tools}/node'`,
			'read files beside the cache': `cat '${folder}/secret'`,
			'list the private folders': `ls '${folder}/cache/sides'`,
			'become another user': `setpriv --reuid ${iso.uids.head} --clear-groups true`,
			'change its view': 'mount -t tmpfs none /mnt || umount /proc',
		};
		for (const [label, script] of Object.entries(attempts)) {
			const { status } = await iso.run('base', script);
			assert.notEqual(status, 0, label);
		}
		const others = (await iso.run('head', 'echo "$HOME"')).stdout.trim();
		assert.notEqual((await iso.run('base', `ls '${others}'`)).status, 0);
		assert.equal((await iso.us(`kill -s 0 ${iso.pid} && echo alive`)).stdout, 'alive\n');
	});

	test(`${who}: a side owns a folder while it builds, and can only read it afterwards`, async (t) => {
		const { iso, folder } = await open(t, who);
		const built = join(folder, 'built');
		const outside = join(folder, 'outside');
		await iso.us(`umask 077; mkdir '${built}' '${outside}'; echo one >'${built}/one'; echo ours >'${outside}/file'`);
		const write = `echo two >two && mkdir -p deep && echo three >deep/three && chmod 000 deep && chmod 4777 two`;
		assert.notEqual((await iso.run('base', write, built)).status, 0);
		await iso.order({ do: 'give', side: 'base', folder: built });
		assert.equal(
			(await iso.run('base', `ln -s '${outside}/file' link && ln -s '${outside}' folder && ${write}`, built)).status,
			0,
		);
		assert.notEqual((await iso.run('head', 'cat one', built)).status, 0);
		await iso.order({ do: 'seal', side: 'base', folder: built });
		assert.equal((await iso.run('base', 'cat one two deep/three', built)).stdout, 'one\ntwo\nthree\n');
		for (const script of [
			'echo x >>two',
			'rm two',
			'touch new',
			'mv deep other',
			'chmod 777 deep',
			'ls -l two | grep s',
		]) {
			assert.notEqual((await iso.run('base', script, built)).status, 0, script);
		}
		assert.notEqual((await iso.run('head', 'cat one', built)).status, 0);
		// Targets of links are unchanged, and all files are ours again.
		const { stdout, stderr, status } = await iso.us(
			`stat -c '%a %u' '${outside}' '${outside}/file' && id -u && rm -r '${built}' '${outside}'`,
		);
		const us = stdout.trim().split('\n').at(-1);
		assert.deepEqual([stdout, stderr, status], [`700 ${us}\n600 ${us}\n${us}\n`, '', 0]);
	});

	test(`${who}: nothing of a side survives its end, whatever it left and cleared`, async (t) => {
		const { iso } = await open(t, who);
		const uid = iso.uids.head ?? 0;
		const script =
			'for i in 1 2 3; do setsid env -i sleep 300 & done; (setsid sh -c "while :; do sleep 0.1 & wait; done" &); echo ready';
		await iso.start('head', script);
		const bystander = await iso.start('base', 'echo ready; exec sleep 300');
		await until(() => listProcessesOf(uid).length >= 4);
		assert.ok((await iso.order<number>({ do: 'end', side: 'head' })) >= 4);
		assert.deepEqual(listProcessesOf(uid), []);
		assert.ok(listProcessesOf(iso.uids.base ?? 0).length > 0, 'the other side goes on');
		assert.equal(await iso.order({ do: 'ended', pid: bystander.pid }), null);
		assert.equal(await iso.order<number>({ do: 'end', side: 'head' }), 0);
	});

	test(`${who}: the launched process leads its group, gets our signals, and its work is counted`, async (t) => {
		const { iso } = await open(t, who);
		const busy = await iso.start('base', 'trap "exit 7" TERM; echo ready; while :; do :; done');
		const { used, pids } = await iso.order<{ used: number; pids: number[] }>({ do: 'tree', pid: busy.pid });
		assert.ok(used >= 0.05, JSON.stringify({ used, pids, busy }));
		// Through sudo our child is sudo's process, not the server's.
		assert.deepEqual([pids.length, pids.includes(busy.pid)], [1, who === 'root']);
		if (who !== 'root') {
			// As root our engine signals the group itself, whatever its owner.
			await iso.order({ do: 'signal', side: 'head', pid: busy.pid, signal: 'SIGTERM' });
			assert.equal(await iso.order({ do: 'ended', pid: busy.pid }), null, 'not by the user of the other side');
		}
		await iso.order({ do: 'signal', side: 'base', pid: busy.pid, signal: 'SIGTERM' });
		await until(async () => (await iso.order({ do: 'ended', pid: busy.pid })) !== null);
		assert.deepEqual(await iso.order({ do: 'ended', pid: busy.pid }), { code: 7, signal: null });
		const plain = await iso.start('base', 'echo ready; exec sleep 300');
		await iso.order({ do: 'signal', side: 'base', pid: plain.pid, signal: 'SIGTERM' });
		await until(async () => (await iso.order({ do: 'ended', pid: plain.pid })) !== null);
		assert.deepEqual(await iso.order({ do: 'ended', pid: plain.pid }), { code: null, signal: 'SIGTERM' });
	});

	test(`${who}: a process that runs an unreadable file and has left the tree is counted too`, async (t) => {
		const { iso } = await open(t, who);
		const hide = 'cp /bin/sh "$TMPDIR/hidden" && chmod 0111 "$TMPDIR/hidden"';
		const work = '( env -i setsid "$TMPDIR/hidden" -c ": >$TMPDIR/left; while :; do :; done" >/dev/null 2>&1 & )';
		// Before it has its own session it is in the group, where it is easily found.
		const hasLeft = 'until [ -e "$TMPDIR/left" ]; do sleep 0.05; done';
		const idle = await iso.start('head', `${hide} && ${work}; ${hasLeft}; echo ready; exec sleep 300`);
		const { used, pids } = await iso.order<{ used: number; pids: number[] }>({ do: 'tree', pid: idle.pid });
		assert.ok(used >= 0.05, JSON.stringify({ used, pids, idle }));
		assert.equal(pids.length, 2);
	});

	test(`${who}: a side has a limit on processes`, async (t) => {
		const { iso } = await open(t, who);
		const { stdout } = await iso.run('head', 'grep "Max processes" /proc/self/limits');
		assert.match(stdout, /Max processes +2048 +2048/);
	});

	test(`${who}: head begins with base's downloads, and links of base lead nowhere`, async (t) => {
		const { iso, folder } = await open(t, who);
		await iso.us(`echo secret >'${folder}/../secret' && chmod 600 '${folder}/../secret'`);
		const fill = `mkdir -p "$HOME/.npm/_cacache/tmp" && echo one >"$HOME/.npm/_cacache/one" && chmod 600 "$HOME/.npm/_cacache/one" && ln -s '${folder}/..' "$HOME/.cache" && echo kept >"$HOME/kept"`;
		assert.equal((await iso.run('base', fill)).status, 0);
		await iso.order({ do: 'share' });
		const { stdout } = await iso.run(
			'head',
			'cat "$HOME/.npm/_cacache/one"; echo two >>"$HOME/.npm/_cacache/one"; cat "$HOME/.npm/_cacache/one"; ls -A "$HOME" | grep -v -e rc -e config; cat "$HOME/.cache/secret"',
		);
		assert.deepEqual(
			stdout
				.split('\n')
				.filter((line) => line !== '')
				.sort(),
			['.cache', '.npm', 'one', 'one', 'two'],
		);
		assert.equal((await iso.run('base', 'cat "$HOME/.npm/_cacache/one"')).stdout, 'one\n');
	});

	for (const end of ['close', 'kill -9'] as const) {
		test(`${who}: no process, file or mount is left after ${end}`, async (t) => {
			const { iso, folder } = await open(t, who);
			const built = join(folder, 'built');
			await iso.us(`mkdir '${built}'`);
			await iso.order({ do: 'give', side: 'head', folder: built });
			await iso.run('head', 'echo x >"$TMPDIR/x"; mkdir -p "$HOME/a/b"; echo x >"$HOME/a/b/c"');
			await iso.start('head', 'setsid env -i sleep 300 & echo ready');
			const uid = iso.uids.head ?? 0;
			await until(() => listProcessesOf(uid).length > 0);
			if (end === 'close') await iso.close();
			else {
				// The host may be a child of sudo.
				process.kill(iso.pid, 'SIGKILL');
				await once(iso.host, 'exit');
			}
			await until(() => listProcessesOf(uid).length === 0);
			await until(
				async () => !existsSync(join(folder, 'sides')) || (await entriesOf(join(folder, 'sides'))).length === 0,
			);
			assert.ok(!existsSync(`/proc/self/root/mnt/0`));
		});
	}

	test(`${who}: builds find what they need: git in our checkout, Node's userInfo, npm`, async (t) => {
		const { iso, folder } = await open(t, who);
		const checkout = join(folder, 'checkout');
		const commit = `git init -q && git -c user.name=t -c user.email=t@t commit -q --allow-empty -m one`;
		await iso.us(`mkdir '${checkout}' && cd '${checkout}' && ${commit}`);
		const git = await iso.run('base', 'git log --format=%s', checkout);
		assert.deepEqual([git.stdout, git.stderr], ['one\n', '']);
		const info = await iso.run(
			'base',
			`node -p 'os.userInfo().username + os.userInfo().uid + (os.userInfo().homedir === process.env.HOME)'`,
		);
		assert.equal(info.stdout, `app${iso.uids.base}true\n`);
		const npm = await iso.run(
			'base',
			'mkdir "$TMPDIR/p" && cd "$TMPDIR/p" && npm init -y >/dev/null && npm pkg set name=one && npm pack && ls',
		);
		assert.match(npm.stdout, /^one-1\.0\.0\.tgz$/m, npm.stderr);
	});
}

test('two runs at once never share a user', async (t) => {
	const runs = await Promise.all(BOTH_WAYS.map((who) => open(t, who)));
	const uids = runs.flatMap(({ iso }) => [iso.uids.base, iso.uids.head]);
	assert.equal(new Set(uids).size, 4);
	assert.ok(uids.every((uid) => uid !== null && uid > 1000));
});

async function entriesOf(folder: string): Promise<string[]> {
	const { readdir } = await import('node:fs/promises');
	return readdir(folder).catch(() => []);
}
