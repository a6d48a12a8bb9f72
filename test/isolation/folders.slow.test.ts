/** Folders, logs and settings of a side, shared with us, with other runs, and with the remains of earlier ones. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { ChildOutcome } from '../../src/prepare/child.ts';
import { RUN_USERS } from '../../src/process/users/run-users.ts';
import type { Side } from '../../src/types/units.ts';
import { BOTH_WAYS, makeOrdinaryUser } from '../support/ordinary-user.ts';
import { openClient } from './isolation-client.ts';
import { makePlace, openPlace, runAsRoot } from './place.ts';

const user = await makeOrdinaryUser();
/** A user of a finished run. */
const GONE = String(RUN_USERS.first + RUN_USERS.count - 1);

for (const who of BOTH_WAYS) {
	test(`${who}: two runs at once read the same installed server`, async (t) => {
		const { iso, folder } = await openPlace(t, who, user);
		const other = await openClient(t, { who, user, folder });
		const installed = join(folder, 'workspaces', 'one');
		await iso.us(`mkdir '${installed}'; echo one >'${installed}/file'`);
		await iso.order({ do: 'give', side: 'base', folder: installed });
		await iso.order({ do: 'seal', side: 'base', folder: installed });
		for (const run of [iso, other]) await run.order({ do: 'allow', side: 'base', folder: installed, shared: true });
		for (const run of [iso, other]) {
			assert.equal((await run.run('base', 'cat file', installed)).stdout, 'one\n');
			assert.notEqual((await run.run('base', 'touch new', installed)).status, 0);
		}
	});

	for (const wish of ['users', 'namespace'] as const) {
		// Root can run both sides without namespaces.
		if (wish === 'namespace' && who !== 'sudo') continue;
		test(`${who}: ${wish} hides the programs of each side from the other, in every lane`, async (t) => {
			const { iso, folder } = await openPlace(t, who, user, { wish });
			const [one, other] = ['one', 'other'].map((name) => join(folder, 'workspaces', name)) as [string, string];
			for (const path of [one, other])
				await iso.us(`mkdir '${path}'; echo text >'${path}/file'; chmod -R a+rX '${path}'`);
			const look = async (side: Side, lane?: number) => {
				const seen = await Promise.all(
					[one, other].map((path) => iso.run(side, `ls '${path}'; cat '${path}/file' 2>&1`, '/', lane)),
				);
				return seen.map(({ stdout }) => stdout.startsWith('file\ntext'));
			};
			assert.deepEqual(await look('head'), [true, true]);
			await iso.order({ do: 'hide', folders: { base: [other], head: [one] } });
			assert.deepEqual(
				[await look('base'), await look('head')],
				[
					[true, false],
					[false, true],
				],
			);
			assert.notEqual((await iso.run('head', `touch '${one}/new'; umount '${one}'`)).status, 0);
			await iso.order({ do: 'lane' });
			assert.deepEqual(
				[await look('base', 2), await look('head', 2)],
				[
					[true, false],
					[false, true],
				],
			);
			await iso.order({ do: 'hide', folders: { base: [], head: [other] } });
			assert.deepEqual(
				[await look('base'), await look('head')],
				[
					[true, true],
					[true, false],
				],
			);
		});
	}

	test(`${who}: a side builds and reads whatever our umask`, async (t) => {
		const through = ['/bin/sh', '-c', 'umask 077; exec "$@"', 'sh'];
		const { iso, folder } = await openPlace(t, who, user, { through });
		const copied = join(folder, 'workspaces', 'copied');
		await iso.us(`mkdir -p '${copied}/deep'; echo '#!/bin/sh' >'${copied}/deep/run'; chmod u+x '${copied}/deep/run'`);
		assert.equal((await iso.us(`stat -c %a '${copied}'`)).stdout, '700\n');
		await iso.order({ do: 'allow', side: 'head', folder: copied, shared: true });
		const { stdout, stderr } = await iso.run(
			'head',
			'whoami; ./deep/run && echo ran; echo x >"$HOME/x" && cat "$HOME/x"',
			copied,
		);
		assert.deepEqual([stdout, stderr], ['app\nran\nx\n', '']);
	});

	test(`${who}: files that an earlier run left to a side are taken back`, async (t) => {
		const { iso, folder } = await openPlace(t, who, user);
		const remains = join(folder, 'checkouts', 'left');
		await iso.us(`mkdir -p '${remains}/deep' && echo x >'${remains}/deep/file' && chmod 700 '${remains}/deep'`);
		runAsRoot('chown', '-R', `${GONE}:${GONE}`, remains);
		await iso.order({ do: 'reclaim', folder: remains });
		assert.deepEqual(await iso.us(`rm -r '${remains}'`).then(({ status, stderr }) => [status, stderr]), [0, '']);
		await iso.order({ do: 'reclaim', folder: join(folder, 'nothing') });
	});

	test(`${who}: private folders of long finished runs are removed, and no others`, async (t) => {
		const folder = makePlace(t, who, user);
		const sides = join(folder, 'sides');
		const make = (name: string, uid: string, days: number) => {
			const run = join(sides, name);
			runAsRoot(
				'/bin/sh',
				'-c',
				`mkdir -p '${run}/${uid}/home/a' && chown -R ${uid} '${run}/${uid}' && touch -d '${days} days ago' '${run}'`,
			);
		};
		make('run-gone', GONE, 2);
		make('run-fresh', GONE, 0);
		if (who === 'sudo') runAsRoot('chown', user.name, sides, join(sides, 'run-gone'), join(sides, 'run-fresh'));
		const first = await openClient(t, { who, user, folder });
		assert.equal(first.level, 'users', first.reason ?? '');
		assert.deepEqual([existsSync(join(sides, 'run-gone')), existsSync(join(sides, 'run-fresh'))], [false, true]);
		const [privateName] = (await first.us(`ls '${sides}'`)).stdout.split('\n').filter((name) => name !== 'run-fresh');
		await first.us(`touch -d '2 days ago' '${sides}/${privateName}'`);
		await openClient(t, { who, user, folder });
		assert.equal(
			(await first.run('head', 'touch "$HOME/still" && echo here')).stdout,
			'here\n',
			'that of a run that goes on',
		);
	});

	test(`${who}: a build writes to /dev/stdout and /dev/stderr, and only we read its log`, async (t) => {
		const { iso, folder } = await openPlace(t, who, user);
		const log = join(folder, 'logs', 'one.log');
		await iso.us(`mkdir -m 700 '${folder}/logs'`);
		const argv = [
			'/bin/sh',
			'-c',
			'echo one >>/dev/stdout && echo two >>/dev/stderr && echo three | tee -a /dev/stderr',
		];
		const { succeeded } = await iso.order<ChildOutcome>({ do: 'build', side: 'head', argv, log });
		const { stdout } = await iso.us(`tail -n +2 '${log}'`);
		assert.deepEqual([succeeded, stdout], [true, 'one\ntwo\nthree\nthree\n']);
		assert.notEqual((await iso.run('base', `cat '${log}'`)).status, 0);
	});

	test(`${who}: only a program that does not exist is missing`, async (t) => {
		const { iso } = await openPlace(t, who, user);
		const build = (...argv: string[]) => iso.order<ChildOutcome>({ do: 'build', side: 'head', argv });
		assert.equal((await build('no-such-program')).missing, true);
		for (const script of ['exit 127', 'no-such-program', 'echo env: /bin/sh is fine >&2; exit 127']) {
			const { missing, ending } = await build('/bin/sh', '-c', script);
			assert.deepEqual([missing, ending], [false, 'exit code 127'], script);
		}
	});
}

test('without the right to mount, the reason names it, and does not call the machine read-only', async (t) => {
	const folder = makePlace(t, 'root', user);
	runAsRoot('chmod', '0711', dirname(folder));
	const through = ['setpriv', '--bounding-set=-sys_admin', '--inh-caps=-sys_admin', '--'];
	const iso = await openClient(t, { who: 'root', user, folder, through });
	assert.deepEqual([iso.level, iso.readOnly, iso.hidesProcesses], ['users', false, false]);
	assert.match(iso.reason ?? '', /^without a view of its own: \S/);
});
