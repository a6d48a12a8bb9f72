/** The sentences before the tables of a ranking: who is first, which figures are uncertain, who took no part. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type MeasureAsked, summariseRanking } from '../../../src/rank/summarise-ranking.ts';
import { plain } from '../../../src/report/document/table.ts';
import { buildMeasureReport } from '../../../src/report/ranking/ranking-model.ts';
import type { RankingData } from '../../../src/types/ranking/ranking.ts';
import { scriptData, scriptSample, scriptServer, scriptTrials } from '../../support/ranking-cases.ts';

const servers = ['node-http', 'koa', 'express'].map((name) => scriptServer(name));

function conclude(data: RankingData, request?: MeasureAsked): readonly string[] {
	return buildMeasureReport(summariseRanking(data, request)).conclusions.map(plain);
}

describe('who is first', () => {
	test('is counted over scenarios, with a note on shared places', () => {
		const samples = [
			...scriptTrials('koa', 0.8, 0.004),
			...scriptTrials('express', 0.4, 0.004),
			...scriptTrials('koa', 0.999, 0.004, 'json-hello'),
			...scriptTrials('express', 0.4, 0.004, 'json-hello'),
		];
		const [first, average] = conclude(scriptData(servers, samples));
		assert.equal(first, 'First, or sharing first place: node-http in both scenarios, koa in 1 of 2.');
		// Of koa the square root of 0.8 times 0.999; express has 0.4 twice.
		assert.equal(average, 'Of the fastest, on average over 2 scenarios: node-http 100 %, koa 89 %, express 40 %.');
	});

	test('covers the scenarios that a server took part in', () => {
		const samples = [
			...scriptTrials('koa', 1.2, 0.004),
			...scriptTrials('koa', 0.5, 0.004, 'json-hello'),
			...scriptTrials('express', 1.5, 0.004, 'json-hello'),
		];
		const [first] = conclude(scriptData(servers, samples));
		assert.equal(first, 'First: koa in 1 of 2, express in its only one.');
	});

	test('joins servers that are alike, with the number of scenarios without any place', () => {
		const many = ['ping', 'json-hello', 'json-post', 'param-json'];
		const samples = [
			...many.flatMap((scenario) => scriptTrials('koa', 0.5, 0.004, scenario)),
			...['ping', 'json-hello', 'json-post'].flatMap((scenario) => [
				...scriptTrials('uws', 1.5, 0.004, scenario),
				...scriptTrials('bun', 1.5, 0.004, scenario),
			]),
		];
		const all = ['node-http', 'koa', 'uws', 'bun'].map((name) => scriptServer(name));
		const data = scriptData(all, samples);
		const [first] = conclude(data);
		assert.equal(first, 'First, or sharing first place: uws and bun in all 3 of theirs, node-http in 1 of 4.');
		const [one] = data.setup.scenarios;
		assert.ok(one);
		const scenarios = [...data.setup.scenarios, { ...one, name: 'cluster-16' }];
		const sentences = conclude({ ...data, setup: { ...data.setup, scenarios } });
		assert.match(sentences[0] ?? '', /^First, or sharing first place, in the 4 of 5 scenarios with places: uws/);
		assert.match(
			sentences[1] ?? '',
			/^Of the fastest, on average over the 4 of 5 scenarios that compare requests\/s: node-http/,
		);
	});

	test('is one name in one scenario, without an average', () => {
		const sentences = conclude(scriptData(servers.slice(0, 2), scriptTrials('koa', 1.2, 0.004)));
		assert.equal(sentences[0], 'First: koa.');
		assert.ok(!sentences.some((one) => one.includes('on average')));
	});

	test('is left out for a server without competitors', () => {
		const [sample] = scriptTrials('koa', 0.8, 0.004);
		const alone = { ...sample, reference: 'koa', d: {}, alone: { ...sample?.alone, reference: null } };
		const data = scriptData(servers.slice(1, 2), [alone] as RankingData['samples']);
		const scenarios = data.setup.scenarios.map((scenario) => ({ ...scenario, reference: null }));
		const sentences = conclude({ ...data, setup: { ...data.setup, preset: 'seed-blog', scenarios } });
		assert.deepEqual(sentences, []);
	});
});

test('servers that left out a scenario are not averaged with the others', () => {
	const samples = [...scriptTrials('koa', 0.8, 0.004), ...scriptTrials('koa', 0.5, 0.004, 'json-post')];
	const sentences = conclude(scriptData(servers, [...samples, ...scriptTrials('express', 0.9, 0.004)]));
	assert.ok(sentences.includes('Of the fastest, on average over 2 scenarios: node-http 100 %, koa 63 %.'));
});

test('a wrapper answers fewer requests than its host, or more', () => {
	const samples = [...scriptTrials('koa', 0.8, 0.004), ...scriptTrials('express', 0.4, 0.004)];
	const wrapperSentence = (wraps: Record<string, string>) => conclude(scriptData(servers, samples), { wraps })[1];
	assert.equal(wrapperSentence({ express: 'koa' }), 'express answers 50 % fewer requests than koa.');
	assert.equal(wrapperSentence({ koa: 'express' }), 'koa answers 100 % more requests than express.');
});

test('intervals that are too wide are counted, and the widest is named, with a remedy', () => {
	const samples = [...scriptTrials('koa', 0.8, 0.004), ...scriptTrials('express', 0.4, 0.1)];
	const of = (ended: RankingData['ended']) =>
		conclude(scriptData(servers, samples, { ended })).find((one) => one.startsWith('Wider'));
	assert.match(
		of('budget') ?? '',
		/^Wider than ±4 %: 2 of 2 intervals, at most ±2\d(\.\d)? % \(express\/ping\)\. A larger --budget makes them narrower\.$/,
	);
	assert.match(of('rounds') ?? '', /More rounds make them narrower\.$/);
	assert.match(of('interrupted') ?? '', /\(express\/ping\)\.$/);
	const [first, second] = scriptTrials('koa', 0.8, 0.3);
	const two = conclude(scriptData(servers, [first, second] as RankingData['samples']));
	assert.ok(two.includes('Wider than ±4 %: 1 of 1 interval, more than ±100 % (koa/ping).'));
	assert.ok(!conclude(scriptData(servers, scriptTrials('koa', 0.8, 0.004))).some((one) => one.startsWith('Wider')));
});

test('gaps are named: broken rows, unreached rows, servers that took no part', () => {
	const fault = { code: 'wrong-body', side: 'head' as const, message: 'head gave a wrong answer' };
	const sentences = conclude(
		scriptData(
			[...servers, scriptServer('ergo', { state: 'not-installed', reason: 'the registry has no package ergo' })],
			[
				...scriptTrials('koa', 0.8, 0.004),
				scriptSample({ server: 'koa', scenario: 'json-post', round: 1, share: 1, faults: [fault] }),
			],
			{ ended: 'interrupted' },
		),
	);
	assert.deepEqual(sentences.slice(-3), [
		'Broken, with the reason below its table: koa/json-post.',
		'Not reached: 2 of 6 rows.',
		'ergo, not installed: the registry has no package ergo',
	]);
});
