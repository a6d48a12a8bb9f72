import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readRunner } from '../../../src/action/request/runner.ts';
import { isUserError } from '../../../src/types/errors.ts';

const VARIABLES = {
	GITHUB_ACTIONS: 'true',
	GITHUB_EVENT_NAME: 'push',
	GITHUB_EVENT_PATH: '/event.json',
	GITHUB_REPOSITORY: 'octo-org/hello.world',
	GITHUB_RUN_ID: '123456789',
	GITHUB_RUN_ATTEMPT: '2',
	GITHUB_SERVER_URL: 'https://github.com/',
	GITHUB_API_URL: 'https://api.github.com',
	GITHUB_WORKSPACE: '/work',
	RUNNER_TEMP: '/temp',
	GITHUB_SHA: 'a'.repeat(40),
	GITHUB_REF: 'refs/heads/main',
	GITHUB_ACTOR: 'octocat',
};

function refusalOf(read: () => unknown): { code: string; message: string } {
	try {
		read();
	} catch (error) {
		assert.ok(isUserError(error), String(error));
		return { code: error.code, message: error.message };
	}
	return assert.fail('it was read');
}

test('the run is read from the variables of the runner', () => {
	assert.deepEqual(
		readRunner(VARIABLES, () => '{"ref":"refs/heads/main"}'),
		{
			eventName: 'push',
			payload: { ref: 'refs/heads/main' },
			repository: { owner: 'octo-org', repo: 'hello.world' },
			sha: 'a'.repeat(40),
			ref: 'refs/heads/main',
			actor: 'octocat',
			run: {
				id: 123456789,
				attempt: 2,
				url: 'https://github.com/octo-org/hello.world/actions/runs/123456789/attempts/2',
			},
			serverUrl: 'https://github.com',
			apiUrl: 'https://api.github.com',
			workspace: '/work',
			tempFolder: '/temp',
			workflow: null,
		},
	);
});

test('a runner that does not count attempts makes first attempts', () => {
	const { GITHUB_RUN_ATTEMPT: _, ...others } = VARIABLES;
	const { run } = readRunner(others, () => '{}');
	assert.deepEqual([run.attempt, run.url.split('/').at(-1)], [1, '123456789']);
});

test('outside of a workflow it reports that', () => {
	assert.equal(refusalOf(() => readRunner({})).code, 'not-in-actions');
});

test('every missing or odd variable is named', () => {
	const { code, message } = refusalOf(() =>
		readRunner({ ...VARIABLES, GITHUB_REPOSITORY: 'no-slash', GITHUB_RUN_ID: '0x1', RUNNER_TEMP: '' }, () => '{}'),
	);
	assert.equal(code, 'bad-runner');
	assert.match(message, /GITHUB_REPOSITORY, GITHUB_RUN_ID, RUNNER_TEMP are missing or not of the usual form/);
});

test('the event file may be missing, empty, no JSON or too large', (t) => {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-event-'));
	t.after(() => rmSync(folder, { recursive: true }));
	const path = join(folder, 'event.json');
	const refusal = () => refusalOf(() => readRunner({ ...VARIABLES, GITHUB_EVENT_PATH: path }));
	assert.deepEqual(refusal(), { code: 'bad-event', message: 'the file with the event is not there' });
	writeFileSync(path, '');
	assert.deepEqual(refusal(), { code: 'bad-event', message: 'the file with the event is empty' });
	writeFileSync(path, '{"action": "opened", "title": "::error::hostile');
	assert.deepEqual(refusal(), { code: 'bad-event', message: 'the file with the event is not JSON' });
	writeFileSync(path, `"${'x'.repeat(33 * 1024 * 1024)}"`);
	assert.deepEqual(refusal(), { code: 'bad-event', message: 'the file with the event is larger than 32 MiB' });
});
