import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const PAGES = ['docs/action.md', 'docs/security.md'];

test('the tables of inputs and outputs are what action.yml says', () => {
	execFileSync(process.execPath, [join(ROOT, 'scripts/action-docs.ts'), '--check'], { stdio: 'pipe' });
});

test('the page on the action explains every error and warning about inputs, events and secrets', () => {
	const files = globSync('src/action/{request,secrets}/*.ts', { cwd: ROOT });
	const codes = files.flatMap((file) => [...read(file).matchAll(/code: '([a-z-]+)'/g)].map(([, code = '']) => code));
	assert.ok(new Set(codes).size >= 10, codes.join(', '));
	const page = read('docs/action.md');
	assert.deepEqual(
		codes.filter((code) => !page.includes(`\`${code}\``)),
		[],
	);
});

test('the page on the action names every event that is read', () => {
	const [, readers = ''] =
		/const READERS[\s\S]*?new Map\(\[([\s\S]*?)\]\);/.exec(read('src/action/request/request.ts')) ?? [];
	const events = [...readers.matchAll(/'([a-z_]+)'/g)].map(([, name = '']) => name);
	assert.equal(events.length, 7);
	const page = read('docs/action.md');
	for (const name of events) assert.match(page, new RegExp(`^\\| \`${name}\``, 'm'), name);
});

/** GitHub's anchors of a page's headings. */
function anchorsOf(page: string): string[] {
	return [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, '')
			.replaceAll(' ', '-'),
	);
}

for (const page of PAGES) {
	test(`the links of ${page} lead somewhere`, () => {
		const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
		assert.ok(links.length > 0);
		for (const link of links) {
			const [path = '', anchor] = link.split('#');
			const file = path === '' ? join(ROOT, page) : resolve(ROOT, dirname(page), path);
			const target = readFileSync(file, 'utf8');
			if (anchor !== undefined) assert.ok(anchorsOf(target).includes(anchor), link);
		}
	});
}
