/** Users and namespaces of a further lane: they see the builds of the first lane, and reach nothing else of it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { findFreePort } from '../../src/measure/ports.ts';
import { readFolder } from '../../src/process/process-tree.ts';
import { listProcessesOf } from '../../src/process/users/user-processes.ts';
import { SIDES } from '../../src/types/units.ts';
import { BOTH_WAYS, makeOrdinaryUser, type Who, whyNoPortGuard } from '../support/ordinary-user.ts';
import type { Client, Uids } from './isolation-client.ts';
import { openClient } from './isolation-client.ts';
import { makePlace, openPlace, until } from './place.ts';

const user = await makeOrdinaryUser();
const noPortGuard = await whyNoPortGuard();
const LEVELS = ['users', 'namespace'] as const;

/** Where a server may run, the first lane first. */
const PLACES = [1, 2].flatMap((lane) => SIDES.map((side) => ({ side, lane })));

interface Lanes {
	readonly iso: Client;
	/** Of the running user, with all private folders below. */
	readonly folder: string;
	/** Checkouts of both sides, each with a folder that its side may write. */
	readonly checkouts: Readonly<Record<'base' | 'head', string>>;
	/** Of the second lane. */
	readonly uids: Uids;
}

/** Files of a build: some that only it may read, one that only it may run, a link, and a folder that it may write. */
const BUILD = `
set -e
mkdir -p "$HOME/deep/er" && echo home >"$HOME/deep/er/file" && chmod 600 "$HOME/deep/er/file" && chmod 700 "$HOME/deep"
printf '#!/bin/sh\\necho ran\\n' >"$HOME/program" && chmod 700 "$HOME/program"
ln -s deep/er/file "$HOME/link"
echo seed >var/database && chmod 600 var/database
`;

/** Two sides that have built, and a second lane. */
async function openLanes(t: TestContext, who: Who, level: (typeof LEVELS)[number]): Promise<Lanes> {
	const { iso, folder } = await openPlace(t, who, user, { wish: level });
	assert.equal(iso.whyOneLane, null);
	const checkouts = { base: join(folder, 'checkouts/base'), head: join(folder, 'checkouts/head') };
	for (const side of SIDES) {
		const checkout = checkouts[side];
		await iso.us(`mkdir -p '${checkout}/var' && echo ${side} >'${checkout}/file'`);
		await iso.order({ do: 'give', side, folder: join(checkout, 'var') });
		const built = await iso.run(side, BUILD, checkout);
		assert.equal(built.status, 0, built.stderr);
		await iso.order({ do: 'allow', side, folder: checkout, shared: false });
	}
	return { iso, folder, checkouts, uids: await iso.order<Uids>({ do: 'lane' }) };
}

