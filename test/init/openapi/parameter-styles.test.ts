import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mannerOf, writeParameter } from '../../../src/init/openapi/parameter-styles.ts';

const textOf = (value: unknown) => (typeof value === 'object' || value === undefined ? undefined : String(value));

/**
 * The examples of https://spec.openapis.org/oas/v3.1.1.html#style-examples: a text, a list, a mapping; null where the style is undefined.
 */
const COLORS = { text: 'blue', list: ['blue', 'black'], mapping: { R: 100, G: 200 } };
const STYLES: readonly (readonly [string, boolean, string | null, string | null, string | null])[] = [
	['path simple', false, 'blue', 'blue,black', 'R,100,G,200'],
	['path simple', true, 'blue', 'blue,black', 'R=100,G=200'],
	['path label', false, '.blue', '.blue,black', '.R,100,G,200'],
	['path label', true, '.blue', '.blue.black', '.R=100.G=200'],
	['path matrix', false, ';color=blue', ';color=blue,black', ';color=R,100,G,200'],
	['path matrix', true, ';color=blue', ';color=blue;color=black', ';R=100;G=200'],
	['query form', false, 'color=blue', 'color=blue,black', 'color=R,100,G,200'],
	['query form', true, 'color=blue', 'color=blue&color=black', 'R=100&G=200'],
	['query spaceDelimited', false, 'color=blue', 'color=blue%20black', 'color=R%20100%20G%20200'],
	['query spaceDelimited', true, 'color=blue', 'color=blue&color=black', null],
	['query pipeDelimited', false, 'color=blue', 'color=blue%7Cblack', 'color=R%7C100%7CG%7C200'],
	['query pipeDelimited', true, 'color=blue', 'color=blue&color=black', null],
	['query deepObject', true, null, null, 'color%5BR%5D=100&color%5BG%5D=200'],
	['header simple', false, 'blue', 'blue,black', 'R,100,G,200'],
	['header simple', true, 'blue', 'blue,black', 'R=100,G=200'],
	['query simple', false, null, null, null],
	['header form', false, null, null, null],
];

for (const [where, explode, text, list, mapping] of STYLES) {
	test(`${where}${explode ? ', explode' : ''}`, () => {
		const [place = '', style = ''] = where.split(' ');
		const manner = mannerOf({ style, explode }, place as 'path');
		const written = Object.values(COLORS).map((value) => writeParameter('color', value, manner, textOf) ?? null);
		assert.deepEqual(written, [text, list, mapping]);
	});
}

test('nested or empty values have no form, and everything is encoded', () => {
	const write = (value: unknown, more = {}) => writeParameter('a b', value, mannerOf(more, 'query'), textOf);
	assert.equal(write({ a: { b: 1 } }, { style: 'deepObject' }), undefined);
	assert.equal(write([[1]]), undefined);
	assert.equal(write([]), undefined);
	assert.equal(write(undefined), undefined);
	assert.equal(write(''), 'a%20b=');
	assert.equal(write(['x,y', '&'], { explode: false }), 'a%20b=x%2Cy,%26');
	assert.equal(write({ '[': ']' }, { style: 'deepObject' }), 'a%20b%5B%5B%5D=%5D');
	assert.equal(writeParameter('x', 'ä,b', mannerOf({}, 'header'), textOf), 'ä,b');
});
