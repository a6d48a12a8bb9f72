/** A head that got slower and tunes its bench server for it, on real servers under load. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, test } from 'node:test';
import type { BaselineRecord } from '../../src/types/baseline.ts';
import type { Result } from '../../src/types/result.ts';
import { assertNoProcess, type Files, makePlayground } from '../support/cli.ts';

const SERVER = `import { createServer } from 'node:http';
import { answer } from '../lib.mjs';
createServer((_, response) => response.end(answer())).listen(process.env.PORT, process.env.HOST);
`;
/** Calls the code under test once. */
const CACHING = SERVER.replace('response.end(answer())', 'response.end(cached)').replace(
	'createServer(',
	'const cached = answer();\ncreateServer(',
);
const lib = (turns: number) => `export function answer() {
	let sum = 0;
	for (let turn = 0; turn < ${turns}; turn++) sum += Math.sqrt(turn);
	return sum > 0 ? 'ok' : 'no';
}
`;
const config = (harness: Files): Files => ({
	...harness,
	servers: [{ name: 'api', command: 'node server.mjs', cwd: 'bench' }],
	scenarios: [{ name: 'ok', request: { path: '/' }, expect: { status: 200, text: 'ok' } }],
});

const playground = makePlayground({ after }, {});
const git = (...args: string[]) =>
	execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', ...args], {
		cwd: playground.folder,
		encoding: 'utf8',
	}).trim();
const commit = (name: string, files: Files) => {
	playground.write(files);
	git('add', '--all');
	git('commit', '--quiet', '--message', name);
	git('branch', name);
};
git('init', '--quiet');
// A loss that is decided in the fewest rounds.
const [USUAL, SLOW] = [60_000, 240_000];
commit('old', { 'lib.mjs': lib(USUAL) });
commit('main', { 'bench/server.mjs': SERVER, 'benchgate.yml': config({ harness: ['bench'] }) });
commit('cheat', { 'bench/server.mjs': CACHING, 'lib.mjs': lib(SLOW) });
playground.write({ 'without.yml': config({}) });

async function compare(base: string, head: string, configFile: string): Promise<Result> {
	const flags =
		`--rounds 12 --seed 7 --skip-unaffected false --explain never --budget 4m --warmup 200ms --json result.json --config ${configFile}`.split(
			' ',
		);
	const run = await playground.run(['compare', '--base', base, '--head', head, ...flags]);
	assert.ok(run.code === 0 || run.code === 1, run.stderr);
	return JSON.parse(playground.read('result.json')) as Result;
}

test('measured with the bench server of main, the cheat has no effect', async () => {
	const { cells, harness, warnings } = await compare('main', 'cheat', 'git:main:benchgate.yml');
	assert.deepEqual(
		cells.map(({ verdict }) => verdict),
		['regressed'],
	);
	assert.deepEqual(harness, {
		label: `main@${git('rev-parse', 'main').slice(0, 7)}`,
		sha: git('rev-parse', 'main'),
		folders: ['bench'],
	});
	assert.ok(warnings.some(({ code }) => code === 'harness-differs'));
	await assertNoProcess(playground);
});

test('measured with its own bench server, the cheating head is the faster one', async () => {
	const { cells, harness } = await compare('main', 'cheat', 'without.yml');
	assert.deepEqual(
		cells.map(({ verdict }) => verdict),
		['improved'],
	);
	assert.equal(harness, undefined);
});

test('a release older than the bench server is measured with that of today', async () => {
	const { cells } = await compare('old', 'cheat', 'git:main:benchgate.yml');
	assert.deepEqual(
		cells.map(({ verdict }) => verdict),
		['regressed'],
	);
});

test('such a release is its own baseline too, with the local bench servers', async () => {
	const flags = '--store dir:none --budget 30s --seed 7 --json old.ndjson'.split(' ');
	const run = await playground.run(['baseline', '--anchor', 'main', '--head', 'old', ...flags, '--warmup', '200ms']);
	assert.equal(run.code, 0, run.stderr);
	const [line = ''] = playground.read('old.ndjson').split('\n');
	const { cells, harness, commit: measured } = JSON.parse(line) as BaselineRecord;
	assert.deepEqual([cells.length, typeof cells[0]?.theta], [1, 'number']);
	assert.equal(measured.sha, git('rev-parse', 'old'));
	assert.ok(harness?.includes(git('rev-parse', 'cheat').slice(0, 7)) || harness === 'the working tree', `${harness}`);
});
