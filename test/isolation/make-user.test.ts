import assert from 'node:assert/strict';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { test } from 'node:test';
import { makeUser, type UsersOptions } from '../../src/isolation/sides/make-user.ts';
import { startJanitor } from '../../src/process/janitor.ts';

/** Names of the users' locks that this process holds. */
function heldLocks(): string[] {
	const ours = readdirSync('/proc/self/fd').flatMap((fd) => {
		try {
			return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[1] ?? [];
		} catch {
			return [];
		}
	});
	return readFileSync('/proc/net/unix', 'utf8')
		.split('\n')
		.map((line) => line.trim().split(/\s+/))
		.filter(([, , , , , , inode = '', path = '']) => path.startsWith('@benchgate-user-') && ours.includes(inode))
		.map(([, , , , , , , path = '']) => path);
}

test('a user that cannot be created is free again', async (t) => {
	const janitor = await startJanitor();
	t.after(() => janitor.close());
	const options = { facts: { privilege: 'root', setpriv: 'setpriv' }, janitor } as unknown as UsersOptions;
	let seen: string[] = [];
	const place = {
		get root(): string {
			seen = heldLocks();
			return '/nowhere/at-all';
		},
		listens: () => {},
	};
	await assert.rejects(makeUser(options, place), { code: 'ENOENT' });
	assert.equal(seen.length, 1, 'the test sees a lock while it is held');
	assert.deepEqual(heldLocks(), []);
});
