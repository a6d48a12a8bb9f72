/** Commands on pages can be typed: their built-in servers and scenarios exist, and remarks are comments. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadCatalogue } from '../../src/config/load-catalogue.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';

const PAGES = ['README.md', 'CONTRIBUTING.md', ...globSync(['docs/*.md', 'docs/tutorials/*.md'], { cwd: TOOL_ROOT })];
const { servers, scenarios } = await loadCatalogue(TOOL_ROOT);
const KNOWN = {
	server: new Set(['all', ...servers.map(({ name }) => name)]),
	scenario: new Set(['all', ...scenarios.flatMap(({ name, groups }) => [name, ...groups])]),
};

/** The values that commands of `page` give to a flag. */
function namesIn(page: string, flag: keyof typeof KNOWN): string[] {
	const lines = readFileSync(join(TOOL_ROOT, page), 'utf8').split('\n');
	const commands = lines.filter((line) => line.includes('benchgate '));
	return commands.flatMap((line) =>
		[...line.matchAll(new RegExp(`--${flag} ([a-z0-9-]+(?:,[a-z0-9-]+)*)`, 'g'))].flatMap(([, names = '']) =>
			names.split(','),
		),
	);
}

for (const flag of ['server', 'scenario'] as const) {
	test(`every --${flag} on a page is built in`, () => {
		const shown = PAGES.flatMap((page) => namesIn(page, flag).map((name) => ({ page, name })));
		assert.ok(shown.length > 10, `${shown.length} names`);
		assert.deepEqual(
			shown.filter(({ name }) => !KNOWN[flag].has(name)),
			[],
		);
	});
}

test('a remark beside a command is a comment of the shell', () => {
	const commands = PAGES.flatMap((page) => {
		const blocks = [...readFileSync(join(TOOL_ROOT, page), 'utf8').matchAll(/^```(?:sh)?\n(.*?)^```/gms)];
		const lines = blocks.flatMap(([, block = '']) => block.split('\n'));
		return lines.filter((line) => /^(?:npx )?benchgate |^npm /.test(line)).map((line) => `${page}: ${line}`);
	});
	assert.ok(commands.length > 30, `${commands.length} commands`);
	assert.deepEqual(
		commands.filter((line) => / {3,}[^\s#]/.test(line)),
		[],
	);
});
