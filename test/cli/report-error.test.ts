/** Output of code under test must not command GitHub's runner when a workflow runs the command line. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

const PROGRAM = `
import { reportError } from './src/cli/report-error.ts';
import { printReport } from './src/cli/write-reports.ts';
import { UserError } from './src/types/errors.ts';
const details = 'a\\n::error::x ##[add-mask]y';
reportError(new UserError({ code: 'x', message: 'm', details }), process.stdout);
printReport(() => '\\n  ::stop-commands::z\\n\\u0085::error::n\\na ::b ::1');
`;

function printed(environment: NodeJS.ProcessEnv): string {
	const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
		cwd: new URL('../..', import.meta.url),
		env: { ...process.env, NO_COLOR: '1', ...environment },
		encoding: 'utf8',
	});
	assert.equal(stderr, '');
	return stdout;
}

test('in a workflow no line of errors and reports is a command', () => {
	const text = printed({ GITHUB_ACTIONS: 'true' });
	assert.doesNotMatch(text, /^[\s\u0085]*::|##\[/m);
	assert.match(text, /a ::b ::1/);
});

test('outside of a workflow the text is unchanged', () => {
	assert.match(printed({ GITHUB_ACTIONS: '' }), /::error::x ##\[add-mask\]y\n\n {2}::stop-commands::z/);
});
