/** Tampered records: whatever is read from them can be drawn, described and exported. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { renderBaselineCsv } from '../../src/formats/baseline/baseline-csv.ts';
import { baselinePath, readBaseline, renderBaseline } from '../../src/formats/baseline/baseline-file.ts';
import { exportBencherMetrics } from '../../src/formats/baseline/bencher-metrics.ts';
import { exportDataJs } from '../../src/formats/baseline/benchmark-action.ts';
import { renderChangeIssue } from '../../src/report/github/change-issue.ts';
import { siteFiles } from '../../src/site/site-files.ts';
import { mainRows } from '../../src/trend/main-rows.ts';
import { trendOf } from '../../src/trend/trend-of.ts';
import type { BaselineRecord } from '../../src/types/baseline.ts';
import { hostileJson } from '../formats/hostile-json.ts';
import { syntheticRecords } from '../support/baselines/records.ts';
import { proofRecord } from '../support/proofs.ts';

const CASES = 120;
const SEED = 20261123;
const LEVELS = syntheticRecords({ seed: 15, cells: ['koa/ping'], commits: 30, steps: [{ commit: 20, size: -0.04 }] });
const PROVEN = [...LEVELS, proofRecord(LEVELS, { before: 18, after: 21, theta: -0.041, verdict: 'regressed' })];
const TEXTS = [18, 20, 21, PROVEN.length - 1].map((at) => renderBaseline(PROVEN[at] as BaselineRecord));
const INFO = { project: 'o/r', repository: 'https://example.org/o/r', measuredAt: null };

test('tampered records are left out, or can be drawn, described and exported', { timeout: 300_000 }, () => {
	let read = 0;
	let noteCount = 0;
	const property = fc.property(hostileJson(TEXTS), (text) => {
		const one = readBaseline(text, 'x.json');
		if ('unread' in one) return;
		read++;
		assert.match(baselinePath(one.record), /^\d{4}\/\d\d\/[A-Za-z0-9.-]+\.json$/);
		const records = [...PROVEN.filter((record) => renderBaseline(record) !== text), one.record];
		const trend = trendOf(records);
		const files = siteFiles(trend, INFO, { script: '', style: '' });
		for (const { path, text: content } of files) {
			assert.match(path, /^[A-Za-z0-9.][A-Za-z0-9._/-]*$/);
			assert.doesNotMatch(path, /\.\./);
			if (path.endsWith('.json')) JSON.parse(content);
		}
		for (const { theta, low, high } of mainRows(trend)) assert.ok([theta, low, high].every(Number.isFinite));
		for (const row of trend.rows) {
			const changes = row.changes.map((change) => ({ row, change }));
			if (changes.length === 0) continue;
			noteCount++;
			const { title, body } = renderChangeIssue({ commits: trend.commits, changes, page: INFO.repository });
			assert.ok(title.isWellFormed() && body.isWellFormed());
			assert.doesNotMatch(`${title}${body}`, /[^\P{Cc}\n]/u);
		}
		assert.ok(renderBaselineCsv(records).isWellFormed());
		exportDataJs(records);
		for (const record of records) JSON.parse(exportBencherMetrics(record));
	});
	fc.assert(property, { numRuns: CASES, seed: SEED });
	assert.ok(read > CASES / 20 && noteCount > CASES / 20, `${read} were read, ${noteCount} had notes`);
});
