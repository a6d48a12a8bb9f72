import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeUncovered, warnAffected } from '../../src/impact/describe-impact.ts';
import type { CodeChange, ImpactReason } from '../../src/types/impact.ts';

const PATH = 'express/node_modules/express/lib/response.js';
const code = (callsPerRequest: number, user: string | null = null): ImpactReason => ({
	kind: 'code',
	change: { kind: 'function', name: 'send', path: PATH, line: 118, side: 'head' },
	...{ user, callsPerRequest },
});
const messagesOf = (...reasons: readonly (ImpactReason | null)[]) =>
	warnAffected({ cells: new Map(reasons.map((reason, at) => [`express/row-${at}`, reason])) }).map(
		({ message }) => message,
	);

test('says once for all rows with one reason why they are measured', () => {
	assert.deepEqual(messagesOf(code(1), code(1), null, code(1), code(1)), [
		'Measured because send() changed (express/lib/response.js:118, 1.0× a request): express/row-0, express/row-1, express/row-3 and 1 more.',
	]);
	assert.deepEqual(messagesOf(null), []);
});

test('says how often changed code runs, and by which function', () => {
	assert.match(messagesOf(code(0))[0] ?? '', /:118, runs before the load\)/);
	assert.match(messagesOf(code(0.25))[0] ?? '', /:118, 0\.3× a request\)/);
	assert.match(messagesOf(code(1234, 'json'))[0] ?? '', /:118, used by json\(\), 1,234× a request\)/);
});

test('names data, resolution and gaps of coverage', () => {
	assert.deepEqual(
		messagesOf(
			{ kind: 'data', path: 'views/index.html' },
			{ kind: 'resolution', specifier: './a', path: 'a/node_modules/b/c.js' },
			{ kind: 'unseen', unseen: 'process', detail: 'sh (process 7)' },
		),
		[
			'Measured because views/index.html changed, which base reads: express/row-0.',
			'Measured because b/c.js may load other files: express/row-1.',
			'Measured because coverage of base has a gap (process: sh (process 7)): express/row-2.',
		],
	);
});

test('names changed code that no row runs', () => {
	const change = (name: string, cells: readonly string[], kind: CodeChange['kind'] = 'function'): CodeChange => ({
		...{ kind, name, path: PATH, line: 430, side: 'head', cells: [...cells] },
	});
	assert.equal(describeUncovered({ changes: [change('send', ['express/ping'])] }), null);
	assert.equal(
		describeUncovered({ changes: [change('res.sendFile', []), change('', []), change('', [], 'file')] }),
		'Changed but not exercised by any row: res.sendFile() (express/lib/response.js:430), a function (express/lib/response.js:430), response.js (express/lib/response.js:430).',
	);
});
