import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notExercised, whyAffected } from '../../src/text/impact-words.ts';
import { type Phrase, renderPhrase } from '../../src/text/phrase.ts';
import type { CodeChange, ImpactReason } from '../../src/types/impact.ts';

const CODE = { own: (text: string) => text, text: (text: string) => text, strong: (text: string) => text };
const plain = (words: Phrase) => renderPhrase(words, { ...CODE, code: (text) => `\`${text}\`` });
const send = {
	kind: 'function',
	name: 'res.send',
	path: 'node_modules/express/lib/response.js',
	line: 118,
	side: 'head',
} as const;
const limit = { ...send, kind: 'declaration', name: 'LIMIT', line: 7 } as const;
const file = {
	kind: 'file',
	name: 'node_modules/send/index.js',
	path: 'node_modules/send/index.js',
	line: 1,
	side: 'head',
} as const;

const REASONS: readonly (readonly [ImpactReason, string])[] = [
	[
		{ kind: 'code', change: send, user: null, callsPerRequest: 1 },
		'because `res.send` changed (`express/lib/response.js:118`, 1.0× a request)',
	],
	[
		{ kind: 'code', change: send, user: null, callsPerRequest: 0.001 },
		'because `res.send` changed (`express/lib/response.js:118`, < 0.1× a request)',
	],
	[
		{ kind: 'code', change: send, user: null, callsPerRequest: 0 },
		'because `res.send` changed (`express/lib/response.js:118`, runs at start)',
	],
	[
		{ kind: 'code', change: limit, user: 'parse', callsPerRequest: 2.5 },
		'because `LIMIT` changed (`express/lib/response.js:7`), which `parse` uses (2.5× a request)',
	],
	[
		{ kind: 'code', change: file, user: null, callsPerRequest: 0 },
		'because `send/index.js` changed (the whole file, runs at start)',
	],
	[{ kind: 'data', path: 'express/views/a.html' }, 'because base reads `express/views/a.html`, which changed'],
	[
		{ kind: 'resolution', specifier: 'qs', path: 'node_modules/express/lib/utils.js' },
		'because `qs` may be another module for `express/lib/utils.js`',
	],
	[
		{ kind: 'unseen', unseen: 'process', detail: 'convert -version' },
		'because coverage is incomplete: base started `convert -version`',
	],
];

test('a reason from the config has no words', () => {
	assert.equal(whyAffected({ kind: 'always', always: 'command' }), null);
});

for (const [reason, words] of REASONS) test(words, () => assert.equal(plain(whyAffected(reason) ?? []), words));

const listed = (changes: readonly CodeChange[], count: number | null) => ({ changes, omitted: 0, notExercised: count });

test('a warning names the first change that no cell runs, and counts the others', () => {
	const changes: readonly CodeChange[] = [
		{ ...send, cells: ['express/ping'] },
		{ ...send, name: 'res.sendFile', line: 430, cells: [] },
		{ ...limit, cells: [] },
		{ ...file, cells: [] },
	];
	assert.equal(
		plain(notExercised(listed(changes, 3)) ?? []),
		'Changed but not exercised by any scenario: `res.sendFile` (`express/lib/response.js:430`) and 2 more.',
	);
	assert.equal(
		plain(notExercised(listed([{ ...file, cells: [] }], 1)) ?? []),
		'Changed but not exercised by any scenario: `send/index.js`.',
	);
	assert.equal(notExercised(listed(changes.slice(0, 1), 0)), null);
	assert.equal(notExercised(listed(changes, null)), null);
});
