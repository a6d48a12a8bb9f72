import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type RecordRequest, runRecord } from '../../../src/action/record/record-mode.ts';
import { baselinePath, renderBaseline } from '../../../src/formats/baseline/baseline-file.ts';
import type { BaselineRecord } from '../../../src/types/baseline.ts';
import { isUserError } from '../../../src/types/errors.ts';
import type { Warning } from '../../../src/types/units.ts';
import { type GitServer, startGitServer } from '../../store/git-server.ts';
import { syntheticRecords } from '../../support/records.ts';

const RUN = { id: 123456, attempt: 2, url: 'https://github.com/o/r/actions/runs/123456' };
const RECORDS = syntheticRecords({ seed: 9, commits: 3, cells: 2 }).map((record) => ({
	...record,
	run: { id: String(RUN.id), attempt: 1, url: RUN.url },
}));

function folderWith(t: TestContext, files: Readonly<Record<string, string>>): string {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-record-'));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	for (const [path, text] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), text);
	}
	return folder;
}

const filesOf = (records: readonly BaselineRecord[]) =>
	Object.fromEntries(records.map((record) => [baselinePath(record), renderBaseline(record)]));

function requestOf(server: GitServer, folder: string, warnings: Warning[]): RecordRequest {
	return {
		place: { kind: 'branch', branch: 'benchgate' },
		folder,
		defaultBranch: 'main',
		runner: { repository: { owner: 'o', repo: 'r' }, run: RUN, serverUrl: 'https://github.com', workspace: folder },
		token: 'ghs_secret',
		github: null,
		cacheFolder: server.remote.cacheFolder,
		janitor: server.remote.janitor,
		signal: new AbortController().signal,
		url: server.remote.url,
		warn: (warning) => warnings.push(warning),
	};
}

test('the job that writes stores what the measuring job left, once', async (t) => {
	const server = await startGitServer(t);
	const warnings: Warning[] = [];
	const request = requestOf(server, folderWith(t, filesOf(RECORDS)), warnings);
	const first = await runRecord(request);
	assert.equal(first.log, '3 baselines stored on branch benchgate of o/r.');
	assert.deepEqual(first.outputs, { stored: '3' });
	const again = await runRecord(request);
	assert.equal(again.log, 'No new baseline stored on branch benchgate of o/r (3 were there already).');
	assert.deepEqual(warnings, []);
	assert.equal(server.git('log', '-1', '--format=%an', 'benchgate'), 'github-actions[bot]');
});

test('a protected branch is a warning with the way out, and nothing is lost', async (t) => {
	const server = await startGitServer(t);
	server.hook('update', 'case $1 in refs/heads/benchgate) echo "GH006: Protected branch update failed"; exit 1;; esac');
	const warnings: Warning[] = [];
	const outcome = await runRecord(requestOf(server, folderWith(t, filesOf(RECORDS)), warnings));
	assert.match(outcome.log ?? '', /^3 baselines waiting on branch benchgate-pending\/123456\.1 of o\/r/);
	assert.deepEqual(
		warnings.map(({ code }) => code),
		['store-pending'],
	);
	assert.match(warnings[0]?.message ?? '', /let this workflow write to it, or use store: pull-request/);
	assert.deepEqual(outcome.fail, []);
});

const [one] = RECORDS as [BaselineRecord, ...BaselineRecord[]];
for (const [name, files, why] of [
	['of another run', { 'a.json': renderBaseline({ ...one, run: { ...one.run, id: '7' } }) }, /another run measured it/],
	['of a later attempt', { 'a.json': renderBaseline({ ...one, run: { ...one.run, attempt: 3 } }) }, /another run/],
	['that is cut off', { 'a.json': renderBaseline(one).slice(0, 300) }, /no whole JSON/],
	[
		'with a forged shape',
		{ 'a.json': renderBaseline(one).replace('"cells":[', '"cells":["x",') },
		/cells\/0 must be object/,
	],
	[
		'among too many',
		Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`${i}.json`, '{}'])),
		/more than 20 files/,
	],
	['that is too large', { 'a.json': `"${'x'.repeat(5_000_000)}"` }, /more than 4194304 bytes/],
] as const) {
	test(`a file ${name} is refused with all others, and nothing is stored`, async (t) => {
		const server = await startGitServer(t);
		const folder = folderWith(t, { ...filesOf(RECORDS), ...files });
		await assert.rejects(runRecord(requestOf(server, folder, [])), (error) => {
			assert.ok(isUserError(error));
			assert.equal(error.code, 'bad-baselines');
			assert.match(error.message, why);
			return true;
		});
		assert.equal(server.git('branch', '--list', 'benchgate*'), '');
	});
}

test('a link is not followed, and an empty folder says what to do', async (t) => {
	const server = await startGitServer(t);
	const folder = folderWith(t, {});
	symlinkSync('/etc/hostname', join(folder, 'a.json'));
	await assert.rejects(runRecord(requestOf(server, folder, [])), (error) => {
		assert.ok(isUserError(error));
		assert.equal(error.code, 'no-baselines');
		assert.match(error.remedy ?? '', /download the artifact/);
		return true;
	});
});
