import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bandOf, runVariationOf, variationOf } from '../../src/rank/variation.ts';
import type { Variation } from '../../src/types/ranking/ranking.ts';

test('the coefficient of variation is the sample standard deviation over the mean', () => {
	// Of 2, 4 and 9 the mean is 5 and the squares add up to 9 + 1 + 16 = 26, so s² = 26 / 2.
	const { sd, cov } = variationOf([2, 4, 9]);
	assert.equal(sd, Math.sqrt(13));
	assert.equal(cov, Math.sqrt(13) / 5);
	assert.deepEqual(variationOf([7]), { sd: null, cov: null, band: null });
	assert.deepEqual(variationOf([]), { sd: null, cov: null, band: null });
});

test('bands end at 3, 5 and 10 %', () => {
	const bands = [0.0299, 0.03, 0.0499, 0.05, 0.1, 0.1001].map(bandOf);
	assert.deepEqual(bands, ['Excellent', 'Acceptable', 'Acceptable', 'Noisy', 'Noisy', 'Unreliable']);
});

describe('the verdict on a run', () => {
	const rowOf = (server: string, cov: number | null, p99: number | null = null) => {
		const variation = (value: number | null): Variation => ({ sd: value, cov: value, band: null });
		return { server, scenario: 'ping', variation: { throughput: variation(cov), p99: variation(p99) } };
	};

	test('is that of the mean, over rows that have a coefficient', () => {
		const verdicts = [0.02, 0.03, 0.05, 0.1].map((cov) => runVariationOf([rowOf('a', cov), rowOf('b', null)]).verdict);
		assert.deepEqual(verdicts, ['CLEAN RUN', 'ACCEPTABLE', 'NOISY', 'UNRELIABLE']);
		assert.deepEqual(runVariationOf([rowOf('a', null)]), {
			verdict: null,
			meanCov: null,
			rows: 0,
			noisy: [],
			unreliable: 0,
		});
	});

	test('names the noisy rows of a published run, worst first, with both coefficients', () => {
		// ergo's page of 2026-03-22: five of 54 were noisy and none unreliable; the others stand for its mean of 1.8 %.
		const noisy: [string, number, number][] = [
			['fastify-baseline', 0.063, 0.129],
			['fastify-auth', 0.086, 0.18],
			['ergo-post', 0.052, 0.132],
			['express-conditional', 0.052, 0.042],
			['koa-flood', 0.092, 0.186],
		];
		const quiet = Array.from({ length: 49 }, (_, at) => rowOf(`quiet-${at}`, 0.0128));
		const run = runVariationOf([...noisy.map(([name, rps, p99]) => rowOf(name, rps, p99)), ...quiet]);
		assert.equal(run.verdict, 'CLEAN RUN');
		assert.equal(((run.meanCov ?? 0) * 100).toFixed(1), '1.8');
		assert.equal(run.unreliable, 0);
		assert.deepEqual(
			run.noisy.map(({ server }) => server),
			['koa-flood', 'fastify-auth', 'fastify-baseline', 'ergo-post', 'express-conditional'],
		);
		assert.equal(run.noisy[0]?.p99, 0.186);
	});
});
