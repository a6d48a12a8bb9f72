import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { addLook, limitsOf, UNTESTED } from '../../../src/judge/looks/sequential.ts';
import { planLooks } from '../../../src/plan/looks.ts';
import { locationOf } from '../../../src/stats/location.ts';
import { formatPercent } from '../../../src/text/numbers.ts';
import { decideTurns } from '../../support/decisions.ts';

const PAGE = readFileSync(new URL('../../../docs/statistics.md', import.meta.url), 'utf8').replaceAll(/ +/g, ' ');

test('the example of docs/statistics.md has the numbers of the code', () => {
	const listed = PAGE.match(/nine rounds with d = ([−.\d ]+):/)?.[1] ?? '';
	const d = listed.split(' ').map((value) => Number(value.replace('−', '-')));
	assert.equal(d.length, 9);
	for (const look of planLooks(20).slice(0, 3)) {
		const { row } = decideTurns(d.slice(0, look.rounds));
		const location = locationOf(d.slice(0, look.rounds));
		assert.ok(location && row.estimate);
		const { interval, change } = row.estimate;
		const scaled = addLook(UNTESTED, location, limitsOf({ threshold: 0.05, tolerance: 0.025 }), look).regressed;
		const cells = [
			look.rounds,
			formatPercent(change, 1),
			...(row.final ? [`${formatPercent(interval.low ?? 0, 1)} to ${formatPercent(interval.high ?? 0, 1)}`] : []),
		];
		const line = PAGE.split('\n').find((text) => text.startsWith(`| ${cells.join(' | ')} |`));
		assert.ok(line, `no line starts with ${cells.join(' | ')}`);
		const p = Number((scaled * look.weightRegressed).toPrecision(3));
		const verdict = row.final ? row.verdict : 'goes on';
		assert.ok(line.endsWith(` | ${p} | ${Number(scaled.toPrecision(3))} | ${verdict} |`), line);
	}
});

test('the weights of docs/statistics.md are those of the plan', () => {
	for (const key of ['weightRegressed', 'weightUnchanged'] as const) {
		const weights = planLooks(20).map((look) => look[key].toFixed(2).slice(1));
		assert.ok(PAGE.includes(` | ${weights.join(' | ')} |`), weights.join(' '));
	}
});
