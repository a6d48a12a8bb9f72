import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readSitePlace } from '../../../src/action/record/publish-site.ts';
import { type RecordRequest, runRecord } from '../../../src/action/record/record-mode.ts';
import { baselinePath, renderBaseline } from '../../../src/formats/baseline/baseline-file.ts';
import { renderBisected } from '../../../src/formats/baseline/trend-files.ts';
import type { BaselineRecord } from '../../../src/types/baseline.ts';
import { isUserError } from '../../../src/types/errors.ts';
import type { Warning } from '../../../src/types/units.ts';
import { type GitServer, startGitServer } from '../../store/git-server.ts';
import { bisectedWith } from '../../support/baselines/bisected.ts';
import { syntheticRecords } from '../../support/baselines/records.ts';

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
		site: { kind: 'none' },
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

test("the writing job stores the measuring job's records once", async (t) => {
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

test('the dashboard of all records goes to a branch of one commit, or into a folder', async (t) => {
	const server = await startGitServer(t);
	const warnings: Warning[] = [];
	const folder = folderWith(t, filesOf(RECORDS.slice(0, 2)));
	const request = { ...requestOf(server, folder, warnings), site: { kind: 'branch', branch: 'pages' } } as const;
	const first = await runRecord(request);
	assert.match(first.summary ?? '', /\[Dashboard\]\(https:\/\/o\.github\.io\/r\/\), from the branch \[pages\]/);
	const index = () => JSON.parse(server.git('show', 'pages:data/index.json'));
	assert.deepEqual([index().project, index().repository], ['o/r', 'https://github.com/o/r']);
	assert.equal(index().commits.sha.length, 2);
	assert.match(server.git('show', 'pages:badge.svg'), /^<svg .*since v1\.0\.0/);
	await runRecord({ ...request, folder: folderWith(t, filesOf(RECORDS)) });
	assert.equal(index().commits.sha.length, 3);
	assert.equal(server.git('rev-list', '--count', 'pages'), '1');

	const site = join(folderWith(t, {}), 'site');
	const { outputs } = await runRecord({ ...request, site: { kind: 'folder', folder: site } });
	assert.deepEqual(outputs, { stored: '0', site });
	for (const file of ['index.html', 'site.js', 'badge.svg', 'data/index.json'])
		assert.ok(existsSync(join(site, file)), file);
	assert.deepEqual(warnings, []);
});

test('a dashboard that cannot be published is a warning, and the baselines are stored', async (t) => {
	const server = await startGitServer(t);
	server.commit('pages', { 'index.html': 'somebody else’s' });
	const warnings: Warning[] = [];
	const request = requestOf(server, folderWith(t, filesOf(RECORDS)), warnings);
	const outcome = await runRecord({ ...request, site: { kind: 'branch', branch: 'pages' } });
	assert.deepEqual([outcome.outputs, outcome.fail], [{ stored: '3' }, []]);
	assert.deepEqual(
		warnings.map(({ code }) => code),
		['site-unpublished'],
	);
	assert.match(warnings[0]?.message ?? '', /pages holds something else/);
});

test('the dashboard goes to a branch, a folder or nowhere', () => {
	assert.deepEqual(readSitePlace('none'), { kind: 'none' });
	assert.deepEqual(readSitePlace('branch:a/b'), { kind: 'branch', branch: 'a/b' });
	assert.deepEqual(readSitePlace('dir:public'), { kind: 'folder', folder: 'public' });
	for (const text of ['', 'pages', 'branch:', 'branch:--force', 'branch:a..b', 'pull-request']) {
		assert.equal(readSitePlace(text), null, text);
	}
});

test('a protected branch is a warning with the remedy, and no record is lost', async (t) => {
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

test('a bisect of commits unknown to main appears in the summary, and nothing is stored', async (t) => {
	const server = await startGitServer(t);
	const warnings: Warning[] = [];
	await runRecord(requestOf(server, folderWith(t, filesOf(RECORDS)), warnings));
	const tip = server.git('rev-parse', 'benchgate');
	const bisected = bisectedWith({ title: '<img src=x>' }, { run: { ...RUN, id: String(RUN.id) } });
	const folder = folderWith(t, { 'bisected.json': renderBisected(bisected) });
	const { summary, outputs, log } = await runRecord(requestOf(server, folder, warnings));
	assert.match(
		summary ?? '',
		/bisect of `koa\/ping` named \[`bbbbbbb`\]\(.*\) \(99\.3 % probable\)\. No open slowdown/,
	);
	assert.deepEqual([outputs, log, warnings], [{ stored: '0' }, null, []]);
	assert.equal(server.git('rev-parse', 'benchgate'), tip);
});

const [one] = RECORDS as [BaselineRecord, ...BaselineRecord[]];
for (const [name, files, why] of [
	[
		'of another run',
		{ 'a.json': renderBaseline({ ...one, run: { ...one.run, id: '7' } }) },
		/another run as the one that measured it/,
	],
	['of a later attempt', { 'a.json': renderBaseline({ ...one, run: { ...one.run, attempt: 3 } }) }, /another run/],
	['that is cut off', { 'a.json': renderBaseline(one).slice(0, 300) }, /not complete JSON/],
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
	[
		'of a bisect of another run',
		{ 'bisected.json': renderBisected(bisectedWith({}, { run: { ...one.run, id: '7' } })) },
		/another run as the one that measured it/,
	],
	['of a bisect that is forged', { 'bisected.json': renderBaseline(one) }, /does not hold what a bisect found/],
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

test('a link is not followed, and an empty folder is an error with the remedy', async (t) => {
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
