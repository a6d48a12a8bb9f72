/** How our ratios are computed from rankings, and the rule that explains why a published one differs. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { outcomeOf, reasonsOf, type SetBeside, wordReason } from '../../scripts/published/judge-ratio.ts';
import { commandsOf } from '../../scripts/published/measure-commands.ts';
import { measuredRun } from '../../scripts/published/measured-run.ts';
import type { OurRatio } from '../../scripts/published/our-ratio.ts';
import { ourRatio } from '../../scripts/published/our-ratio.ts';
import { renderPublished, setBeside } from '../../scripts/published/published-page.ts';
import type { PublishedPage } from '../../scripts/published/published-pages.ts';
import { summariseRanking } from '../../src/rank/summarise-ranking.ts';
import type { RankingResult, RankingSample } from '../../src/types/ranking/ranking.ts';
import { scriptData, scriptServer, scriptTrials } from '../support/ranking-cases.ts';

/** A page on which Koa answers `published` times as often as Express. */
function pageAt(published: number, changes: Partial<PublishedPage> = {}): PublishedPage {
	return {
		...{ id: 'x', name: 'x', preset: 'seed-vext-page', machine: 'y', pairs: [['koa', 'express']] },
		figures: [
			{ scenario: 'ping', server: 'koa', requests: 100 * published },
			{ scenario: 'ping', server: 'express', requests: 100 },
		],
		artefacts: [{ text: 'a', effect: 'nearer-1' }, { text: 'b' }, { text: 'c', effect: 'higher' }],
		...changes,
	};
}

const KOA = { metric: 'throughput', scenario: 'ping', server: 'koa', of: 'express', ofScenario: 'ping' } as const;
const SERVERS = ['node-http', 'koa', 'express'];

/** A ranking in which Koa answers twice as often as Express, give or take `spread`. */
function rank(spread = 0.001, names = SERVERS, samples: readonly RankingSample[] = []): RankingResult {
	const trials = [...scriptTrials('koa', 0.6, spread), ...scriptTrials('express', 0.3, spread), ...samples];
	return summariseRanking(
		scriptData(
			names.map((name) => scriptServer(name)),
			trials,
		),
	);
}

/** The same with servers named as by `--runtime node@22.12.0`. */
function onNode({ servers, rows, ...rest }: RankingResult, version: string): RankingResult {
	const named = (name: string) => `${name} on node@${version}`;
	return {
		...rest,
		servers: servers.map((one) => ({ ...one, name: named(one.name), runtime: { name: 'node', version } })),
		rows: rows.map((one) => ({ ...one, server: named(one.server) })),
	};
}

const common = (page: PublishedPage, result: RankingResult) => ({
	common: { runs: [measuredRun(result, [page])] },
	own: {},
});

