/** Files of a variant never leave the checkout, whatever their names and the files of head in their places. */
import assert from 'node:assert/strict';
import { lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeVersions } from '../../../src/prepare/content/file-versions.ts';
import type { FileMode } from '../../../src/types/difference.ts';
import { makeFolder, userError } from '../support.ts';

const fileOf = (path: string, text: string, mode: FileMode = '100644') => ({
	path,
	state: { mode, content: Buffer.from(text) },
});

test('files, modes and links are written and removed', async (t) => {
	const top = makeFolder(t, { 'a.js': 'old', 'gone/b.js': 'b', 'link.js': 'a file' });
	await writeVersions(
		top,
		[
			fileOf('a.js', 'new\r\n', '100755'),
			{ path: 'gone/b.js', state: null },
			{ path: 'never/there.js', state: null },
			fileOf('link.js', 'a.js', '120000'),
			fileOf('deep/er/c.js', 'c'),
		],
		'head',
	);
	assert.equal(readFileSync(join(top, 'a.js'), 'utf8'), 'new\r\n');
	assert.equal(lstatSync(join(top, 'a.js')).mode & 0o777, 0o755);
	assert.equal(readlinkSync(join(top, 'link.js')), 'a.js');
	assert.equal(readFileSync(join(top, 'deep/er/c.js'), 'utf8'), 'c');
	assert.equal(lstatSync(join(top, 'gone/b.js'), { throwIfNoEntry: false }), undefined);
});

test('a file replaces a folder, and a folder a file', async (t) => {
	const top = makeFolder(t, { 'a/b.js': 'b', c: 'a file' });
	const changed = [
		fileOf('a', 'a file'),
		{ path: 'a/b.js', state: null },
		{ path: 'c', state: null },
		fileOf('c/d.js', 'd'),
	];
	await writeVersions(top, changed, 'head');
	assert.equal(readFileSync(join(top, 'a'), 'utf8'), 'a file');
	assert.equal(readFileSync(join(top, 'c/d.js'), 'utf8'), 'd');
});

test('no name and no link of head leads outside', async (t) => {
	const outside = makeFolder(t, { 'secret.js': 'secret' });
	const top = makeFolder(t, { 'full/of/files.js': 'x', file: 'x' });
	mkdirSync(join(top, 'real'));
	symlinkSync(outside, join(top, 'link'));
	symlinkSync(join(outside, 'secret.js'), join(top, 'secret.js'));
	for (const path of [
		'../out.js',
		'/etc/out.js',
		'a/../../out.js',
		'.git/hooks/post-checkout',
		'a/.GIT/config',
		'a\\b',
		'',
		'a//b',
	])
		assert.equal((await userError(writeVersions(top, [fileOf(path, 'x')], 'head'))).code, 'file-blocked', path);
	for (const path of ['link/out.js', 'file/below.js', 'full']) {
		const error = await userError(writeVersions(top, [fileOf(path, 'x')], 'head'));
		assert.deepEqual([error.code, error.where], ['file-blocked', 'head'], path);
	}
	await writeVersions(top, [{ path: 'link/secret.js', state: null }, fileOf('secret.js', 'replaced')], 'head');
	assert.equal(readFileSync(join(outside, 'secret.js'), 'utf8'), 'secret');
	assert.equal(readFileSync(join(top, 'secret.js'), 'utf8'), 'replaced');
	assert.ok(!lstatSync(join(top, 'secret.js')).isSymbolicLink());
});
