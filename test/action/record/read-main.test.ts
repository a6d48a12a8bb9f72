/** Source of the default branch's baselines, and the changes for which they are read. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readMain, readMainRecords, targetOf } from '../../../src/action/record/read-main.ts';
import { parseInputs } from '../../../src/action/request/inputs.ts';
import { baselinePath, renderBaseline } from '../../../src/formats/baseline/baseline-file.ts';
import type { Janitor } from '../../../src/types/run-services.ts';
import { connect, runOf } from '../../github/support.ts';
import { startGitServer } from '../../store/git-server.ts';
import { syntheticRecords } from '../../support/baselines/records.ts';

const FILES = Object.fromEntries(
	syntheticRecords({ seed: 2, commits: 5, cells: ['app/home'] }).map((record) => [
		`baselines/${baselinePath(record)}`,
		renderBaseline(record),
	]),
);

/** A job of a repository with a store, in whose checkout a change has put a folder that looks like one. */
async function jobOf(t: TestContext, branch = 'benchgate') {
	const server = await startGitServer(t);
	server.commit(branch, FILES, { orphan: branch !== 'main' });
	const workspace = mkdtempSync(join(tmpdir(), 'benchgate-job-'));
	const home = mkdtempSync(join(tmpdir(), 'benchgate-home-'));
	writeFileSync(
		join(home, '.gitconfig'),
		`[url "${server.remote.url}"]\n\tinsteadOf = https://github.example/o/r.git\n`,
	);
	for (const [path, text] of Object.entries(FILES)) {
		mkdirSync(dirname(join(workspace, path)), { recursive: true });
		writeFileSync(join(workspace, path), text);
	}
	const { HOME: before } = process.env;
	process.env.HOME = home;
	t.after(() => {
		if (before === undefined) delete process.env.HOME;
		else process.env.HOME = before;
		for (const folder of [workspace, home]) rmSync(folder, { recursive: true, force: true });
	});
	const { github } = await connect(t, { refs: { [`heads/${branch}`]: server.git('rev-parse', branch) } });
	return (inputs: Readonly<Record<string, string>> = {}, payload: unknown = {}) => ({
		inputs: parseInputs(inputs),
		runner: {
			eventName: 'pull_request',
			payload,
			repository: { owner: 'o', repo: 'r' },
			sha: 'f'.repeat(40),
			ref: 'refs/pull/1/merge',
			run: runOf(7),
			serverUrl: 'https://github.example',
			apiUrl: 'http://127.0.0.1:9',
			workspace,
			tempFolder: home,
		},
		github,
		janitor: { guardDirectory: () => () => {} } as unknown as Janitor,
		signal: new AbortController().signal,
	});
}

test('only changes into the default branch see its baselines', async (t) => {
	const job = await jobOf(t);
	const read = async (target: string | null, ...given: Parameters<typeof job>) => {
		const { rows, warnings } = await readMain(job(...given), target);
		assert.deepEqual(warnings, []);
		return rows.map(({ server, scenario }) => `${server}/${scenario}`);
	};
	assert.deepEqual(await read('main'), ['app/home']);
	assert.deepEqual(await read('trunk', {}, { repository: { default_branch: 'trunk' } }), ['app/home']);
	assert.deepEqual(await read('release/4.x'), []);
	assert.deepEqual(await read(null), []);
	assert.deepEqual(await read('main', { store: 'branch:elsewhere' }), [], 'no such branch');
	assert.deepEqual(await read('main', { store: 'dir:baselines' }), [], "a folder of the change's own checkout");
	assert.deepEqual((await readMain({ ...job(), github: null }, 'main')).rows, []);
	const bad = await readMain(job({ store: 'nowhere:at all' }), 'main');
	assert.deepEqual([bad.rows.length, bad.warnings[0]?.code], [0, 'baselines-unread']);
});

test('baselines whose pull request was merged are read on the default branch, even after their own branch is deleted', async (t) => {
	const job = await jobOf(t, 'main');
	const { rows, warnings } = await readMain(job({ store: 'pull-request' }), 'main');
	assert.deepEqual(warnings, []);
	assert.deepEqual(
		rows.map(({ server, scenario }) => `${server}/${scenario}`),
		['app/home'],
	);
});

test('a plan reads the baselines themselves, and works without them if they cannot be read', async (t) => {
	const job = await jobOf(t);
	const steps: string[] = [];
	const progress = { step: (text: string) => void steps.push(text), status: () => {} };
	const count = async (target: string | null, inputs: Readonly<Record<string, string>> = {}) =>
		(await readMainRecords({ ...job(inputs), progress }, target)).length;
	assert.equal(await count('main'), Object.keys(FILES).length);
	assert.equal(await count('release/4.x'), 0);
	assert.equal(await count(null), 0);
	assert.deepEqual(steps, []);
	assert.equal(await count('main', { store: 'nowhere:at all' }), 0);
	assert.match(steps.join(), /^The baselines of the main branch could not be read: /);
});

test('the target branch of a change is in its event', () => {
	const target = (payload: unknown) => targetOf({ payload });
	assert.equal(target({ pull_request: { base: { ref: 'main' } } }), 'main');
	assert.equal(target({ merge_group: { base_ref: 'refs/heads/main' } }), 'main');
	for (const payload of [
		{},
		null,
		{ pull_request: { base: { ref: 7 } } },
		{ pull_request: { base: { ref: 'a b' } } },
	]) {
		assert.equal(target(payload), null);
	}
});
