/** Sides that resist their end: none of them delays a run or leaves a process. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findStopped } from '../../src/process/processes.ts';
import { listProcessesOf } from '../../src/process/users/user-processes.ts';
import type { Side } from '../../src/types/units.ts';
import { BOTH_WAYS, makeOrdinaryUser } from '../support/ordinary-user.ts';
import type { Client } from './isolation-client.ts';
import { openPlace, until } from './place.ts';

const user = await makeOrdinaryUser();

interface Ending {
	readonly code: number | null;
	readonly signal: string | null;
}

/** Each prints a line when it has started. */
const RESISTANCE = {
	'kills all it can, on and on': perl('kill "KILL", -1 while 1;'),
	'stops all it can, on and on': perl('kill "STOP", -1 while 1;'),
	'kills all it can and goes on as a child, on and on': perl('while (1) { exit if fork; kill "KILL", -1; }'),
	'stops all it can and goes on as a child, on and on': perl('while (1) { exit if fork; kill "STOP", -1; }'),
} as const;

function perl(script: string): string {
	return `setsid perl -e '$| = 1; print "ready\\n"; close STDOUT; ${script}' & wait`;
}

/** A surviving process of the side would end or stop this one. */
async function assertAtPeace(iso: Client, side: Side): Promise<void> {
	const { stdout, status } = await iso.run(side, 'sleep 0.3; echo alive');
	assert.deepEqual([status, stdout], [0, 'alive\n']);
}

for (const who of BOTH_WAYS) {
	test(`${who}: a process that stops itself, and sudo with it, is ended with it`, async (t) => {
		const { iso } = await openPlace(t, who, user);
		const { pid } = await iso.start('head', 'echo ready; kill -s STOP $$; exec sleep 300');
		await until(() => findStopped([pid]).length > 0);
		await iso.order({ do: 'signal', side: 'head', pid, signal: 'SIGKILL' });
		await until(async () => (await iso.order<Ending | null>({ do: 'ended', pid })) !== null);
		assert.deepEqual(listProcessesOf(iso.uids.head ?? 0), []);
	});

	test(`${who}: builds that stop themselves, or leave their group, end with their time`, async (t) => {
		const { iso } = await openPlace(t, who, user);
		const uid = iso.uids.head ?? 0;
		for (const script of [
			'kill -s STOP $$; exec sleep 300',
			'exec setsid --wait sleep 300',
			'trap "" TERM; kill -s STOP $$',
		]) {
			const argv = ['/bin/sh', '-c', script];
			const { timedOut } = await iso.order<{ timedOut: boolean }>({
				do: 'build',
				side: 'head',
				argv,
				timeoutMs: 1_000,
			});
			assert.equal(timedOut, true, script);
			await iso.order({ do: 'end', side: 'head' });
			assert.deepEqual(listProcessesOf(uid), [], script);
		}
		// No sudo waits for an ended process.
		await until(() => groupsOf(iso.pid).length === 0);
	});

	for (const [trick, script] of Object.entries(RESISTANCE)) {
		test(`${who}: a side that ${trick} is ended`, async (t) => {
			const { iso } = await openPlace(t, who, user);
			const { pid } = await iso.start('head', script);
			await iso.order<number>({ do: 'end', side: 'head' });
			await iso.order({ do: 'signal', side: 'head', pid, signal: 'SIGKILL' });
			assert.deepEqual(listProcessesOf(iso.uids.head ?? 0), []);
			await assertAtPeace(iso, 'head');
		});
	}

	test(`${who}: a folder whose builder still lives is taken back without following its links`, async (t) => {
		const { iso, folder } = await openPlace(t, who, user);
		const built = join(folder, 'built');
		await iso.us(`mkdir '${built}'; umask 077; echo ours >'${folder}/secret'`);
		await iso.order({ do: 'give', side: 'head', folder: built });
		assert.equal((await iso.run('head', `ln -s '${folder}/secret' soft; touch own`, built)).status, 0);
		await iso.start('head', 'echo ready; exec sleep 300');
		await iso.order({ do: 'seal', side: 'head', folder: built });
		const { stdout } = await iso.us(
			`stat -c %U '${built}' '${built}/own' | sort -u; id -un; stat -c %a '${folder}/secret'`,
		);
		const [owner, us, mode] = stdout.trim().split('\n');
		assert.deepEqual([owner, mode], [us, '600']);
	});

	test(`${who}: closing removes both sides, whatever either does against it`, async (t) => {
		const { iso, folder } = await openPlace(t, who, user);
		await iso.start('base', RESISTANCE['kills all it can, on and on']);
		const { pid } = await iso.start('head', RESISTANCE['stops all it can, on and on']);
		await iso.order({ do: 'signal', side: 'head', pid, signal: 'SIGKILL' });
		await iso.close();
		for (const uid of [iso.uids.base, iso.uids.head]) assert.deepEqual(listProcessesOf(uid ?? 0), []);
		assert.deepEqual(existsSync(folder) ? readdirSync(join(folder, 'sides')) : [], []);
	});

	test(`${who}: a side that stopped sudo after the run was killed leaves nothing`, async (t) => {
		const { iso } = await openPlace(t, who, user);
		const building = iso.order({ do: 'build', side: 'head', argv: ['/bin/sh', '-c', 'kill -s STOP $$; sleep 300'] });
		building.catch(() => {});
		const uid = iso.uids.head ?? 0;
		await until(() => findStopped(listProcessesOf(uid)).length > 0);
		await until(() => groupsOf(iso.pid).every((pid) => findStopped([pid]).length > 0));
		const groups = groupsOf(iso.pid);
		assert.ok(groups.length > 0);
		process.kill(iso.pid, 'SIGKILL');
		await until(() => listProcessesOf(uid).length === 0);
		await until(() => groups.every((pid) => !existsSync(`/proc/${pid}`)));
	});

	for (const trick of ['kills all it can, on and on', 'stops all it can, on and on'] as const) {
		test(`${who}: behind namespaces a side that ${trick} is ended`, async (t) => {
			const { iso } = await openPlace(t, who, user, { wish: 'namespace' });
			const { pid } = await iso.start('head', RESISTANCE[trick]);
			await iso.order<number>({ do: 'end', side: 'head' });
			await iso.order({ do: 'signal', side: 'head', pid, signal: 'SIGKILL' });
			await assertAtPeace(iso, 'head');
		});
	}
}

/**
 * Child processes that each lead a group and run a user's command: the launched ones, without keepers of views and the
 * watchdog.
 */
function groupsOf(pid: number): number[] {
	return readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.map(Number)
		.filter((child) => {
			const stat = readOr(`/proc/${child}/stat`);
			const [, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
			const command = readOr(`/proc/${child}/cmdline`);
			return Number(parent) === pid && Number(group) === child && /sleep|STOP/.test(command);
		});
}

function readOr(path: string): string {
	try {
		return readFileSync(path, 'latin1');
	} catch {
		return '';
	}
}
