import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cutNetwork, makeFolder, openSetting, REPOSITORY } from '../support.ts';

const PINNED = JSON.parse(readFileSync(join(REPOSITORY, 'servers/express/package.json'), 'utf8')).dependencies
	.express as string;

test('npm revisions replace the framework of the real server, the other pins stay, and later runs need no network', async (t) => {
	const setting = await openSetting(t, { cwd: makeFolder(t) });
	const prepared = await setting.prepare('npm:express@5.1.0', `express@${PINNED}`, ['express', 'koa']);
	const { base, head } = prepared.sides;
	assert.equal(base.info.label, 'express@5.1.0');
	assert.equal(base.info.versions.express?.express, '5.1.0');
	assert.equal(head.info.versions.express?.express, PINNED);
	assert.equal(base.info.versions.express?.compression, head.info.versions.express?.compression);
	// Equal version numbers: the tarball must still be installed.
	assert.ok(existsSync(join(head.servers.express?.cwd ?? '', 'subject.tgz')));
	assert.ok(prepared.installs > 100);
	assert.deepEqual(base.servers.koa, head.servers.koa);
	assert.deepEqual(
		prepared.warnings.map(({ code }) => code),
		['subject-unused', 'dependencies-differ'],
	);
	assert.match(prepared.warnings[0]?.message ?? '', /koa does not use express/);
	assert.doesNotMatch(prepared.warnings[1]?.message ?? '', /(^|[ ,:])express \d/);

	cutNetwork(t);
	const again = await setting.prepare('npm:express@5.1.0', `express@${PINNED}`, ['express', 'koa']);
	assert.equal(again.installs, 0);
	assert.deepEqual(again.sides, prepared.sides);
});
