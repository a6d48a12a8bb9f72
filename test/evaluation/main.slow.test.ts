/** `npm run eval` as a user runs it, on seeded series. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Results } from '../../evaluation/results.ts';
import { writeSeries } from '../../evaluation/series-files.ts';
import { SHARED_CACHE } from '../support/cli.ts';
import { syntheticSeries } from './support/series.ts';

const MAIN = fileURLToPath(new URL('../../evaluation/main.ts', import.meta.url));

function makeFolder(scope: TestContext): { readonly root: string; readonly data: string } {
	const root = mkdtempSync(join(tmpdir(), 'benchgate-eval-'));
	scope.after(() => rmSync(root, { recursive: true, force: true }));
	const data = join(root, 'data');
	mkdirSync(data);
	return { root, data };
}

function run(...args: readonly string[]) {
	return spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' });
}

test('replaying writes results and both pages, the same every time, and names unreadable files', async (scope) => {
	const { root, data } = makeFolder(scope);
	await writeSeries(data, syntheticSeries({ id: 'designs-express-1', rounds: 6 }));
	await writeSeries(
		data,
		syntheticSeries({ id: 'timing-express', experiment: 'timing', designs: ['duet'], rounds: 4 }),
	);
	writeFileSync(join(data, 'broken.ndjson.gz'), 'broken');
	writeFileSync(join(data, 'half.journal.ndjson'), 'header\nround\nround\n');
	const [first, second] = ['one', 'two'].map((name) => {
		const out = join(root, name);
		const { status, stdout, stderr } = run('--replay', '--data', data, '--out', out);
		assert.equal(status, 0, stderr);
		assert.equal(stdout, '');
		assert.match(
			stderr,
			/^skipped broken\.ndjson\.gz: incorrect header check; move it away to measure it anew\n1 of 3 files cannot be read\nnot counted: half, begun with 2 rounds\n/,
		);
		assert.match(stderr, /^replaying 2 series with 22 rounds$/m);
		return Object.fromEntries(readdirSync(out).map((file) => [file, readFileSync(join(out, file), 'utf8')]));
	});
	assert.deepEqual(Object.keys(first ?? {}).sort(), ['README.md', 'index.html', 'results.json']);
	assert.deepEqual(second, first);
	const results = JSON.parse(first?.['results.json'] ?? '') as Results;
	assert.equal(results.data.rounds, 22);
	assert.equal(results.rules[0]?.at[0]?.red.of, 6);
	assert.match(first?.['README.md'] ?? '', /\| `broken\.ndjson\.gz` \| incorrect header check \|/);
	assert.match(first?.['index.html'] ?? '', /broken\.ndjson\.gz/);
});

test('an empty replay is an error with a remedy', (scope) => {
	const { root, data } = makeFolder(scope);
	const { status, stderr } = run('--replay', '--data', data, '--out', join(root, 'out'));
	assert.equal(status, 3);
	assert.match(stderr, /: it holds no finished series\nTo fix it: measure with `npm run eval -- --collect`/);
	assert.deepEqual(readdirSync(root), ['data']);
});

test('collecting a complete selection starts nothing', (scope) => {
	const { data } = makeFolder(scope);
	const { status, stderr } = run('--collect', '--only', 'no such series', '--data', data);
	assert.equal(status, 0, stderr);
	assert.match(stderr, /^0 series finished, 0 missing, in /);
	assert.deepEqual(readdirSync(data), []);
});

test('series that cannot be measured are named with a count, and do not stop the others', (scope) => {
	const { data } = makeFolder(scope);
	const journals = ['together-1-koa', 'together-1-node-http'].map((id) => join(data, `${id}.journal.ndjson`));
	for (const journal of journals) writeFileSync(journal, 'no json\n');
	const { status, stderr } = spawnSync(process.execPath, [MAIN, '--collect', '--only', 'together-1', '--data', data], {
		encoding: 'utf8',
		env: { ...process.env, BENCHGATE_CACHE: SHARED_CACHE },
	});
	assert.equal(status, 3, stderr);
	for (const journal of journals) {
		assert.ok(
			stderr.includes(`failed: ${journal}: line 1 is not JSON; move it away to measure the series anew\n`),
			stderr,
		);
		assert.equal(readFileSync(journal, 'utf8'), 'no json\n');
	}
	assert.match(stderr, /^0 series finished, 2 missing, 2 of them failed: together-1-koa, together-1-node-http, in /m);
});

test('bad usage is reported, and --help lists the written files', () => {
	for (const args of [['--minutes', 'soon'], ['--minutes', '0'], ['--reply'], ['replay']]) {
		const { status, stderr } = run(...args);
		assert.equal(status, 2, args.join(' '));
		assert.match(stderr, /^error: /);
	}
	const { status, stdout } = run('--help');
	assert.equal(status, 0);
	for (const word of ['results.json', 'README.md', 'index.html', '--minutes', 'Ctrl-C', '130'])
		assert.ok(stdout.includes(word), word);
});
