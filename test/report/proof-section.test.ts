/** The words of a proof, and its table in all media. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toHtml } from '../../src/report/document/html-writer.ts';
import { toMarkdown } from '../../src/report/document/markdown-writer.ts';
import { toTerminal } from '../../src/report/document/terminal-writer.ts';
import { proofWords } from '../../src/report/explain/proof-section.ts';
import { whyOf } from '../../src/report/explain/why.ts';
import { explainDocument } from '../../src/report/explain-document.ts';
import { plainPhrase } from '../../src/text/phrase.ts';
import type { CountedFunction } from '../../src/types/explain/counts.ts';
import type { Proof, ProofPiece, ProofStep } from '../../src/types/explain/proof.ts';
import { assertGolden } from '../support/golden.ts';
import { carrier, countedFunction, countsOf, explainedRow, explanationOf, HUNK, proofOf } from './explain-cases.ts';

const QS: ProofPiece = {
	...{ path: 'package-lock.json', line: 0, lines: 0, kind: 'package', change: 'changed' },
	package: { name: 'qs', base: '6.13.0', head: '6.14.0' },
};

const words = (more: Partial<Proof>) => plainPhrase(proofWords(proofOf(more), null));

test('names the part, its share, and head without it', () => {
	const cases: readonly (readonly [Partial<Proof>, string])[] = [
		[
			{},
			'lib/router.js:118-126 carries 95 % [82 … 110] of the loss. Without that hunk head is −0.4 % [−1.6 … +0.8] of base.',
		],
		[
			{ upgrades: 14, carriers: [carrier({ pieces: [QS] })] },
			'of 14 upgrades, qs 6.13.0 → 6.14.0 carries 95 % [82 … 110] of the loss. Without that upgrade head is −0.4 % [−1.6 … +0.8] of base.',
		],
		[
			{ carriers: [carrier({ pieces: [{ ...HUNK, lines: 0 }], companions: [QS, HUNK] })] },
			'lib/router.js:118 (lines removed) carries 95 % [82 … 110] of the loss. Without that hunk and 2 parts that go with it head is −0.4 % [−1.6 … +0.8] of base.',
		],
		[
			{
				carriers: [
					carrier({ share: 0.6, shareInterval: { low: 0.5, high: 0.7 } }),
					carrier({ pieces: [{ ...HUNK, path: 'lib/new.js', line: 0, kind: 'file', change: 'added' }], share: 0.35 }),
				],
				because: 'the time was spent',
			},
			'lib/router.js:118-126 carries 60 % [50 … 70] of the loss and lib/new.js (added) carries 35 % [82 … 110] of the loss. Without them head is −0.4 % [−1.6 … +0.8] of base. Not the whole loss was proven: the time was spent.',
		],
		[
			{ carriers: [carrier({ share: 1, shareInterval: { low: 1, high: 1 }, without: null })] },
			'lib/router.js:118-126 carries 100 % of the loss. Without that hunk head is the same program as base.',
		],
		[{ carriers: [], because: 'the time was spent' }, 'nothing was proven: the time was spent.'],
	];
	for (const [more, expected] of cases) assert.equal(words(more), expected);
});

test('functions outside the proven part do not take its place', () => {
	const elsewhere = countedFunction({ line: 60, lines: 58, name: 'elsewhere' });
	const [inside, around] = [countedFunction(), countedFunction({ line: 90, lines: 29, name: 'around' })];
	const ofRival = countedFunction({ path: 'lib/index.js', line: 120, name: 'rival' });
	const used = countedFunction({ ...ofRival, state: 'same', name: 'used', caller: around });
	const user = countedFunction({ ...around, name: 'user', base: 1, head: 1 });
	const qs = countedFunction({ path: 'node_modules/qs/lib/parse.js', name: 'parse', package: QS.package });
	const why = (functions: readonly CountedFunction[], pieces = [HUNK]) =>
		plainPhrase(
			whyOf(explainedRow({ counts: countsOf({ functions }), proof: proofOf({ carriers: [carrier({ pieces })] }) })),
		);
	assert.match(why([elsewhere, ofRival, inside]), /^layer\.match runs 24× .* 2 other functions run more often\./);
	assert.match(why([around]), /^around runs/);
	assert.match(why([used, user]), /^around \(lib\/router\.js:90, changed here\) calls used, which runs/);
	for (const none of [[elsewhere], [elsewhere, used], [ofRival], [qs]])
		assert.match(why(none), /^lib\/router\.js:118-126 carries 95 %/, none.map(({ name }) => name).join());
	assert.match(why([elsewhere, qs], [QS]), /^parse runs/);
});

test('a proof names the innermost function around its hunk, and not one that is a part of it', () => {
	const equal = { base: 1, head: 1 };
	const outer = countedFunction({ line: 90, lines: 60, name: 'outer', ...equal });
	const inner = countedFunction({ line: 116, lines: 8, name: 'inner', ...equal });
	const others = [
		countedFunction({ line: 60, lines: 58, name: 'before', ...equal }),
		countedFunction({ line: 127, lines: 9, name: 'after', ...equal }),
		countedFunction({ line: 118, name: 'in base', side: 'base', state: 'gone', ...equal, head: 0 }),
	];
	const first = (functions: readonly CountedFunction[], piece = HUNK) =>
		plainPhrase(proofWords(proofOf({ carriers: [carrier({ pieces: [piece] })] }), countsOf({ functions }))).split(
			' carries ',
		)[0];
	const whole = countedFunction({ line: 110, lines: 30, name: 'whole', ...equal });
	assert.equal(first([outer, whole, inner, ...others]), 'whole (lib/router.js:118-126)');
	assert.equal(first([inner, ...others]), 'inner (lib/router.js:118-126)');
	const closure = countedFunction({ line: 120, lines: 3, name: 'closure', base: 0 });
	const row = explainedRow({ counts: countsOf({ functions: [closure, whole] }), proof: proofOf() });
	assert.match(plainPhrase(whyOf(row)), /^whole \(lib\/router\.js:118-126\) carries 95 %/);
	assert.equal(first([outer, ...others]), 'outer (lib/router.js:118-126)');
	assert.equal(first(others), 'lib/router.js:118-126');
	assert.equal(first([outer], { ...HUNK, line: 0, lines: 0, kind: 'file' }), 'lib/router.js');
});

test('a row names in at most 40 words what runs more often, and head without it', () => {
	const row = explainedRow({ counts: countsOf({ functions: [countedFunction()] }), proof: proofOf() });
	const why = plainPhrase(whyOf(row));
	assert.match(why, /^layer\.match runs 24× .* Without that hunk head is −0\.4 % \[−1\.6 … \+0\.8\] of base\.$/);
	assert.ok(why.split(' ').length <= 40, why);
	assert.equal(plainPhrase(whyOf(explainedRow({ proof: proofOf() }))), words({}));
});

const HOSTILE = '<script>alert(1)</script>\u001b[31m`|@user #1';
const step = (more: Partial<ProofStep>): ProofStep => ({
	...{ kind: 'search', without: 6, piece: HUNK, outcome: 'restored', detail: null, change: 0.003, rounds: 3 },
	...{ seconds: 22.4, ...more },
});

test('the steps are a table without active text', () => {
	const proof = proofOf({
		pieces: 12,
		carriers: [
			carrier({ pieces: [{ ...HUNK, path: `${HOSTILE}.js` }], companions: [QS, { ...HUNK, path: `${HOSTILE}.c` }] }),
		],
		steps: [
			step({}),
			step({ without: 7, piece: QS, outcome: 'slower', change: -0.079 }),
			step({ outcome: 'not-built', detail: HOSTILE, change: null, rounds: 0, seconds: 4 }),
			step({ kind: 'proof', without: 1, piece: { ...HUNK, path: `${HOSTILE}.js` }, change: -0.004, rounds: 6 }),
		],
		notes: ['The submodule vendor/lib differs and could not be taken out.'],
	});
	const document = explainDocument(explanationOf([explainedRow({ proof })]));
	assertGolden('explain/proof.txt', `${toTerminal(document, { colour: false, width: 100 })}\n`);
	assertGolden('explain/proof.md', toMarkdown(document));
	assert.doesNotMatch(toHtml(document), /<script>alert/);
});
