import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderTerminal } from '../../../src/report/compare/terminal.ts';
import { GATED_METRICS, METRICS } from '../../../src/types/metric.ts';
import { resultCase } from '../../support/result-cases.ts';

for (const metric of GATED_METRICS) {
	const word = METRICS[metric].unit === 'MB' ? 'worse' : 'slower';
	test(`a row that fails by its ${METRICS[metric].label} got ${word}`, () => {
		const { cells, ...rest } = resultCase('one-regressed');
		const judged = cells.map((cell) => (cell.verdict === 'regressed' ? { ...cell, metric, judgedBy: metric } : cell));
		const report = renderTerminal({ ...rest, cells: judged }, { colour: false, width: 300, verbose: false });
		const [headline = ''] = report.split('\n');
		assert.match(headline, new RegExp(` got ${word}\\b`));
	});
}