describe('our ratios', () => {
	test('are those of two shares of one reference, or have a reason why there is no ratio', () => {
		const { ours, reason } = ourRatio(KOA, common(pageAt(2), rank()).common);
		assert.equal(reason, null);
		assert.deepEqual([ours?.value.toFixed(2), ours?.byCpu, ours?.node], ['2.00', false, '24.1.0']);
		assert.ok(ours?.low && ours.high && ours.low < 2 && ours.high > 2);
		const alone = summariseRanking(
			scriptData([scriptServer('node-http'), scriptServer('koa')], scriptTrials('koa', 0.6, 0.001)),
		);
		assert.deepEqual(ourRatio(KOA, common(pageAt(2), alone).common), { ours: null, reason: 'express not in this run' });
	});

	test('are marked if they are of CPU time, because the generator was at its limit', () => {
		const busy = scriptTrials('koa', 0.6, 0.001).map((sample) => ({
			...sample,
			guards: { ...sample.guards, generatorUtilisation: 0.99 },
		}));
		const result = summariseRanking(
			scriptData(
				SERVERS.map((name) => scriptServer(name)),
				[...busy, ...scriptTrials('express', 0.3, 0.001)],
			),
		);
		const page = pageAt(2);
		assert.match(renderPublished([page], common(page, result)), /2\.00, by CPU time/);
		assert.doesNotMatch(renderPublished([page], common(page, rank())), /by CPU time/);
	});

	test('never mix two runs, and the newest run with both servers counts', () => {
		const page = pageAt(2);
		const [old] = common(page, rank()).common.runs;
		assert.ok(old);
		const rows = old.rows.map((row) =>
			row.server === 'koa' && row.share ? { ...row, share: { ...row.share, theta: 0 } } : row,
		);
		const newer = { ...old, node: '24.2.0', rows };
		const half = { ...newer, rows: rows.filter(({ server }) => server === 'koa') };
		assert.equal(ourRatio(KOA, { runs: [old, newer] }).ours?.node, '24.2.0');
		assert.equal(ourRatio(KOA, { runs: [old, half] }).ours?.node, '24.1.0');
	});

	test('take the servers of a version of Node, whatever their names say', () => {
		const page = pageAt(2);
		const named = onNode(rank(), '22.12.0');
		for (const node of ['22', '22.12.0', undefined]) {
			const run = measuredRun(named, [page], { node, onNodeOnly: true });
			assert.deepEqual([run.node, ourRatio(KOA, { runs: [run] }).ours?.value.toFixed(2)], ['22.12.0', '2.00']);
		}
		assert.throws(() => measuredRun(named, [page], { node: '22.1' }), /no row of this page on Node 22\.1/);
		assert.throws(() => measuredRun(rank(), [page], { node: '22', onNodeOnly: true }), /no row of this page/);
		const [a, b] = [onNode(rank(), '24.1.0'), onNode(rank(), '22.12.0')];
		const both = { ...a, servers: [...a.servers, ...b.servers], rows: [...a.rows, ...b.rows] };
		assert.throws(() => measuredRun(both, [page]), /choose with --node/);
		assert.equal(measuredRun(both, [page], { node: '24' }).node, '24.1.0');
	});

	test('of a ramp are the mean of its steps, if all were measured', () => {
		const figures = (['koa', 'express'] as const).map((server) => ({
			scenario: 'concurrency-ramp',
			server,
			requests: 1,
		}));
		const page = pageAt(1, { figures });
		const steps = [10, 50, 100, 200, 500].map((step) => `concurrency-ramp@${step}`);
		const at = (names: readonly string[]) =>
			ourRatio(
				{ ...KOA, scenario: 'concurrency-ramp', ofScenario: 'concurrency-ramp' },
				common(
					page,
					rank(0.001, SERVERS, [
						...names.flatMap((name) => scriptTrials('koa', 0.5, 0.001, name)),
						...names.flatMap((name, step) => scriptTrials('express', step % 2 ? 0.5 : 0.125, 0.001, name)),
					]),
				).common,
			);
		assert.equal(at(steps).ours?.value.toFixed(2), (4 ** 0.6).toFixed(2));
		assert.equal(at(steps.slice(1)).ours, null);
	});

	test('of two scenarios of one server come from its requests per second', () => {
		const figures = ['ping', 'middleware-5'].map((scenario) => ({ scenario, server: 'koa', requests: 1 }));
		const page = pageAt(1, { figures, scenarioPairs: [['middleware-5', 'ping']] });
		const result = rank(0.001, SERVERS, scriptTrials('koa', 0.3, 0.001, 'middleware-5'));
		const [beside] = setBeside(page, common(page, result));
		assert.equal(beside?.ours?.value.toFixed(2), '0.50');
		assert.ok(beside?.ours?.low && beside.ours.low < 0.5);
	});

	test('of times and memory are inverse to shares, as less is better', () => {
		const figures = ['koa', 'express'].map(
			(server) => ({ scenario: 'startup', server, metric: 'cold-start', value: 1 }) as const,
		);
		const row = { scenario: 'startup', state: 'measured', judgedBy: 'cold-start', alone: null } as const;
		const [run] = common(pageAt(2), rank()).common.runs;
		assert.ok(run);
		const rows = [
			{ ...row, server: 'koa', share: { theta: Math.log(0.5), se: 0.01, df: 4 }, medians: { 'memory-after-100k': 30 } },
			{ ...row, server: 'express', share: { theta: 0, se: 0.01, df: 4 }, medians: { 'memory-after-100k': 20 } },
		];
		const data = { common: { runs: [{ ...run, rows }] }, own: {} };
		const [start] = setBeside(pageAt(1, { figures }), data);
		assert.equal(start?.ours?.value.toFixed(2), '2.00');
		const key = { ...KOA, scenario: 'startup', ofScenario: 'startup', metric: 'memory-after-100k' } as const;
		assert.deepEqual(ourRatio(key, data.common).ours, {
			...{ value: 1.5, low: null, high: null },
			...{ byCpu: false, node: '24.1.0' },
		});
	});
});

