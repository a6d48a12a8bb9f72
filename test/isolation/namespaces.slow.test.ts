import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { asRoot, BOTH_WAYS, makeOrdinaryUser, type Who } from '../support/ordinary-user.ts';
import { assertOwnQueues, openClient } from './isolation-client.ts';

const user = await makeOrdinaryUser();

async function open(t: TestContext, who: Who) {
	const root = (...argv: readonly string[]) => {
		const [program = '', ...args] = asRoot(argv);
		execFileSync(program, args);
	};
	const folder = realpathSync(mkdtempSync('/var/tmp/benchgate-namespace-'));
	t.after(() => root('rm', '-rf', folder));
	mkdirSync(join(folder, 'cache'));
	const tools = join(folder, 'tools');
	mkdirSync(tools);
	chmodSync(tools, 0o777);
	writeFileSync(join(folder, 'secret'), 'secret');
	chmodSync(join(folder, 'secret'), 0o644);
	if (who === 'sudo') root('chown', '-R', user.name, folder);
	const cache = join(folder, 'cache');
	const iso = await openClient(t, { who, user, wish: 'namespace', folder: cache, needed: [tools] });
	assert.deepEqual([iso.level, iso.reason, iso.readOnly, iso.hidesProcesses], ['namespace', null, true, true]);
	return { iso, folder };
}

for (const who of BOTH_WAYS) {
	test(`${who}: behind namespaces a side sees only itself, and writes only its own folders`, async (t) => {
		const { iso, folder } = await open(t, who);
		const head = await iso.start('head', 'echo ready; exec sleep 300');
		const write =
			'for f in "$HOME" "$TMPDIR" /tmp; do echo x >"$f/file" || exit 1; done; cat "$HOME/file"; echo "$GREETING"';
		assert.equal((await iso.run('base', write)).stdout, 'x\nhello\n');
		assert.ok(!existsSync('/tmp/file'));
		const attempts = {
			'signal us': `kill -s CONT ${iso.pid}`,
			'signal the other side': `kill -s CONT ${head.pid}`,
			'change a tool': `touch '${folder}/tools/node'`,
			'read files beside the cache': `cat '${folder}/secret'`,
			'write into the cache': `touch '${folder}/cache/new'`,
			'change its view': 'mount -t tmpfs none /mnt || umount /proc || mount -o remount,rw none /',
			'change it from within': `unshare --user --map-root-user --mount sh -c "mount -o remount,bind,rw none / || umount '${folder}'"`,
			'gain rights': 'sudo -n true',
			'end its keeper': 'kill -s KILL 1; [ ! -e /proc/1 ]',
		};
		for (const [trick, script] of Object.entries(attempts)) {
			assert.notEqual((await iso.run('base', script)).status, 0, trick);
		}
		assert.equal(await iso.order({ do: 'ended', pid: head.pid }), null);
		await assertOwnQueues(iso);
	});

	test(`${who}: behind namespaces a folder can be written while it is given, and nothing survives an end`, async (t) => {
		const { iso, folder } = await open(t, who);
		const built = join(folder, 'cache', 'built');
		await iso.us(`mkdir '${built}'; echo one >'${built}/one'`);
		assert.notEqual((await iso.run('base', 'echo two >two', built)).status, 0);
		await iso.order({ do: 'give', side: 'base', folder: built });
		assert.equal((await iso.run('base', 'echo two >two', built)).status, 0);
		assert.notEqual((await iso.run('head', 'echo two >three', built)).status, 0);
		await iso.order({ do: 'seal', side: 'base', folder: built });
		assert.notEqual((await iso.run('base', 'echo two >four', built)).status, 0);
		assert.equal((await iso.run('base', 'cat one two', built)).stdout, 'one\ntwo\n');
		await iso.start('base', 'setsid env -i sleep 300 & setsid env -i sleep 300 & sleep 0.1; echo ready');
		assert.ok((await iso.order<number>({ do: 'end', side: 'base' })) >= 2);
		assert.equal(await iso.order<number>({ do: 'end', side: 'base' }), 0);
		assert.equal((await iso.run('base', 'echo still here')).stdout, 'still here\n');
		const server = await iso.start('base', 'echo ready; exec sleep 300');
		await iso.order({ do: 'signal', side: 'base', pid: server.pid, signal: 'SIGTERM' });
		for (let attempt = 0; (await iso.order({ do: 'ended', pid: server.pid })) === null; attempt++) {
			assert.ok(attempt < 2_400, 'it did not end');
			await delay(25);
		}
	});
}
