import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { summariseRanking } from '../../../src/rank/summarise-ranking.ts';
import { plain } from '../../../src/report/document/table.ts';
import { describeRatios } from '../../../src/report/ranking/compared/ratio-words.ts';
import type { RankingRow } from '../../../src/types/ranking/ranking.ts';
import { scriptData, scriptServer, scriptTrials } from '../../support/ranking-cases.ts';

const SHARES = { a: 2, b: 1.99, c: 1.5, d: 1.2, e: 0.8, f: 0.5, g: 0.25 };

function sentence(highlight: string | null, change: (row: RankingRow) => RankingRow = (row) => row, least = 0) {
	const shares = Object.entries(SHARES).filter(([, share]) => share >= least);
	const samples = shares.flatMap(([server, share]) => scriptTrials(server, share, 0.01));
	const servers = ['node-http', ...shares.map(([name]) => name)].map((name) => scriptServer(name));
	const result = summariseRanking(scriptData(servers, samples));
	const rows = result.rows
		.toSorted((one, other) => (other.share?.value ?? 0) - (one.share?.value ?? 0))
		.filter(({ server }) => server !== 'node-http')
		.map(change);
	const words = describeRatios(rows, highlight, result.setup);
	return words && plain(words);
}

describe('the ratios of a scenario', () => {
	test('of many servers name the next and the slowest', () => {
		assert.equal(
			sentence(null),
			'a is about 1.3 times as fast as c, the next, and 8.0 times as fast as g, the slowest; it is about as fast as b (intervals overlap).',
		);
	});

	test('of few servers name all', () => {
		assert.equal(
			sentence(null, undefined, 1),
			'a is about 1.3 times as fast as c and 1.7 times as fast as d; it is about as fast as b (intervals overlap).',
		);
	});

	test('are those of the highlighted server, upwards too', () => {
		assert.equal(
			sentence('f'),
			'f is about 2.0 times as fast as g; it reaches 25 % of a, the fastest, and 62 % of e, the next.',
		);
	});

	test('are per CPU time if the load generator was at its limit', () => {
		const byCpu = (row: RankingRow): RankingRow =>
			row.server === 'a' || row.server === 'b' ? { ...row, judgedBy: 'cpu-per-request' } : row;
		assert.equal(
			sentence(null, byCpu, 1),
			'a is, by CPU time per request, about 1.3 times as fast as c and 1.7 times as fast as d; it is about as fast as b (intervals overlap).',
		);
		assert.match(
			sentence('c', byCpu, 1) ?? '',
			/^c is about 1\.3 times as fast as d; it reaches, by CPU time per request, 75 % of a/,
		);
	});
});