describe('why a published ratio differs', () => {
	const ours = (value: number, reach = 1.02, node = '24.1.0'): OurRatio => ({
		...{ value, low: value / reach, high: value * reach },
		...{ byCpu: false, node },
	});
	const judge = (ratio: number, on24: OurRatio | null, on22: OurRatio | null) => {
		const artefacts: SetBeside['artefacts'] = [
			{ number: 1, effect: 'lower' },
			{ number: 2, effect: null },
		];
		const one: SetBeside = { ...KOA, ratio, artefacts, ours: on24, reason: null, own: on22 };
		return [outcomeOf(one), wordReason(one)];
	};
	const node22 = (value: number, reach?: number) => ours(value, reach, '22.12.0');

	test('the version of Node, if ours is within 10 % on that of the page', () => {
		assert.deepEqual(judge(0.2, ours(0.6), node22(0.21)), ['node', 'Node 22.12.0']);
	});

	test('that version in part, if it removes at least half of the difference, in either direction', () => {
		const part = 'Node 22.12.0 explains part of it (from 0.80 to 0.30)';
		assert.deepEqual(judge(0.2, ours(0.8), node22(0.3)), ['partly', part]);
		assert.equal(judge(0.2, ours(0.8), node22(0.15))[0], 'partly');
		assert.deepEqual(judge(0.2, ours(0.8), node22(0.41)), ['making', '1; perhaps 2']);
		assert.equal(judge(0.2, ours(0.8), node22(0.09))[0], 'making');
	});

	test('not Node, if our interval there is too wide', () => {
		assert.equal(judge(0.2, ours(0.8), node22(0.2, 1.3))[0], 'making');
		assert.equal(judge(0.2, ours(0.8), { ...node22(0.2), low: null, high: null })[0], 'making');
		// Both are close, and indistinguishable.
		assert.equal(judge(1, ours(1.13, 1.02), node22(1.09, 1.05))[0], 'making');
	});

	test('the method of the page, or no known reason', () => {
		assert.deepEqual(judge(0.2, ours(0.8), null), ['making', '1; perhaps 2']);
		assert.deepEqual(judge(0.8, ours(0.2), null), ['unknown', 'not known; perhaps 2']);
	});

	test('no reason for an equal or indistinguishable ratio', () => {
		assert.deepEqual(judge(0.5, ours(0.5), null), ['same', null]);
		assert.deepEqual(judge(0.5, ours(0.5), node22(0.2)), ['same', 'not on Node 22.12.0']);
		assert.deepEqual(judge(0.5, ours(0.6, 1.3), node22(0.5)), ['open', null]);
		assert.deepEqual(judge(0.5, { ...ours(0.5), low: null, high: null }, null), ['open', null]);
		assert.deepEqual(judge(0.5, null, null), ['missing', null]);
	});

	test('a ratio measured only on the Node of the page is judged by that', () => {
		assert.equal(judge(0.5, null, node22(0.5))[0], 'same');
		assert.equal(judge(0.2, null, node22(0.5))[0], 'making');
	});

	test('an artefact is named only if it changes the ratio in the direction of the difference', () => {
		const at = (published: number) => {
			const [beside] = setBeside(pageAt(published), common(pageAt(published), rank()));
			assert.ok(beside);
			return reasonsOf(beside);
		};
		assert.deepEqual(at(1.2), { surely: [1], perhaps: [2] });
		assert.deepEqual(at(3), { surely: [3], perhaps: [2] });
		assert.deepEqual(at(2), { surely: [], perhaps: [] });
	});
});

describe('the page', () => {
	test('counts the judgements of ratios, and has a column for the Node of a page if that was measured', () => {
		const page = pageAt(1.2);
		const without = renderPublished([page], common(page, rank()));
		assert.match(without, /\| no \| 1; perhaps 2 \|/);
		assert.match(without, /\*\*0 of 1 ratio measured here hold\*\*, 1 differs/);
		assert.match(without, /none was measured on the page's own version of Node yet/);
		assert.doesNotMatch(without, /on its Node/);
		const like = pageAt(2);
		const run = measuredRun(onNode(rank(), '22.12.0'), [like], { node: '22.12.0', onNodeOnly: true });
		const own = { x: { runs: [run] } };
		const all = {
			...common(
				like,
				summariseRanking(
					scriptData(
						SERVERS.map((name) => scriptServer(name)),
						[...scriptTrials('koa', 0.6, 0.001), ...scriptTrials('express', 0.55, 0.001)],
					),
				),
			),
			own,
		};
		const withOwn = renderPublished([like], all);
		assert.match(withOwn, /\| ours \| 95 % interval \| on its Node \| 95 % interval \| within 10 % \|/);
		assert.match(withOwn, /\| 1\.09 \| \[.*\] \| 2\.00 \| \[.*\] \| no \| Node 22\.12\.0 \|/);
		assert.match(withOwn, /\| x \| 1 \| 0 \| 1 \| 0 \| 0 \| 0 \| 0 \| 0 \|/);
		assert.match(withOwn, /1 is explained by the version of Node and 0 in part/);
	});

	test('names the commands that measure it on its Node', () => {
		assert.deepEqual(commandsOf(pageAt(2)), [
			'benchgate measure --runtime node@22.12.0 --reference "express on node@22.12.0" --server koa,express --scenario ping --trials 3 --out x/1',
			'benchgate measure --merge x/1 --json x.json',
			'npm run docs:ratios -- x.json --page x',
		]);
		assert.deepEqual(commandsOf(pageAt(2, { preset: 'seed-blog' })), []);
		assert.deepEqual(commandsOf(pageAt(2, { notOnItsNode: 'too old' })), []);
		const two = pageAt(2, { figures: [...pageAt(2).figures, { scenario: 'ping', server: 'ergo', requests: 1 }] });
		assert.match(
			commandsOf(two)[1] ?? '',
			/--server ergo .*--package @centralping\/ergo=\.\/ergo,@centralping\/ergo-router=\.\/ergo-router/,
		);
		// They run the same on every Node.
		const foreign = ['bun', 'pikku-bun-server', 'go', 'python'].map((server) => ({
			scenario: 'ping',
			server,
			requests: 1,
		}));
		assert.deepEqual(commandsOf(pageAt(2, { figures: [...pageAt(2).figures, ...foreign] })), commandsOf(pageAt(2)));
	});
});
