import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { PLATFORM_TABLE, requirePlatform } from '../../src/process/platforms.ts';
import { isUserError } from '../../src/types/errors.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

test('Windows is refused by name with a remedy, as bad usage; no other platform is', () => {
	assert.throws(
		() => requirePlatform('win32'),
		(error: unknown) => {
			assert.ok(isUserError(error));
			assert.equal(error.exitCode, 2);
			assert.match(error.message, /does not run on Windows/);
			assert.match(error.remedy ?? '', /WSL.*Linux runner/);
			return true;
		},
	);
	for (const platform of ['linux', 'darwin', 'freebsd'] as const) requirePlatform(platform);
});

/** Makes a program see Windows as its platform. */
const PRETEND = `data:text/javascript,Object.defineProperty(process, 'platform', { value: 'win32' })`;

test('the command line checks the platform first', () => {
	const words = ['--import', PRETEND, 'src/cli.ts', 'compare', '--base', 'main', '--head', 'HEAD'];
	const { status, stderr } = spawnSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8' });
	assert.match(stderr, /^benchgate: benchgate does not run on Windows/);
	assert.equal(status, 2);
});

test('the action checks the platform first', () => {
	const words = ['--import', PRETEND, 'src/action.ts'];
	const { status, stdout } = spawnSync(process.execPath, words, {
		cwd: ROOT,
		encoding: 'utf8',
		env: { PATH: process.env.PATH },
	});
	assert.match(stdout, /::error title=.*::benchgate does not run on Windows/);
	assert.notEqual(status, 0);
});

test("the page on the command line has the code's table of platforms", () => {
	const page = readFileSync(`${ROOT}docs/command-line.md`, 'utf8');
	const table = /^## Platforms\n\n((?:\|.*\n)+)/m.exec(page)?.[1] ?? '';
	const cells = table
		.trim()
		.split('\n')
		.map((line) =>
			line
				.split('|')
				.slice(1, -1)
				.map((cell) => cell.trim()),
		);
	const [head, , ...rows] = cells;
	assert.deepEqual(head, ['', ...PLATFORM_TABLE.columns]);
	assert.deepEqual(rows, PLATFORM_TABLE.rows);
});
