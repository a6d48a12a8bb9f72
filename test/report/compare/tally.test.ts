import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelOf } from '../../../src/judge/row-words.ts';
import { buildReport } from '../../../src/report/compare/report-model.ts';
import { plainPhrase } from '../../../src/text/phrase.ts';
import { GATED_METRICS } from '../../../src/types/metric.ts';
import { resultCase } from '../../support/result-cases.ts';

for (const metric of GATED_METRICS) {
	test(`a row that fails by its ${labelOf(metric)} regressed, and the headline names the metric`, () => {
		const { cells, ...rest } = resultCase('one-regressed');
		const judged = cells.map((cell) => (cell.verdict === 'regressed' ? { ...cell, metric, judgedBy: metric } : cell));
		const summary = plainPhrase(buildReport({ ...rest, cells: judged }).headline.summary);
		assert.match(summary, /^1 of 6 (?:scenarios|rows) regressed: express/);
		assert.ok(summary.includes(` −8.7 % ${labelOf(metric)} (limit `), summary);
	});
}

test('a decidable threshold is left out beside a verdict at a smaller one, which it would seem to contradict', () => {
	const { cells, ...rest } = resultCase('one-cell');
	const smallest = (changes: Partial<(typeof cells)[number]>) => {
		const report = buildReport({ ...rest, cells: cells.map((cell) => ({ ...cell, ...changes })) });
		const line = report.brief.find(({ label }) => label === 'Smallest detectable slowdown');
		return line && plainPhrase(line.value);
	};
	assert.equal(smallest({ smallestDecidableThreshold: 0.036 }), '3.6 %');
	assert.equal(smallest({ smallestDecidableThreshold: 0.142 }), undefined);
	const open = { smallestDecidableThreshold: 0.142, verdict: 'inconclusive' } as const;
	assert.equal(smallest(open), '14.2 %');
	const few = { code: 'budget-too-small', message: 'Only 2 rounds were measured; a decision needs 4.' };
	assert.equal(smallest({ ...open, warnings: [few] }), undefined);
});
