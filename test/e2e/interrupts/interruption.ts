/** A signal at one stage of a run: no traces remain, finished rounds are kept. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import {
	assertExit,
	assertNoProcess,
	behavingServer,
	behavingSides,
	configOf,
	type Files,
	makePlayground,
	type Playground,
	type Running,
	until,
	WAITING,
} from '../../support/cli.ts';

export const COMPARE =
	'compare --base git:HEAD --head git:HEAD --budget 60s --warmup 200ms --seed 1 --raw raw.json'.split(' ');

/**
 * A repository whose server is in the folder `base`, with these extra keys, and whose prepare command sleeps this long.
 */
export function makeRepository(
	t: TestContext,
	{ behaviour = '', prepare = 'true', server = {} as Files } = {},
): Playground {
	const playground = makePlayground(t, {
		...behavingSides({ api: '' }),
		'base/behaviour-api': behaviour,
		'benchgate.yml': configOf(
			[behavingServer('api', { ...WAITING, cwd: 'base', ready: { timeout: '60s' }, ...server })],
			{
				prepare,
			},
		),
	});
	git(playground, 'init', '--quiet');
	git(playground, 'add', '--all');
	git(playground, 'commit', '--quiet', '--message', 'one');
	return playground;
}

function git({ folder }: Playground, ...args: string[]): string {
	const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid'];
	return execFileSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8' }).trim();
}

export async function assertNothingLeft(playground: Playground): Promise<void> {
	await assertNoProcess(playground);
	await until('the removal of the worktree', () => git(playground, 'worktree', 'list').split('\n').length === 1);
	assert.equal(git(playground, 'status', '--porcelain', '--', 'base', 'head', 'benchgate.yml'), '');
}

/** A moment of a run: how to reach it, and a process that must be running then. */
export interface Stage {
	readonly repository: Parameters<typeof makeRepository>[1];
	readonly reached: (running: Running, playground: Playground) => Promise<void>;
	readonly alive: RegExp;
	/** First word of the report, if there is one. */
	readonly outcome?: 'ERROR' | 'INCONCLUSIVE';
}

export const PREPARING: Stage = {
	repository: { prepare: 'sleep 300' },
	reached: async (running, playground) => {
		await running.says(/: sleep 300$/m);
		await until('the prepare command', () => playground.processes().some((command) => /^sleep 300/.test(command)));
	},
	alive: /^sleep 300/,
};

export const SETTING_UP: Stage = {
	repository: { server: { start: 'sleep 302 & setsid sleep 303 & sleep 304' } },
	reached: async (_running, playground) =>
		until(
			'both start commands',
			() => playground.processes().filter((command) => /^sleep 30[234]/.test(command)).length === 6,
		),
	alive: /^sleep 304/,
};

export const STARTING: Stage = {
	repository: { behaviour: 'never-listen' },
	reached: async (_running, playground) =>
		until(
			'both servers',
			() => playground.processes().filter((command) => /^node behaviour/.test(command)).length === 2,
		),
	alive: /^node behaviour/,
};

export const WARMING_UP: Stage = {
	repository: { behaviour: 'leak-children' },
	reached: async (running, playground) => {
		await running.says(/^Round 1: /m);
		await until(
			'both servers',
			() => playground.processes().filter((command) => /^sleep 301/.test(command)).length === 2,
		);
	},
	alive: /generator\.cjs/,
	outcome: 'ERROR',
};

export const MEASURING: Stage = {
	repository: { behaviour: 'leak-children' },
	reached: async (_running, playground) => {
		await until('the first round', () => existsSync(join(playground.folder, 'raw.json')));
		await until('the second round', () => playground.processes().some((command) => /^sleep 301/.test(command)));
	},
	alive: /^sleep 301/,
	outcome: 'INCONCLUSIVE',
};

/** Interrupts a run at a stage, and checks the kept rounds and the traces. */
export async function interrupt(t: TestContext, signal: NodeJS.Signals, stage: Stage): Promise<void> {
	const playground = makeRepository(t, stage.repository);
	const running = playground.start(COMPARE);
	await stage.reached(running, playground);
	assert.ok(playground.processes().some((command) => stage.alive.test(command)));
	running.process.kill(signal);
	const run = await running.ended;
	if (signal === 'SIGKILL') assert.equal(run.signal, 'SIGKILL');
	else {
		assertExit(run, 130);
		const notice = `${signal}: stopping servers and keeping finished rounds (again: leave at once)`;
		assert.ok(run.stderr.split('\n').includes(notice), run.stderr);
	}
	await assertNothingLeft(playground);
	if (!stage.outcome) {
		assert.equal(existsSync(join(playground.folder, 'raw.json')), false);
		assert.equal(run.stdout, '');
		return;
	}
	const again = await playground.run(['judge', 'raw.json', '--json', 'again.json']);
	assertExit(again, stage.outcome === 'ERROR' ? 3 : 0);
	assert.ok(again.stdout.startsWith(`${stage.outcome}  `), again.stdout);
	assert.equal(JSON.parse(playground.read('again.json')).ended, 'interrupted');
	if (signal !== 'SIGKILL') assert.equal(run.stdout, again.stdout);
}
