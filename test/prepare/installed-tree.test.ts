import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readInstalledTree } from '../../src/prepare/installed-tree.ts';

test('a tree has the text of scripts, and the content and mode of other files', async (t) => {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-tree-'));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	mkdirSync(join(folder, '.git'));
	const write = (name: string, mode: number, text = 'a') => {
		writeFileSync(join(folder, name), text);
		chmodSync(join(folder, name), mode);
	};
	for (const [name, mode] of [
		['a.js', 0o644],
		['b.js', 0o755],
		['.git/c', 0o644],
		['data', 0o644],
		['private', 0o600],
		['program', 0o755],
	] as const)
		write(name, mode);
	symlinkSync('a.js', join(folder, 'link'));
	const tree = await readInstalledTree(folder);
	assert.deepEqual([...tree.keys()].toSorted(), ['a.js', 'b.js', 'data', 'link', 'private', 'program']);
	assert.equal(tree.get('a.js'), 'a');
	assert.equal(tree.get('b.js'), 'a');
	const hash = 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb';
	assert.equal(tree.get('data'), hash);
	assert.equal(tree.get('private'), hash);
	assert.equal(tree.get('program'), `${hash} executable`);
	// Only root can read what nobody may read.
	if (process.getuid?.() !== 0) return;
	write('data', 0o000);
	write('a.js', 0o000);
	const closed = await readInstalledTree(folder);
	assert.equal(closed.get('data'), `${hash} unreadable`);
	assert.equal(closed.get('a.js'), `${hash} unreadable`);
});
