import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { commit, makeFolder, openSetting } from './support.ts';

test('a subject that only the lockfile tree has is replaced there, everywhere', async (t) => {
	const cwd = makeFolder(t);
	const fake = (mark: string) => ({
		'package.json': { name: 'qs', version: '6.17.1' },
		'index.js': `exports.mark='${mark}'`,
	});
	commit(cwd, 'v1', fake('one'));
	commit(cwd, 'v2', fake('two'));
	const setting = await openSetting(t, { cwd });
	const prepared = await setting.prepare('v1', 'v2', ['express']);
	for (const [side, mark] of [
		['base', 'one'],
		['head', 'two'],
	] as const) {
		const folder = prepared.sides[side].servers.express?.cwd ?? '';
		assert.equal(
			execFileSync(process.execPath, ['-p', 'require("qs").mark'], { cwd: folder, encoding: 'utf8' }).trim(),
			mark,
		);
		assert.equal(prepared.sides[side].info.versions.express?.qs, '6.17.1');
	}
	assert.deepEqual(prepared.warnings, []);
});
