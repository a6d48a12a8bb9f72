import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findExcess } from '../../src/formats/json-scan.ts';
import { readPublication, renderPublication } from '../../src/formats/publication/publication-file.ts';
import { PUBLICATION_LIMITS } from '../../src/formats/publication/publication-schema.ts';
import type { Publication } from '../../src/types/action-run.ts';
import { isUserError, type UserError } from '../../src/types/errors.ts';
import type { Result } from '../../src/types/result.ts';
import { cellOf, resultOf } from '../support/results.ts';
import { PUBLICATIONS, publicationCase, publicationOf } from './publication-cases.ts';

/** A marker of the attacker: no message may contain this word. */
const CANARY = 'Canary';

function refusalOf(text: string): UserError {
	try {
		readPublication(text);
	} catch (error) {
		if (isUserError(error)) return error;
		throw error;
	}
	return assert.fail('the publication was accepted');
}

function resultIn({ conclusion }: Publication): Result {
	assert.ok(conclusion.kind === 'compared');
	return conclusion.result;
}

function codeIn({ warnings }: Publication): string {
	return warnings[0]?.code ?? '';
}

/** The publication's JSON with the value at a path replaced; `undefined` removes it. */
function changed(publication: Publication, path: readonly (string | number)[], value: unknown): string {
	const copy = JSON.parse(renderPublication(publication));
	let place = copy;
	for (const key of path.slice(0, -1)) place = place[key];
	place[path.at(-1) as string] = value;
	return JSON.stringify(copy);
}

const SMALL = publicationCase('one-regressed');
const RESULT = ['conclusion', 'result'] as const;

test('a file of an older release, whose gate has reasons without causes, is read', () => {
	const { gate } = resultIn(readPublication(changed(SMALL, [...RESULT, 'gate', 'causes'], undefined)));
	assert.deepEqual([gate.reasons, gate.causes], [resultIn(SMALL).gate.reasons, undefined]);
});

for (const [name, publication] of PUBLICATIONS) {
	test(`${name} reads back as written`, () => {
		const text = renderPublication(publication);
		const read = readPublication(text);
		assert.equal(renderPublication(read), text);
		if (name !== 'hostile') assert.deepEqual(read, publication);
	});
}

test('texts beyond the limits are shortened so that the reader accepts them', () => {
	const long = 'x'.repeat(100_000);
	const notes = Array.from({ length: 30 }, (_, index) => ({ code: `own-${index}`, message: 'short' }));
	const rows = Array.from({ length: 12 }, (_, index) =>
		cellOf({ scenario: `${index}${long}`, change: -0.001, warnings: notes }),
	);
	const warnings = Array.from({ length: 3000 }, (_, index) => ({ code: long, message: index < 10 ? long : 'short' }));
	const result = { ...resultOf(rows, 'pass', { warnings, reproduce: long }), extra: long };
	const longNotes = [{ code: `${long}\ud83d`, message: 'short' }];
	const text = renderPublication(publicationOf({ kind: 'compared', result }, { warnings: longNotes }));
	const read = readPublication(text);
	assert.equal(resultIn(read).cells[0]?.scenario.length, 1000);
	assert.equal(resultIn(read).cells[0]?.warnings.length, 12);
	assert.equal(resultIn(read).reproduce.length, 20_000);
	assert.equal(resultIn(read).warnings.length, 2000);
	assert.ok(read.warnings[0]?.code.endsWith('x…'));
	assert.ok(!('extra' in resultIn(read)));
});

test('texts are cut between characters', () => {
	const code = `${'x'.repeat(998)}\u{1f600}tail`;
	assert.ok(codeIn(readPublication(renderPublication({ ...SMALL, warnings: [{ code, message: '' }] }))).isWellFormed());
});

const WRONG: readonly (readonly [readonly (string | number)[], unknown, string])[] = [
	[['kind'], CANARY, '/kind'],
	[['schemaVersion'], CANARY, '/schemaVersion'],
	[['headSha'], `${CANARY}${'a'.repeat(34)}`, '/headSha'],
	[['headSha'], 'A'.repeat(40), '/headSha'],
	[['commentKey'], `default ${CANARY}`, '/commentKey'],
	[['commentKey'], 'k'.repeat(65), '/commentKey'],
	[['commentKey'], 'default\n', '/commentKey'],
	[['gate'], CANARY, '/gate'],
	// The reporting job decides on comment and check.
	[['comment'], 'never', ''],
	[['checkRun'], false, ''],
	// The trusted event names the run.
	[['title'], 'pull request #1', ''],
	[['warnings', 0, 'code'], 'x'.repeat(1001), '/warnings/0/code'],
	[['gate'], undefined, ''],
	[[CANARY], 1, ''],
	[['conclusion'], null, '/conclusion'],
	[['conclusion'], [], '/conclusion'],
	[['conclusion', 'kind'], CANARY, '/conclusion'],
	[['conclusion', CANARY], CANARY, '/conclusion'],
	[['warnings'], Array(2001).fill({ code: 'a', message: 'b' }), '/warnings'],
	[['warnings', 0, 'message'], 'x'.repeat(10_001), '/warnings/0/message'],
	[[...RESULT, 'threshold'], null, '/conclusion/result/threshold'],
	[[...RESULT, 'threshold'], 1e17, '/conclusion/result/threshold'],
	[[...RESULT, 'cells', 2, 'verdict'], CANARY, '/conclusion/result/cells/2/verdict'],
	[
		[...RESULT, 'cells', 2, 'warnings'],
		Array(13).fill({ code: 'a', message: 'b' }),
		'/conclusion/result/cells/2/warnings',
	],
	[[...RESULT, 'cells', 2, 'rounds'], 1.5, '/conclusion/result/cells/2/rounds'],
	[[...RESULT, 'cells', 2, 'metrics', CANARY], 1, '/conclusion/result/cells/2/metrics'],
	[[...RESULT, 'cells', 2, 'interval', 'low'], '−5 %', '/conclusion/result/cells/2/interval/low'],
	[[...RESULT, 'base', 'versions', `${CANARY} <b>`], 1, '/conclusion/result/base/versions/*'],
	[[...RESULT, 'base', 'versions', 'k'.repeat(1001)], {}, '/conclusion/result/base/versions'],
	[[...RESULT, 'base', 'subject'], { name: 'x' }, '/conclusion/result/base/subject'],
];

