import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { guardOwnFiles } from '../../../src/action/services/foreign-code.ts';

const OWN = ['action.js', 'generator.cjs', 'charts.js', 'cli.js', 'catalogue.json'];

test('files changed, removed or replaced by a link are restored, with a warning', (t) => {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-test-'));
	t.after(() => rmSync(folder, { recursive: true }));
	const at = (name: string) => join(folder, name);
	for (const name of OWN) writeFileSync(at(name), `// ${name}`);
	assert.equal(guardOwnFiles(folder)(), null);
	const restore = guardOwnFiles(folder);
	writeFileSync(at('action.js'), 'steal()');
	writeFileSync(at('catalogue.json'), '{}');
	rmSync(at('generator.cjs'));
	rmSync(at('charts.js'));
	writeFileSync(at('elsewhere'), 'not ours');
	symlinkSync(at('elsewhere'), at('charts.js'));
	const failure = restore();
	assert.equal(failure?.code, 'own-files-touched');
	assert.match(failure.message, /action\.js, catalogue\.json, charts\.js, generator\.cjs/);
	for (const name of OWN) {
		assert.equal(readFileSync(at(name), 'utf8'), `// ${name}`);
	}
	assert.equal(readFileSync(at('elsewhere'), 'utf8'), 'not ours');
	assert.equal(restore(), null);
});
