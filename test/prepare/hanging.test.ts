/** A hanging git or npm cannot delay a run for ever. */
import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { describeFailure } from '../../src/action/publish/describe-failure.ts';
import { failureKind } from '../../src/judge/consequence.ts';
import { findRuntimes } from '../../src/prepare/find-runtimes.ts';
import { runGit } from '../../src/prepare/revision/git.ts';
import { findProcesses } from '../support/act/processes.ts';
import { commit, configOf, customServer, makeFolder, openSetting, sessionOf, userError } from './support.ts';

/** A program that never ends, and the folder that identifies its processes. */
function hanging(t: TestContext): { readonly folder: string; readonly program: string } {
	const folder = makeFolder(t, { tool: `#!/bin/sh\necho working >&2\nsleep 300 & wait\n` });
	const program = join(folder, 'tool');
	chmodSync(program, 0o755);
	return { folder, program };
}

test('a registry that never answers is abandoned after prepare-timeout, and is no fault of a side', async (t) => {
	const { folder, program } = hanging(t);
	const setting = await openSetting(t, { cwd: makeFolder(t), npm: program });
	const [base, head] = ['npm:tinyframe@latest', 'npm:tinyframe@1'];
	const error = await userError(setting.prepare(base, head, ['express'], { prepareTimeoutSeconds: 0.5 }));
	assert.deepEqual([error.code, error.exitCode], ['npm-failed', 3]);
	assert.match(error.message, /could not fetch tinyframe@latest \(a time-out after 500ms\)/);
	assert.equal(failureKind(describeFailure(error)), 'machine');
	assert.deepEqual(findProcesses(folder), []);
});

test('a runtime that npm never finishes to install is abandoned too', async (t) => {
	const { program } = hanging(t);
	const setting = await openSetting(t, { cwd: makeFolder(t), npm: program });
	const wishes = { headRuntime: { name: 'node', version: '22.1.0' }, prepareTimeoutSeconds: 0.5 } as const;
	const error = await userError(findRuntimes({ ...configOf([]), ...wishes }, setting.context));
	assert.deepEqual([error.code, error.exitCode], ['no-runtime', 3]);
	assert.match(error.message, /^npm install .* failed with a time-out after 500ms$/);
});

test('a hanging git is stopped, with a message; for slow networks it is an outcome', async (t) => {
	const setting = await openSetting(t, { cwd: makeFolder(t) });
	const context = sessionOf(setting);
	const hang = ['-c', 'alias.hang=!sleep 300', 'hang'];
	const error = await userError(runGit(context, setting.context.cwd, hang, { ms: 300 }));
	assert.deepEqual([error.code, error.exitCode, error.where], ['git-hangs', 3, setting.context.cwd]);
	assert.match(error.message, /^git .*had not ended after 300ms, and was stopped$/);
	assert.equal(failureKind(describeFailure(error)), 'machine');
	const outcome = await runGit(context, setting.context.cwd, hang, { ms: 300, mayPass: true });
	assert.deepEqual([outcome.timedOut, outcome.ending], [true, 'a time-out after 300ms']);
});

test('a long build is shown with its last line of output', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', { 'server.sh': 'echo hello' });
	const seen = join(makeFolder(t), 'seen');
	const shown: string[] = [];
	const status = (text: string, output?: string) => {
		shown.push(text);
		if (output === 'file 3 of 9') writeFileSync(seen, '');
	};
	const setting = await openSetting(t, { cwd, progress: { step: () => {}, status } });
	// It ends once its output was shown.
	const prepare = `printf 'file 1 of 9\\rfile 3 of 9\\n'; until [ -e ${seen} ]; do sleep 0.1; done`;
	await setting.prepare('v1', 'v1', [customServer('.', 'sh server.sh')], { prepare, prepareTimeoutSeconds: 60 });
	assert.match(shown[0] ?? '', /^base \(v1\): printf /);
	assert.equal(shown.at(-1), '');
});