for (const [path, value, where] of WRONG) {
	test(`${path.join('.')} = ${String(JSON.stringify(value)).slice(0, 40)} is refused at ${where || 'the top'}`, () => {
		const refusal = refusalOf(changed(SMALL, path, value));
		assert.equal(refusal.code, 'bad-artifact');
		assert.equal(refusal.where, where === '' ? 'publication.json' : `publication.json: ${where}`);
		assert.doesNotMatch(`${refusal.message} ${refusal.remedy} ${refusal.where}`, new RegExp(`${CANARY}|<b>`));
	});
}

test('an absurd number of cells is refused', () => {
	const cells = Array.from({ length: PUBLICATION_LIMITS.entries + 1 }, () => cellOf({ scenario: 'x', change: 0 }));
	const text = renderPublication(publicationOf({ kind: 'compared', result: resultOf(cells) }));
	assert.match(refusalOf(text).message, /must NOT have more than 2000 items/);
});

test('numbers beyond the range of JSON are refused', () => {
	const text = renderPublication(SMALL);
	for (const number of ['1e999', '-1e999']) {
		const refusal = refusalOf(text.replace('"budget":600', `"budget":${number}`));
		assert.equal(refusal.where, 'publication.json: /conclusion/result/budget');
		assert.match(refusal.message, /not a finite number/);
	}
});

test('keys that could reach into prototypes stay data or are refused', () => {
	const text = renderPublication(SMALL);
	const poisoned = text.replace('"versions":{', '"versions":{"__proto__":{"polluted":"1"},');
	assert.match(refusalOf(poisoned).message, /a key that benchgate never writes/);
	const constructed = text.replace('"versions":{', '"versions":{"constructor":{"toString":"1","prototype":"2"},');
	const { versions } = resultIn(readPublication(constructed)).base;
	assert.equal(versions.constructor?.toString, '1');
	assert.equal(({} as Record<string, unknown>).polluted, undefined);
	assert.equal(
		refusalOf(text.replace('{"schemaVersion"', '{"__proto__":{"kind":"x"},"schemaVersion"')).code,
		'bad-artifact',
	);
});

test('texts too long, too deep or too full never reach the parser', () => {
	assert.match(refusalOf(' '.repeat(PUBLICATION_LIMITS.bytes + 1)).message, /more than 20000000 bytes/);
	assert.match(refusalOf('[1,'.repeat(1_000_000)).message, /nests more than 16/);
	assert.match(refusalOf(`[${'1,'.repeat(1_000_000)}1]`).message, /more than 1000000 values/);
	// Brackets and commas inside a text do not count.
	const code = `${'['.repeat(400)}\\"${',"'.repeat(100)}`;
	assert.equal(codeIn(readPublication(renderPublication({ ...SMALL, warnings: [{ code, message: '' }] }))), code);
});

test('a limit in bytes counts bytes', () => {
	for (const sign of ['a', 'ü', '€', '🦊', '\u07ff', '\u0800', '\uffff']) {
		const text = `"${sign.repeat(100)}"`;
		const bytes = Buffer.byteLength(text);
		assert.equal(findExcess(text, { bytes, depth: 1, values: 1 }), null, sign);
		assert.equal(findExcess(text, { bytes: bytes - 1, depth: 1, values: 1 }), `it has more than ${bytes - 1} bytes`);
	}
});

test('a file that is no publication is refused without quoting it', () => {
	for (const text of ['', CANARY, 'null', '[]', `"${CANARY}"`, '{}', `{"kind":"${CANARY}"}`, '{"a":', '\u0000']) {
		const refusal = refusalOf(text);
		assert.equal(refusal.code, 'bad-artifact');
		assert.doesNotMatch(`${refusal.message} ${refusal.where}`, new RegExp(CANARY));
	}
});

test('another schema version names the version of benchgate that reads it', () => {
	const later = JSON.parse(changed(SMALL, ['schemaVersion'], 2));
	const refusal = refusalOf(JSON.stringify(later));
	assert.equal(refusal.code, 'artifact-version');
	assert.match(refusal.message, /schema version 2; this benchgate reads version 1/);
	assert.match(refusal.remedy ?? '', /benchgate 0\.1\.0 reads this artifact/);
	later.conclusion.result.tool.version = `1.0.0 ${CANARY}`;
	assert.match(refusalOf(JSON.stringify(later)).remedy ?? '', /the version that wrote it reads this artifact/);
});
