/** The example of a ranking matches its data and renderers. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { measureDocs } from '../../scripts/published/measure-docs-files.ts';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

for (const { path, text } of measureDocs(read('docs/examples/measure.json'))) {
	test(`${path} is made from its data: npm run docs:measure`, () => assert.equal(read(path), text));
}

test('a file that is no ranking is refused', () => {
	assert.throws(() => measureDocs('{"kind":"benchgate-result"}'), /no result of `benchgate measure --json`/);
});
