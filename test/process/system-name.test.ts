import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, type } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemName } from '../../src/measure/machine.ts';

test('a system has its own name, with the engine of its container', (t) => {
	const root = mkdtempSync(join(tmpdir(), 'benchgate-system-'));
	t.after(() => rmSync(root, { recursive: true }));
	assert.ok(systemName(root).startsWith(`${type()} `), 'a system that says nothing of itself');
	mkdirSync(join(root, 'etc'));
	writeFileSync(
		join(root, 'etc/os-release'),
		'NAME="Debian"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\n',
	);
	assert.equal(systemName(root), 'Debian GNU/Linux 12 (bookworm)');
	writeFileSync(join(root, '.dockerenv'), '');
	assert.equal(systemName(root), 'Debian GNU/Linux 12 (bookworm), in Docker');
	writeFileSync(join(root, 'etc/os-release'), 'PRETTY_NAME=Alpine\n');
	assert.equal(systemName(root), 'Alpine, in Docker');
});
