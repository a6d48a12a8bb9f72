import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
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
	const shown = new Set(
		blocks
			.flatMap((block) => Object.keys(parseConfig(block, 'docs/config.md', CATALOGUE)))
			.filter((key) => key !== 'file'),
	);
	for (const key of Object.keys(CONFIG_SCHEMA.properties as object)) {
		assert.match(text, new RegExp(`^## .*\`${key}\``, 'm'));
	}
	// One `gate` becomes two fields.
	const fields =
		'subject package prepare prepareAs prepareTimeout isolation isolationRequired runtime memoryLimit harness reads servers scenarios threshold tolerance budget design onInconclusive metrics enforceAfter drift driftThreshold seed warmup lanes';
	assert.deepEqual([...shown].toSorted(), fields.split(' ').toSorted());
});

test('the errors it shows are the real ones', () => {
	const shown = /^```text\n(.*?)\n^```/ms.exec(text)?.[1];
	const faulty = '#\n#\ntreshold: 5%\n#\n#\n#\nbudget: 10 minutes';
	assert.throws(() => parseConfig(faulty, 'benchgate.yml', CATALOGUE), { message: shown });
});
