import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { CONFIG_SCHEMA } from '../../src/config/file/config-schema.ts';
import { parseConfig } from '../../src/config/file/parse-config.ts';
import { resolveConfig } from '../../src/config/resolve-config.ts';
import { CATALOGUE } from './example-catalogue.ts';

const text = readFileSync(new URL('../../docs/config.md', import.meta.url), 'utf8');
const blocks = [...text.matchAll(/^```yaml\n(.*?)^```/gms)].map((match) => match[1] ?? '');

for (const [index, block] of blocks.entries()) {
	test(`yaml block ${index + 1} of docs/config.md is a config`, () => {
		const config = resolveConfig(
			parseConfig(block, 'docs/config.md', CATALOGUE),
			{ subjectName: 'express' },
			CATALOGUE,
			() => 1,
		);
		assert.ok(config.servers.length > 0 && config.scenarios.length > 0);
	});
}

test('every key is documented with an example', () => {
	const keysOf = ({ properties }: { readonly properties?: unknown }) => Object.keys(properties as object);
	const { properties } = CONFIG_SCHEMA as { readonly properties: { readonly gate: { readonly properties: object } } };
	const shown = blocks.flatMap((block) => {
		const { gate = {}, ...others } = parse(block) as { readonly gate?: object };
		return [...Object.keys(others), ...Object.keys(gate)];
	});
	const keys = [...keysOf(CONFIG_SCHEMA).filter((key) => key !== 'gate'), ...keysOf(properties.gate)];
	assert.ok(keys.length > 20);
	assert.deepEqual(
		keys.filter((key) => !shown.includes(key)),
		[],
	);
	for (const key of keysOf(CONFIG_SCHEMA)) assert.match(text, new RegExp(`^## .*\`${key}\``, 'm'));
});

test('the errors on the page are the real ones', () => {
	const shown = /^```text\n(.*?)\n^```/ms.exec(text)?.[1];
	const faulty = '#\n#\ntreshold: 5%\n#\n#\n#\nbudget: 10 minutes';
	assert.throws(() => parseConfig(faulty, 'benchgate.yml', CATALOGUE), { message: shown });
});
