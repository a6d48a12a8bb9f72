/** A ranking of real servers of a config: killed, continued, reported in every format, and merged with another. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import type { RankingResult } from '../../../src/types/ranking/ranking.ts';
import {
	assertExit,
	assertNoProcess,
	behavingServer,
	behavingSides,
	configOf,
	makePlayground,
	until,
} from '../../support/cli.ts';

const FLAGS = '--reference api --trials 2 --warmup 200ms --duration 300ms --seed 4'.split(' ');
const rank = (out: string, ...more: string[]) => ['measure', ...FLAGS, '--out', out, ...more];

test('a ranking continues after kill -9, shows unmeasurable servers, and is merged with another', async (t) => {
	const server = (name: string, cwd = 'base') => behavingServer(name, { cwd });
	const playground = makePlayground(t, {
		...behavingSides({ api: '', twin: '', wrong: '' }),
		'base/behaviour-wrong': 'wrong-body',
		'benchgate.yml': configOf([server('api'), server('twin'), server('wrong'), server('gone', 'nowhere')]),
	});
	const log = () =>
		existsSync(join(playground.folder, 'one/measure.ndjson')) ? playground.read('one/measure.ndjson') : '';
	const pairs = () => log().split('"kind":"samples"').length - 1;

	const killed = playground.start(rank('one', '--trials', '50'));
	await until('two pairs', () => pairs() >= 2);
	killed.process.kill('SIGKILL');
	await killed.ended;
	await assertNoProcess(playground);
	const before = pairs();

	assertExit(await playground.run(rank('one', '--trials', String(before + 1))), 0);
	const result = JSON.parse(playground.read('one/measure.json')) as RankingResult;
	const stateOf = (name: string) => result.rows.find((row) => row.server === name);
	assert.deepEqual(
		['api', 'twin', 'wrong', 'gone'].map((name) => stateOf(name)?.state),
		['measured', 'measured', 'broken', 'not-installed'],
	);
	assert.equal(stateOf('twin')?.rounds, before + 1);
	assert.ok((stateOf('twin')?.alone?.metrics.throughput ?? 0) > 0 && stateOf('twin')?.share !== null);
	assert.match(stateOf('wrong')?.reason ?? '', /^wrong gave a wrong answer to GET \//);
	assert.match(stateOf('gone')?.reason ?? '', /its cwd "nowhere" does not exist/);
	assert.match(playground.read('one/measure.md'), /### Overall ranking/);
	assert.match(playground.read('one/measure.html'), /<svg class="chart"/);

	assertExit(await playground.run(rank('two', '--server', 'twin', '--ramp', '2,4')), 0);
	const merged = await playground.run(['measure', '--merge', 'one,two', '--highlight', 'twin']);
	assertExit(merged, 0);
	assert.match(merged.stdout, /^Ranking of 4 servers in 3 scenarios/);
	assert.match(merged.stdout, /Highlights: twin/);
	assert.match(merged.stdout, /Ramp of ok/);
	await assertNoProcess(playground);
});

test('a ranking in shards: each machine measures its servers beside the reference, and gather merges them', async (t) => {
	const names = ['api', 'one', 'two', 'three'];
	const playground = makePlayground(t, {
		...behavingSides(Object.fromEntries(names.map((name) => [name, '']))),
		'benchgate.yml': configOf(names.map((name) => behavingServer(name, { cwd: 'base' }))),
	});
	const flags = '--reference api --trials 2 --warmup 200ms --duration 300ms --shards 2'.split(' ');
	const measure = (...more: string[]) => playground.run(['measure', ...flags, ...more]);

	const dry = await measure('--dry-run');
	assertExit(dry, 0);
	assert.match(dry.stdout, /\n2 shards\nAt most 30 min of measuring each\.\n\n.*\n +1 .* one, two\n +2 .* three\n/);
	assertExit(await measure('--shard', '3', '--out', 'parts/3'), 2);

	assertExit(await measure('--shard', '1', '--out', 'parts/1'), 0);
	const alone = await playground.run(['gather', 'parts', '--json', 'some.json']);
	assertExit(alone, 0);
	const some = JSON.parse(playground.read('some.json')) as RankingResult;
	assert.deepEqual(
		names.map((name) => some.rows.find((row) => row.server === name)?.state),
		['measured', 'measured', 'measured', 'not-reached'],
	);
	assert.match(some.warnings[0]?.message ?? '', /^Shard 2 left no measurement, so nothing is known about three\./);

	assertExit(await measure('--shard', '2', '--out', 'parts/2'), 0);
	assertExit(await playground.run(['gather', 'parts', '--json', 'all.json', '--html', 'all.html']), 0);
	const all = JSON.parse(playground.read('all.json')) as RankingResult;
	assert.deepEqual(
		names.map((name) => all.rows.find((row) => row.server === name)?.shard),
		[1, 1, 1, 2],
	);
	for (const row of all.rows)
		assert.ok(row.state === 'measured' && row.share !== null && row.alone !== null, row.server);
	assert.match(playground.read('all.html'), /Shard 2/);
	assertExit(await playground.run(['gather', 'parts', '--raw', 'raw.json']), 2);
	await assertNoProcess(playground);
});

test('another program loads a preset on request, and the report names it', async (t) => {
	const statuses = [
		[0, 0],
		[200, 1_000],
	];
	const points = Array.from({ length: 1_000 }, () => 2);
	const json = { requests: 1_000, failed: 0, bytes: 50_000, milliseconds: 1_000, least: 1, most: 3, statuses, points };
	const playground = makePlayground(t, {
		...behavingSides({ api: '' }),
		'benchgate.yml': configOf([behavingServer('api', { cwd: 'base' })]),
		'told.json': JSON.stringify(json),
		// Output of k6 after it has run the given script.
		'bin/k6':
			'#!/bin/sh\n[ "$1" = run ] || exit 0\necho benchgate-began >&2; sleep 0.2; echo benchgate-ended >&2\ncat "$(dirname "$0")/../told.json"\n',
	});
	chmodSync(join(playground.folder, 'bin/k6'), 0o755);
	const path = [join(playground.folder, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter);
	const flags = '--preset seed-blog --driver k6 --server api --scenario ok --trials 2 --duration 200ms --out out'.split(
		' ',
	);
	const run = await playground.run(['measure', ...flags], { env: { PATH: path } });
	assertExit(run, 0);
	const { rows, setup } = JSON.parse(playground.read('out/measure.json')) as RankingResult;
	assert.equal(setup.driver, 'k6');
	assert.deepEqual(
		rows.map(({ server, state, rounds, alone }) => [server, state, rounds, alone?.metrics.throughput]),
		[['api', 'measured', 2, 1_000]],
	);
	assert.match(playground.read('out/measure.md'), /- Loaded by: k6\n/);
	assert.match(run.stdout, /benchgate checks each server before k6 loads it\./);
	await assertNoProcess(playground);
});
