/** Builds that do not end, or leave processes behind. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { describeFailure } from '../../src/action/publish/describe-failure.ts';
import { failureKind } from '../../src/judge/consequence.ts';
import { followTree, isAlive } from '../../src/process/followed-tree.ts';
import { endLeftBehind, findMarked } from '../../src/process/processes.ts';
import { commit, customServer, makeFolder, openSetting, userError } from './support.ts';

const LINUX = { skip: process.platform !== 'linux' };

async function until(label: string, holds: () => boolean): Promise<void> {
	for (const due = performance.now() + 60_000; performance.now() < due; await delay(20)) if (holds()) return;
	assert.fail(`waited too long for: ${label}`);
}

/** A repository with its own build for each tag. */
async function building(t: TestContext, builds: Readonly<Record<string, string>>) {
	const cwd = makeFolder(t);
	for (const [tag, build] of Object.entries(builds)) commit(cwd, tag, { 'build.sh': build, 'server.sh': tag });
	const setting = await openSetting(t, { cwd });
	const { marker } = setting.context.janitor;
	return {
		setting,
		marked: () => findMarked(`${marker.name}=${marker.value}`),
		prepare: (base: string, head: string, prepareTimeoutSeconds = 900) =>
			setting.prepare(base, head, [customServer('.', 'cat server.sh')], {
				prepare: 'sh build.sh',
				prepareTimeoutSeconds,
			}),
	};
}

/** Leaves the group and the session of the build; ends the build only once it lives. */
const DAEMON =
	'setsid sh -c "echo $$ > started; exec sleep 300" > /dev/null 2>&1 &\nuntil [ -s started ]; do sleep 0.05; done';

test('a daemon that leaves the group of the build is ended with the step, and reported', LINUX, async (t) => {
	const { prepare, marked } = await building(t, { v1: 'true', v2: DAEMON });
	const { warnings } = await prepare('v1', 'v2');
	assert.deepEqual(marked(), []);
	assert.deepEqual(
		warnings.map(({ code, side }) => [code, side]),
		[['left-behind', 'head']],
	);
	assert.match(
		warnings[0]?.message ?? '',
		/^head \(v2\): "sh build\.sh" left a process behind \((sleep 300|sh -c .*)\); it was ended/,
	);
});

test('the same for a daemon of a failing build', LINUX, async (t) => {
	const { prepare, marked } = await building(t, { v1: 'true', v2: `${DAEMON}\nexit 3` });
	assert.equal((await userError(prepare('v1', 'v2'))).code, 'build-failed');
	assert.deepEqual(marked(), []);
});

test(
	'a process that clears its environment and leaves its group is recognised if it was seen in the tree',
	LINUX,
	async (t) => {
		const folder = makeFolder(t);
		const script =
			'env -i setsid sh -c "echo \\$\\$ > pid; exec sleep 300" & until [ -s pid ]; do sleep 0.05; done; read go';
		const build = spawn('sh', ['-c', script], { cwd: folder, detached: true, stdio: ['pipe', 'ignore', 'inherit'] });
		const ended = once(build, 'exit');
		let looks = 0;
		const tree = followTree(build.pid ?? 0, () => looks++);
		await until(
			'the daemon',
			() => existsSync(join(folder, 'pid')) && readFileSync(join(folder, 'pid'), 'utf8') !== '',
		);
		const seen = looks;
		await until('a look at it', () => looks > seen);
		build.stdin?.end('go\n');
		await ended;
		const tracked = tree.stop();
		const daemon = Number(readFileSync(join(folder, 'pid'), 'utf8'));
		assert.deepEqual(
			tracked.map(({ pid }) => pid),
			[daemon],
		);
		assert.deepEqual(await endLeftBehind('NOBODY=carries-this', tracked), ['sleep 300']);
		assert.deepEqual(tracked.filter(isAlive), []);
	},
);

test('a hanging build is stopped with its processes; that of head is its own fault, that of base is not', async (t) => {
	const hang = 'trap "" TERM\nsetsid sleep 300 &\necho waiting for nothing\nsleep 300 & wait; wait; sleep 300';
	const { prepare, marked } = await building(t, { v1: 'true', v2: hang, v3: hang });
	for (const [base, head, side] of [
		['v1', 'v2', 'head'],
		['v3', 'v1', 'base'],
	] as const) {
		const error = await userError(prepare(base, head, 1));
		assert.equal(error.code, 'prepare-timeout');
		assert.equal(error.where, `${side} (${side === 'head' ? head : base})`);
		assert.equal(error.message, 'sh build.sh did not end within 1s and was stopped with all it started');
		assert.match(error.remedy ?? '', /^raise prepare-timeout .*--prepare-timeout 30m/);
		assert.match(error.details ?? '', /waiting for nothing/);
		assert.equal(failureKind(describeFailure(error)), side);
		if (process.platform === 'linux') assert.deepEqual(marked(), []);
	}
});

test('only the last lines of endless build output are read', async (t) => {
	const { prepare } = await building(t, {
		v1: 'true',
		// Two seconds for the process that cuts the log to see its length.
		v2: 'yes 0123456789 | head -c 200000000; sleep 2; echo; echo the end; exit 1',
	});
	const error = await userError(prepare('v1', 'v2'));
	// The log is cut while it grows, so less may remain before the end.
	assert.match(error.details ?? '', /the end$/);
	assert.ok((error.details ?? '').split('\n').length <= 20);
	const [, log = ''] = /whole log: ([^;\s]+)/.exec(error.remedy ?? '') ?? [];
	assert.ok(statSync(log).size < 150_000_000, 'the log was cut');
	// The cut keeps the beginning.
	assert.ok(readFileSync(log, 'latin1').includes('[benchgate: output was dropped here'));
});
