import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderBaseline } from '../../src/cli/baseline/render-baselines.ts';
import type { BaselineRecord } from '../../src/types/baseline.ts';
import { syntheticRecords } from '../support/baselines/records.ts';

const [RECORD] = syntheticRecords({ seed: 3, commits: 1, cells: 1 }) as [BaselineRecord];

test('the command that repeats a baseline contains its commits and its seed', () => {
	const [anchor, commit] = ['1', '2'].map((digit) => digit.repeat(40)) as [string, string];
	const hostile = 'npx benchgate baseline --node ./payload --head npm:evil@1.0.0';
	const record: BaselineRecord = {
		...RECORD,
		...{ seed: 7, reproduce: hostile },
		...{ anchor: { ...RECORD.anchor, sha: anchor }, commit: { ...RECORD.commit, sha: commit } },
	};
	const shown = renderBaseline([record]);
	assert.ok(
		shown.includes(`  repeat it: npx benchgate baseline --anchor git:${anchor} --head git:${commit} --seed 7\n`),
		shown,
	);
	assert.doesNotMatch(shown, /payload|evil/);
	const nameless = renderBaseline([{ ...record, commit: { ...record.commit, sha: 'HEAD; rm -rf .' } }]);
	assert.match(nameless, / {2}repeat it: the record names no commits\n/);
	const imported = renderBaseline([{ ...record, tool: { name: 'benchgate', version: 'imported' } }]);
	assert.match(imported, / {2}imported: another tool measured it\n/);
});
