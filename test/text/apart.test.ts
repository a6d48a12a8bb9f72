import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainRefused } from '../../src/text/apart.ts';

for (const said of [
	"Error: EACCES: permission denied, open 'data.db'",
	"Error: EROFS: read-only file system, mkdir '/var/lib/x'",
	"PermissionError: [Errno 13] Permission denied: 'log'",
	'open x: read-only file system',
]) {
	test(`what to do about "${said}" is said`, () => {
		assert.match(explainRefused(said, 'server'), /^; .*HOME and TMPDIR.*isolation: none/);
		assert.match(explainRefused(said, 'build'), /checkout, HOME and TMPDIR/);
	});
}

test('nothing is said of other troubles', () => {
	assert.equal(explainRefused('TypeError: x is not a function\nError: EADDRINUSE', 'server'), '');
});
