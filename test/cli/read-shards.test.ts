import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readShards } from '../../src/cli/ranking-command.ts';

test('a ranking is divided only on request', () => {
	assert.equal(readShards({}), null);
	assert.equal(readShards({ out: 'x', preset: 'seed-ergo' }), null);
	assert.deepEqual(readShards({ shards: '4', shard: '2', out: 'x' }), { count: 4, shard: 2 });
	assert.deepEqual(readShards({ shards: 'auto', dryRun: true }), { count: null, shard: null });
});

/** Flags, and the full message. */
const REFUSED: readonly (readonly [Parameters<typeof readShards>[0], RegExp])[] = [
	[{ shard: '1', out: 'x' }, /^--shard: needs --shards NUMBER, how many there are$/],
	[{ shards: '2' }, /^--shards: needs --shard NUMBER, which of them to measure, or --dry-run$/],
	[{ shards: '2', shard: '1' }, /^--shard: needs --out FOLDER, where gather finds what was measured$/],
	[{ shards: '2', dryRun: true, preset: 'seed-ergo' }, /^--preset: not with --shards; its ranking is by figures/],
	[{ shards: '2', dryRun: true, merge: 'a,b' }, /^--merge: not with --shards; nothing is measured$/],
	[{ shards: 'some', shard: '0', out: 'x' }, /^--shards some: not allowed; auto or .*\n--shard 0: not allowed; /],
];

for (const [flags, pattern] of REFUSED) {
	test(`${JSON.stringify(flags)} is refused, with the reason`, () => {
		assert.throws(() => readShards(flags), { code: 'bad-flag', message: pattern });
	});
}
