import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Asserts that `text` equals test/golden/`name`. Otherwise writes `<name>.got` beside it; with UPDATE_GOLDEN=1 rewrites
 * the file instead.
 */
export function assertGolden(name: string, text: string): void {
	const path = fileURLToPath(new URL(`../golden/${name}`, import.meta.url));
	if (process.env.UPDATE_GOLDEN === '1') {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
	}
	const expected = readIfThere(path);
	if (expected === text) {
		rmSync(`${path}.got`, { force: true });
		return;
	}
	writeFileSync(`${path}.got`, text);
	assert.equal(
		text,
		expected ?? '',
		`${name} differs; compare it with ${name}.got, and run with UPDATE_GOLDEN=1 if right`,
	);
}

function readIfThere(path: string): string | null {
	try {
		return readFileSync(path, 'utf8');
	} catch {
		return null;
	}
}
