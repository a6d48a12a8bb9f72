/** Revisions that are missing, cannot be fetched, or do not build. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, test } from 'node:test';
import {
	assertExit,
	assertNoProcess,
	behavingServer,
	behavingSides,
	complaint,
	configOf,
	makePlayground,
	SHARED_CACHE,
} from '../support/cli.ts';

const playground = makePlayground(
	{ after },
	{
		...behavingSides({ api: '' }),
		'benchgate.yml': configOf([behavingServer('api')]),
		'failing.yml': configOf([behavingServer('api')], {
			prepare: 'echo compiling; echo "src/app.ts(3,1) error TS2304" >&2; exit 9',
		}),
		'empty/readme.txt': 'no package here',
	},
);
const git = (...args: string[]) =>
	execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', ...args], {
		cwd: playground.folder,
		encoding: 'utf8',
	});
git('init', '--quiet');
git('add', '--all');
git('commit', '--quiet', '--message', 'one');
git('branch', 'feature');

/** Refused before anything runs; `%` stands for the folder. */
const REFUSED: readonly [base: string, message: string][] = [
	[
		'dir:nope',
		'benchgate: --base: there is no folder %/nope\nTo fix it: give the path of a folder, relative to where benchgate runs\n',
	],
	['git:featur', 'benchgate: --base: there is no git ref "featur" in %\nTo fix it: did you mean "feature"?\n'],
	[
		'gti:feature',
		'benchgate: --base: "gti:feature" begins with "gti:", which is not a kind of revision\nTo fix it: did you mean "git:feature"?\n',
	],
];

for (const [base, message] of REFUSED) {
	test(`--base ${base}`, async () => {
		const run = await playground.run(['compare', '--base', base, '--head', 'dir:head']);
		assertExit(run, 2);
		assert.equal(complaint(run), message.replace('%', playground.folder));
		assert.equal(run.stdout, '');
	});
}

test('a subject without package.json', async () => {
	const run = await playground.run('compare --server express --base dir:empty --head dir:empty'.split(' '));
	assertExit(run, 2);
	assert.equal(
		complaint(run),
		'benchgate: base (dir:empty): the top folder has no package.json\nTo fix it: set "subject:" in benchgate.yml to the folder of the package under test; built-in servers need one\n',
	);
});

test('a side that does not build: exit code 3, the end of the log, and the command that repeats it', async () => {
	const run = await playground.run('compare --config failing.yml --base git:feature --head dir:head'.split(' '));
	assertExit(run, 3);
	const failure = complaint(run);
	assert.match(failure, /^benchgate: base \(git:feature\): .* failed with exit code 9\n/);
	assert.match(failure, /^ {2}\| compiling\n {2}\| src\/app\.ts\(3,1\) error TS2304\n/m);
	assert.match(
		failure,
		/^To fix it: repeat it by hand: git worktree add --detach \.\.\/benchgate-base [0-9a-f]{40} && cd /m,
	);
	assert.equal(run.stdout, '');
	assert.equal(git('worktree', 'list').trim().split('\n').length, 1);
});

test('no network: exit code 3, and a list of things to check', async () => {
	const run = await playground.run(
		'compare --server express --scenario ping --base npm:express@5.1.0 --head npm:express@5.1.0'.split(' '),
		{
			env: {
				npm_config_registry: 'http://127.0.0.1:9/',
				npm_config_fetch_retries: '0',
				npm_config_cache: `${playground.root}/npm`,
			},
		},
	);
	assertExit(run, 3);
	assert.match(
		complaint(run),
		/^benchgate: base \(express@5\.1\.0\): no network: npm pack express@5\.1\.0 could not reach the package registry\n/,
	);
	assert.match(
		run.stderr,
		/^To fix it: check the connection, the proxy \(HTTPS_PROXY\) and the registry setting of the package manager/m,
	);
});

test('an npm version that does not exist', async (t) => {
	const run = await playground.run(
		'compare --server express --scenario ping --base npm:express@99.1.0 --head npm:express@5.1.0'.split(' '),
		{ env: { BENCHGATE_CACHE: SHARED_CACHE } },
	);
	if (run.stderr.includes('no network')) return t.skip('the package registry cannot be reached');
	assertExit(run, 2);
	assert.match(
		complaint(run),
		/^benchgate: base \(express@99\.1\.0\): version "99\.1\.0" of express does not exist\nTo fix it: nearest: .*newest: /,
	);
});

test('no process of these runs remains', () => assertNoProcess(playground));
