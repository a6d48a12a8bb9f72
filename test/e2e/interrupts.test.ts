/** Signals at every stage, also the one that cannot be caught: nothing stays behind, finished rounds are kept. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
	assertExit,
	assertNoProcess,
	behavingServer,
	behavingSides,
	configOf,
	makePlayground,
	type Playground,
	type Running,
	until,
} from '../support/cli.ts';

const COMPARE = 'compare --base git:HEAD --head git:HEAD --budget 60s --seed 1 --raw raw.json'.split(' ');

/** A repository whose server lies in the folder `base` and whose prepare command sleeps as long as told. */
function makeRepository(t: TestContext, { behaviour = '', prepare = 'true' } = {}): Playground {
	const playground = makePlayground(t, {
		...behavingSides({ api: '' }),
		'base/behaviour-api': behaviour,
		'benchgate.yml': configOf([behavingServer('api', { cwd: 'base', ready: { timeout: '60s' } })], { prepare }),
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

async function assertNothingLeft(playground: Playground): Promise<void> {
	await assertNoProcess(playground);
	await until('the removal of the worktree', () => git(playground, 'worktree', 'list').split('\n').length === 1);
	assert.equal(git(playground, 'status', '--porcelain', '--', 'base', 'head', 'benchgate.yml'), '');
}

/** A moment of a run: how to get there, and a process that must be running then. */
interface Stage {
	readonly repository: Parameters<typeof makeRepository>[1];
	readonly reached: (running: Running, playground: Playground) => Promise<void>;
	readonly alive: RegExp;
	/** First word of the report when there is one. */
	readonly outcome?: 'ERROR' | 'INCONCLUSIVE';
}

const PREPARING: Stage = {
	repository: { prepare: 'sleep 300' },
	reached: async (running, playground) => {
		await running.says(/: sleep 300$/m);
		await until('the prepare command', () => playground.processes().some((command) => /^sleep 300/.test(command)));
	},
	alive: /^sleep 300/,
};

const STARTING: Stage = {
	repository: { behaviour: 'never-listen' },
	reached: async (_running, playground) =>
		until(
			'both servers',
			() => playground.processes().filter((command) => /^node behaviour/.test(command)).length === 2,
		),
	alive: /^node behaviour/,
};

const WARMING_UP: Stage = {
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

const MEASURING: Stage = {
	repository: { behaviour: 'leak-children' },
	reached: async (_running, playground) => {
		await until('the first round', () => existsSync(join(playground.folder, 'raw.json')));
		await until('the second round', () => playground.processes().some((command) => /^sleep 301/.test(command)));
	},
	alive: /^sleep 301/,
	outcome: 'INCONCLUSIVE',
};

const CASES: readonly [signal: NodeJS.Signals, name: string, stage: Stage][] = [
	['SIGINT', 'preparing', PREPARING],
	['SIGTERM', 'preparing', PREPARING],
	['SIGKILL', 'preparing', PREPARING],
	['SIGINT', 'servers start', STARTING],
	['SIGTERM', 'warming up', WARMING_UP],
	['SIGINT', 'measuring', MEASURING],
	['SIGKILL', 'measuring', MEASURING],
];

for (const [signal, name, stage] of CASES) {
	test(`${signal} while ${name}`, { skip: process.platform !== 'linux' && 'needs /proc' }, async (t) => {
		const playground = makeRepository(t, stage.repository);
		const running = playground.start(COMPARE);
		await stage.reached(running, playground);
		assert.ok(playground.processes().some((command) => stage.alive.test(command)));
		running.process.kill(signal);
		const run = await running.ended;
		if (signal === 'SIGKILL') assert.equal(run.signal, 'SIGKILL');
		else {
			assertExit(run, 130);
			const said = `${signal}: stopping servers and keeping finished rounds (again: leave at once)`;
			assert.ok(run.stderr.split('\n').includes(said), run.stderr);
		}
		await assertNothingLeft(playground);
		if (!stage.outcome) {
			assert.equal(existsSync(join(playground.folder, 'raw.json')), false);
			assert.equal(run.stdout, '');
			return;
		}
		const again = await playground.run(['judge', 'raw.json', '--json', 'again.json']);
		assertExit(again, stage.outcome === 'ERROR' ? 3 : 0);
		const headline = `${stage.outcome}  Interrupted, so this is only what was known by then. `;
		assert.ok(again.stdout.startsWith(headline), again.stdout);
		assert.equal(JSON.parse(playground.read('again.json')).ended, 'interrupted');
		if (signal !== 'SIGKILL') assert.equal(run.stdout, again.stdout);
	});
}

test('a second SIGINT leaves at once, and nothing is left behind either', async (t) => {
	const playground = makeRepository(t, { prepare: 'trap "" TERM; while :; do sleep 0.1; done' });
	const running = playground.start(COMPARE);
	await running.says(/while :/);
	running.process.kill('SIGINT');
	await running.says(/again: leave at once/);
	running.process.kill('SIGINT');
	assertExit(await running.ended, 130);
	await assertNothingLeft(playground);
});