for (const who of BOTH_WAYS) {
	for (const level of LEVELS) {
		test(`${who}: with ${level} a further lane finds the built files at the same places, and writes its own copies`, async (t) => {
			const { iso, folder, checkouts, uids } = await openLanes(t, who, level);
			const all = [...Object.values(iso.uids), ...Object.values(uids)];
			assert.equal(new Set(all).size, level === 'users' ? 4 : 1);
			for (const side of SIDES) {
				const look = 'echo "$HOME"; cat "$HOME/deep/er/file" "$HOME/link" file var/database && "$HOME/program"';
				const [first, second] = [
					await iso.run(side, look, checkouts[side]),
					await iso.run(side, look, checkouts[side], 2),
				];
				assert.deepEqual(second, first);
				assert.equal(first.status, 0, first.stderr);
				const write =
					'echo two >"$HOME/deep/er/file" && echo two >var/database && touch var/mine "$HOME/mine" && for f in /tmp /var/tmp /dev/shm "$TMPDIR"; do echo two >"$f/lane" || exit 1; done';
				assert.equal((await iso.run(side, write, checkouts[side], 2)).status, 0);
				assert.equal((await iso.run(side, look, checkouts[side])).stdout, first.stdout);
				const none = 'ls var/mine "$HOME/mine" /tmp/lane /var/tmp/lane /dev/shm/lane "$TMPDIR/lane" 2>/dev/null';
				assert.equal((await iso.run(side, none, checkouts[side])).stdout, '');
				assert.notEqual(
					(await iso.run(side, 'touch file || touch new', checkouts[side], 2)).status,
					0,
					'the rest is read',
				);
				if (level === 'users') assert.equal((await iso.run(side, 'id -u', '/', 2)).stdout, `${uids[side]}\n`);
			}
			if (level === 'namespace') return;
			assert.notEqual(
				(await iso.run('head', 'cat file', checkouts.base, 2)).status,
				0,
				'a checkout is its side’s alone',
			);
			const copies = (await iso.us(`echo '${folder}'/sides/run-*/${uids.base}/copies`)).stdout.trim();
			assert.ok(existsSync(copies), copies);
			for (const { side, lane } of PLACES)
				assert.equal((await iso.run(side, `ls '${copies}'`, '/', lane)).status === 0, side === 'base' && lane === 2);
		});

		test(`${who}: with ${level} no lane sees, signals or outlives processes of another one`, async (t) => {
			const { iso, uids } = await openLanes(t, who, level);
			const sleep = 'setsid env -i sleep 300 & echo ready; exec sleep 300';
			const servers: { pid: number }[] = [];
			for (const { side, lane } of PLACES) servers.push(await iso.start(side, sleep, lane));
			const temporary = new Map<string, string>();
			for (const { side, lane } of PLACES)
				temporary.set(`${side} ${lane}`, (await iso.run(side, 'echo "$TMPDIR"', '/', lane)).stdout.trim());
			assert.equal(new Set(temporary.values()).size, PLACES.length);
			for (const { side, lane } of PLACES) {
				const ask = (script: string) => iso.run(side, script, '/', lane);
				const pids = (await ask('ls /proc')).stdout.split('\n').filter((name) => /^\d+$/.test(name));
				assert.ok(pids.length >= 3 && pids.length <= 6, `it sees ${pids}`);
				for (const [place, path] of temporary)
					if (place !== `${side} ${lane}`) assert.notEqual((await ask(`ls '${path}'`)).status, 0, place);
				const sideUid = (lane === 1 ? iso.uids : uids)[side];
				const others = [iso.uids, uids]
					.flatMap((all) => SIDES.flatMap((one) => all[one] ?? []))
					.filter((uid) => uid !== sideUid);
				for (const pid of others.flatMap(listProcessesOf))
					assert.notEqual((await ask(`kill -s CONT ${pid} || cat /proc/${pid}/environ`)).status, 0);
			}
			const alive = async (at: number) => (await iso.order({ do: 'ended', pid: servers[at]?.pid ?? 0 })) === null;
			const living = async () => Promise.all(servers.map((_, at) => alive(at)));
			assert.ok((await iso.order<number>({ do: 'end', side: 'head', lane: 2 })) >= 2);
			await until(async () => !(await alive(3)));
			assert.deepEqual(await living(), [true, true, true, false]);
			assert.ok((await iso.order<number>({ do: 'end', side: 'base', lane: 1 })) >= 2);
			await until(async () => !(await alive(0)));
			assert.deepEqual(await living(), [false, true, true, false]);
		});
	}

	for (const end of ['close', 'kill -9'] as const) {
		test(`${who}: of a further lane no process, file or mount is left after ${end}`, async (t) => {
			const { iso, folder, uids } = await openLanes(t, who, 'users');
			for (const lane of [1, 2]) await iso.start('head', 'setsid env -i sleep 300 & echo ready', lane);
			const all = [...Object.values(iso.uids), ...Object.values(uids)].flatMap((uid) => uid ?? []);
			await until(() => listProcessesOf(uids.head ?? 0).length > 0);
			if (end === 'close') await iso.close();
			else {
				process.kill(iso.pid, 'SIGKILL');
				await once(iso.host, 'exit');
			}
			await until(() => all.every((uid) => listProcessesOf(uid).length === 0));
			await until(() => !existsSync(join(folder, 'sides')) || readFolder(join(folder, 'sides')).length === 0);
		});
	}

	test(`${who}: requests to a server of another lane are refused, whichever side it is of`, {
		skip: noPortGuard ?? false,
	}, async (t) => {
		const { iso } = await openLanes(t, who, 'users');
		assert.equal(iso.refusesRival, true);
		const port = await findFreePort();
		await iso.order({ do: 'listens', side: 'head', lane: 2, port });
		const serve = `exec node -e 'require("http").createServer((q, a) => a.end("two")).listen(${port}, "127.0.0.1", () => console.log("ready"))'`;
		await iso.start('head', serve, 2);
		const ask = `node -e 'fetch("http://127.0.0.1:${port}").then((a) => a.text()).then(console.log, (e) => console.log(e.cause.code))'`;
		const answerTo = async (side: 'base' | 'head', lane: number) => (await iso.run(side, ask, '/', lane)).stdout.trim();
		for (const [side, lane] of [
			['base', 1],
			['head', 1],
			['base', 2],
		] as const)
			await until(async () => (await answerTo(side, lane)) === 'ECONNREFUSED');
		assert.equal(await answerTo('head', 2), 'two', 'its own are not');
	});
}

for (const level of LEVELS) {
	test(`with ${level} no further lane opens if the disk has no room for its copies, and the disk is no fuller then`, async (t) => {
		const folder = makePlace(t, 'root', user);
		// A disk of 32 MB that only the client sees; temporary files are on it too.
		const disk = `mount -t tmpfs -o size=32m,mode=711 tmpfs '${folder}' && TMPDIR='${folder}' exec "$@"`;
		const through = ['unshare', '--mount', '--propagation', 'private', '--', '/bin/sh', '-c', disk, 'sh'];
		const iso = await openClient(t, { who: 'root', user, wish: level, folder, through });
		assert.deepEqual([iso.level, iso.whyOneLane], [level, null]);
		const build = await iso.run('base', 'head -c 20000000 /dev/zero >"$HOME/built"');
		assert.equal(build.status, 0, build.stderr);
		await assert.rejects(iso.order({ do: 'lane' }), /could not be copied \(is the disk full\?\)/);
		const look = await iso.run('base', 'wc -c <"$HOME/built" && head -c 8000000 /dev/zero >"$HOME/more"');
		assert.deepEqual([look.status, look.stdout.trim()], [0, '20000000'], look.stderr);
	});
}

test('without a view there is one lane, with the reason', async (t) => {
	const folder = makePlace(t, 'root', user);
	// Other users enter it, as no view shows it to them.
	chmodSync(dirname(folder), 0o711);
	const through = ['setpriv', '--bounding-set=-sys_admin', '--inh-caps=-sys_admin', '--'];
	const iso = await openClient(t, { who: 'root', user, folder, through });
	assert.equal(iso.level, 'users');
	assert.match(
		iso.whyOneLane ?? '',
		/^the isolation is users without a view of its own \(.*\), so the servers of two lanes would/,
	);
});
