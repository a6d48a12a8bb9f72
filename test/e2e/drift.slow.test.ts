/** A comparison in a repository that has baselines of its main branch. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { baselinePath, renderBaseline } from '../../src/formats/baseline/baseline-file.ts';
import type { Result } from '../../src/types/result.ts';
import { syntheticRecords } from '../support/baselines/records.ts';
import { assertExit, behavingServer, configOf, makePlayground, readFixture, WAITING } from '../support/cli.ts';

const playground = makePlayground(
	{ after },
	{
		'behaviour.mjs': readFixture('servers/behaviour.mjs'),
		'behaviour-api': '',
		'benchgate.yml': configOf([behavingServer('api', WAITING)], { threshold: '50%' }),
	},
);
const git = (...args: string[]) =>
	execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', ...args], {
		cwd: playground.folder,
		encoding: 'utf8',
	}).trim();
const RECORDS = syntheticRecords({
	seed: 8,
	commits: 36,
	cells: ['api/ok', 'api/other'],
	steps: [{ commit: 20, size: -0.4 }],
});

/** A remote with the code on main and the records on a branch beside it, as the workflow leaves them. */
function publish(): void {
	git('init', '--quiet', '--initial-branch=main');
	git('add', '--all');
	git('commit', '--quiet', '--message', 'one');
	git('init', '--quiet', '--bare', join(playground.root, 'origin.git'));
	git('remote', 'add', 'origin', join(playground.root, 'origin.git'));
	git('switch', '--quiet', '--orphan', 'benchgate');
	playground.write(
		Object.fromEntries(RECORDS.map((record) => [`baselines/${baselinePath(record)}`, renderBaseline(record)])),
	);
	git('add', 'baselines');
	git('commit', '--quiet', '--message', 'baselines');
	git('switch', '--quiet', 'main');
	git('push', '--quiet', 'origin', 'main', 'benchgate');
	git('branch', '--quiet', '-D', 'benchgate');
}

test('a comparison with main shows where main stands, in every report, and judge repeats it', async () => {
	publish();
	const files = '--json result.json --markdown report.md --html report.html --csv report.csv --raw raw.json';
	const flags = '--base main --head dir:. --rounds 2 --seed 1 --warmup 200ms --budget 120s --drift-threshold 20%'.split(
		' ',
	);
	const run = await playground.run(['compare', ...flags, ...files.split(' ')]);
	assertExit(run, 0);
	const line = /main is \S*3[23]\.\d % slower\S* \[−3\d\.\d … −3\d\.\d\] than \S*v1\.0\.0/;
	for (const text of [run.stdout, playground.read('report.md')]) assert.match(text.replace(/\s+/g, ' '), line);
	assert.match(playground.read('report.html'), /<svg class="history"/);
	assert.match(playground.read('report.csv'), /,v1\.0\.0,-0\.3/);
	const [cell, ...others] = (JSON.parse(playground.read('result.json')) as Result).cells;
	assert.deepEqual(others, []);
	assert.equal(cell?.drift?.history.length, 30);
	assert.equal(cell?.drift?.threshold, 0.2);
	// Two rounds are too few to be sure that head is slower, whatever their figures.
	assert.equal(cell?.drift?.policy, 'advisory');
	assert.ok(['drifted', 'adds'].includes(cell?.drift?.verdict ?? ''));
	const again = await playground.run('judge raw.json --json again.json'.split(' '));
	assertExit(again, 0);
	assert.equal(again.stdout, run.stdout);
	assert.equal(playground.read('again.json'), playground.read('result.json'));
	assert.equal(git('status', '--porcelain', '--untracked-files=no'), '');
});
