import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { renderTerminal } from '../../../src/report/compare/terminal.ts';
import { assertGolden } from '../../support/golden.ts';
import { RESULT_CASES, resultCase } from '../../support/result-cases.ts';

describe('the terminal report of every situation is as reviewed, at 80 columns', () => {
	for (const [name, make] of Object.entries(RESULT_CASES)) {
		test(name, () => assertGolden(`report/${name}.txt`, `${renderTerminal(make(), { colour: false, width: 80 })}\n`));
	}
});

test('200 columns show servers, scenarios and absolute figures too', () => {
	const text = renderTerminal(resultCase('several'), { colour: false, width: 200 });
	assertGolden('report/several-wide.txt', `${text}\n`);
});

describe('no line of a table or of prose is wider than the terminal', () => {
	for (const width of [60, 80, 120, 200]) {
		for (const name of ['several', 'hostile', 'generator-bound', 'few-rounds']) {
			test(`${name} at ${width}`, () => {
				const text = renderTerminal(resultCase(name), { colour: false, width });
				const [report = ''] = text.split('\n\nRepeat it:');
				const wide = report.split('\n').filter((line) => stringWidth(line) > width && /\s\S+\s/.test(line.trim()));
				assert.deepEqual(wide, []);
			});
		}
	}
});

test('the first line begins with the outcome', () => {
	const firstWord = (name: string): string =>
		renderTerminal(resultCase(name), { colour: false, width: 80 }).split(' ', 1)[0] ?? '';
	assert.deepEqual(['unchanged', 'one-regressed', 'inconclusive', 'nothing-measured'].map(firstWord), [
		'PASS',
		'FAIL',
		'INCONCLUSIVE',
		'ERROR',
	]);
});

test('colour adds escape codes and nothing else; without it there are none', () => {
	const result = resultCase('several');
	const plain = renderTerminal(result, { colour: false, width: 100 });
	const painted = renderTerminal(result, { colour: true, width: 100 });
	assert.equal(plain, stripVTControlCharacters(plain));
	assert.equal(stripVTControlCharacters(painted), plain);
	assert.ok(painted.includes('\u001b[31m✗ regressed\u001b[39m'));
});

test('hostile text cannot drive the terminal', () => {
	const text = renderTerminal(resultCase('hostile'), { colour: false, width: 100 });
	assert.doesNotMatch(text, /[^\P{Cc}\n]|\p{Bidi_Control}/u);
});
