import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkMergeFlags, checkMergeNames } from '../../src/cli/ranking-command.ts';

test('flags about measuring are refused for a pure merge', () => {
	checkMergeFlags({ highlight: 'koa', wraps: 'a=b', percentOf: 'koa', seed: '' });
	assert.throws(() => checkMergeFlags({ server: 'koa', precision: '2%', out: 'folder', highlight: 'koa' }), {
		code: 'bad-flag',
		message: [
			'--precision: not with --merge; nothing is measured',
			'--server: not with --merge; nothing is measured',
			'--out: not with --merge; name the files you want, as with --html FILE',
		].join('\n'),
	});
});

test('names that no merged run has are reported, each with its flag', () => {
	const servers = ['koa on node@22', 'koa on node@24', 'express'];
	checkMergeNames({ highlight: 'koa', wraps: 'koa=express', percentOf: 'express, koa' }, servers);
	checkMergeNames({}, servers);
	assert.throws(() => checkMergeNames({ highlight: 'expres', wraps: 'koa=hapi', percentOf: 'polka' }, servers), {
		message: /^--highlight expres: .* did you mean "express"\?\n--wraps hapi: .*\n--percent-of polka: /,
	});
	assert.throws(() => checkMergeNames({ wraps: 'koa' }, servers), { message: /^--wraps koa: not allowed; / });
});
