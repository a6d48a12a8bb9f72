import assert from 'node:assert/strict';
import {
	appendFileSync,
	existsSync,
	lstatSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { guardRunnerFiles } from '../../../src/action/services/foreign-code.ts';

function makeFiles(t: TestContext) {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-runner-files-'));
	t.after(() => rmSync(folder, { recursive: true }));
	const environment = {
		GITHUB_ENV: join(folder, 'set_env'),
		GITHUB_PATH: join(folder, 'add_path'),
		GITHUB_OUTPUT: join(folder, 'set_output'),
		GITHUB_STEP_SUMMARY: join(folder, 'summary'),
		GITHUB_STATE: join(folder, 'save_state'),
	};
	for (const path of Object.values(environment)) writeFileSync(path, '');
	return environment;
}

test('untouched files are left alone', (t) => {
	const environment = makeFiles(t);
	assert.equal(guardRunnerFiles(environment)(), null);
	assert.equal(guardRunnerFiles({})(), null);
});

test('additions of the code under test are removed, with a warning', (t) => {
	const environment = makeFiles(t);
	writeFileSync(environment.GITHUB_STEP_SUMMARY, 'from before\n');
	const restore = guardRunnerFiles(environment);
	appendFileSync(environment.GITHUB_ENV, 'NODE_OPTIONS=--require=/tmp/evil.js\n');
	appendFileSync(environment.GITHUB_STEP_SUMMARY, 'all is well\n');
	rmSync(environment.GITHUB_PATH);
	const warning = restore();
	assert.equal(warning?.code, 'runner-files-touched');
	assert.match(warning.message, /\(GITHUB_ENV, GITHUB_PATH, GITHUB_STEP_SUMMARY\)/);
	assert.equal(readFileSync(environment.GITHUB_ENV, 'utf8'), '');
	assert.equal(readFileSync(environment.GITHUB_STEP_SUMMARY, 'utf8'), 'from before\n');
	assert.ok(existsSync(environment.GITHUB_PATH));
	assert.equal(restore(), null);
});

test('the state for the post step stays as it was, without additions', (t) => {
	const environment = makeFiles(t);
	writeFileSync(environment.GITHUB_STATE, 'check<<end\n7\nend\n');
	const restore = guardRunnerFiles(environment);
	appendFileSync(environment.GITHUB_STATE, 'concluded<<end\ntrue\nend\n');
	assert.match(restore()?.message ?? '', /\(GITHUB_STATE\)/);
	assert.equal(readFileSync(environment.GITHUB_STATE, 'utf8'), 'check<<end\n7\nend\n');
});

test('a link in place of a file is replaced, not followed', (t) => {
	const environment = makeFiles(t);
	const restore = guardRunnerFiles(environment);
	const victim = `${environment.GITHUB_ENV}-victim`;
	writeFileSync(victim, 'keep me');
	rmSync(environment.GITHUB_ENV);
	symlinkSync(victim, environment.GITHUB_ENV);
	assert.equal(restore()?.code, 'runner-files-touched');
	assert.equal(readFileSync(victim, 'utf8'), 'keep me');
	assert.ok(lstatSync(environment.GITHUB_ENV).isFile());
});
