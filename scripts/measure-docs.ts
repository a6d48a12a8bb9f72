/**
 * Writes the example of a ranking. `npm run docs:measure -- RESULT.json` takes a result of `benchgate measure --json`;
 * without a file it rewrites the committed example. With --check: writes nothing and fails when a file differs.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type MeasureDoc, measureDocs } from './published/measure-docs-files.ts';

const ROOT = new URL('../', import.meta.url);
const COMMITTED = new URL('docs/examples/measure.json', ROOT);
const { values, positionals } = parseArgs({ options: { check: { type: 'boolean' } }, allowPositionals: true });

for (const { path, text } of measureDocs(readFileSync(positionals[0] ?? COMMITTED, 'utf8'))) {
	if (values.check !== true) writeFileSync(new URL(path, ROOT), text);
	else if (readOrEmpty({ path }) !== text) {
		console.error(`${path} is not what docs/examples/measure.json and its renderers say: run npm run docs:measure`);
		process.exitCode = 1;
	}
}

function readOrEmpty({ path }: Pick<MeasureDoc, 'path'>): string {
	try {
		return readFileSync(new URL(path, ROOT), 'utf8');
	} catch {
		return '';
	}
}
