import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { ACTION_MODES } from '../../src/types/action-run.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

test('the tables of inputs and outputs match action.yml', () => {
	execFileSync(process.execPath, [join(ROOT, 'scripts/action-docs.ts'), '--check'], { stdio: 'pipe' });
});

test('the page on the action explains every error and warning about inputs, events and secrets', () => {
	const files = globSync('src/action/{request/*,*/fit-command,*/open-services,*secrets*,*credentials*}.ts', {
		cwd: ROOT,
	});
	const codes = files.flatMap((file) => [...read(file).matchAll(/code: '([a-z-]+)'/g)].map(([, code = '']) => code));
	assert.ok(new Set(codes).size >= 10, codes.join(', '));
	const page = read('docs/action.md');
	assert.deepEqual(
		codes.filter((code) => !page.includes(`\`${code}\``)),
		[],
	);
});

test('the page on the action names every supported event', () => {
	const [, readers = ''] =
		/const READERS[\s\S]*?new Map\(\[([\s\S]*?)\]\);/.exec(read('src/action/request/request.ts')) ?? [];
	const events = [...readers.matchAll(/'([a-z_]+)'/g)].map(([, name = '']) => name);
	assert.equal(events.length, 7);
	const page = read('docs/action.md');
	for (const name of events) assert.match(page, new RegExp(`^\\| \`${name}\``, 'm'), name);
});

test('action.yml and the page on the action name every mode', () => {
	const { inputs } = parse(read('action.yml')) as { inputs: { mode: { description: string } } };
	const page = read('docs/action.md');
	for (const mode of ACTION_MODES) {
		assert.ok(inputs.mode.description.includes(`\`${mode}\``), `action.yml: ${mode}`);
		if (mode !== 'auto') assert.ok(page.includes(`\`mode: ${mode}\``), `docs/action.md: ${mode}`);
	}
});
