import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseConfig } from '../../src/config/file/parse-config.ts';
import { checkDriver, describeDriver } from '../../src/config/ranking/load-rules.ts';
import { PRESET_NAMES, type Preset, presetOf } from '../../src/config/ranking/presets.ts';
import { resolveRanking } from '../../src/config/ranking/resolve-ranking.ts';
import type { Flags } from '../../src/config/read-flags.ts';
import type { Scenario } from '../../src/types/config.ts';
import type { DriverName } from '../../src/types/ranking/ranking-setup.ts';
import { CATALOGUE } from './example-catalogue.ts';

const resolve = (flags: Flags = {}, text?: string) =>
	resolveRanking(text === undefined ? null : parseConfig(text, 'benchgate.yml', CATALOGUE), flags, CATALOGUE, () => 7);
const names = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name);

test('without flags all built-in servers are ranked on the core scenarios, beside node-http', () => {
	const { config, reference, precision, rounds, durationSeconds, highlight, wraps } = resolve();
	assert.deepEqual(names(config.servers), ['express', 'fastify', 'node-http']);
	assert.deepEqual(names(config.scenarios), ['ping', 'json-post']);
	assert.deepEqual(
		[reference, precision, rounds, config.budgetSeconds],
		['node-http', 0.04, { fewest: 3, most: 100 }, 1800],
	);
	assert.deepEqual([durationSeconds, highlight, wraps], [undefined, undefined, {}]);
});

test('the reference is always among the servers', () => {
	assert.deepEqual(names(resolve({ server: 'express' }).config.servers), ['express', 'node-http']);
	assert.deepEqual(names(resolve({ reference: 'express' }, 'servers: [fastify]').config.servers), [
		'fastify',
		'express',
	]);
});

test('all means the servers of the config and every built-in one, and repeats as `all`', () => {
	const { config, reference, reproduce } = resolve({ server: 'all' });
	assert.deepEqual(names(config.servers), ['express', 'fastify', 'node-http']);
	assert.equal(reference, 'node-http');
	assert.equal(reproduce, 'npx benchgate measure --server all --seed 7');
	const customServer = 'servers: [{ name: mine, command: node mine.mjs }]';
	assert.deepEqual(names(resolve({ server: 'fastify,all' }, customServer).config.servers), [
		...['fastify', 'mine', 'express', 'node-http'],
	]);
	const paged = resolve({ server: 'all', preset: 'seed-ergo', scenario: 'ping' });
	assert.deepEqual([paged.reference, names(paged.config.servers)], ['express', ['express', 'fastify', 'node-http']]);
	assert.throws(() => resolve({ server: 'al' }), /"al" is not a server/);
});

test('trials are exact; rounds are a maximum', () => {
	assert.deepEqual(resolve({ trials: '5' }).rounds, { fewest: 5, most: 5 });
	assert.deepEqual(resolve({ rounds: '20' }).rounds, { fewest: 3, most: 20 });
	assert.deepEqual(resolve({ rounds: '2' }).rounds, { fewest: 2, most: 2 });
});

test('load flags apply to every scenario', () => {
	const { config, warmupSeconds, durationSeconds } = resolve({ connections: '100', duration: '10s', warmup: '5s' });
	assert.deepEqual(
		config.scenarios.map(({ load }) => load),
		[
			{ connections: 100, pipelining: 1 },
			{ connections: 100, pipelining: 1 },
		],
	);
	assert.deepEqual([durationSeconds, warmupSeconds], [10, 5]);
});

test('a rate applies to every scenario loaded in windows, and is refused with other kinds of load', () => {
	const { config, reproduce } = resolve({ rate: '2000' });
	assert.deepEqual(
		config.scenarios.map(({ load }) => load),
		[
			{ connections: 20, pipelining: 1, rate: 2000 },
			{ connections: 20, pipelining: 1, rate: 2000 },
		],
	);
	assert.match(reproduce, /^npx benchgate measure --rate 2000 /);
	assert.throws(() => resolve({ rate: '0' }), /--rate 0: not allowed; a whole number from 1/);
	assert.throws(() => resolve({ rate: '9', preset: 'seed-ergo' }), /--rate 9: a page is loaded .*; leave --preset out/);
	assert.throws(() => resolve({ rate: '9', driver: 'wrk' }), /--rate 9: wrk loads .*; leave --driver out/);
	assert.throws(() => resolve({ rate: '9', ramp: '10,50' }), /--rate 9: --ramp looks for the most/);
	assert.throws(
		() => resolve({ rate: '9', pipelining: '4' }),
		/--rate 9: ping is pipelined.*; give --pipelining 1 as well/,
	);
	const withOwn = (changes: Partial<Scenario>, flags: Flags = {}) => {
		const scenarios = CATALOGUE.scenarios.map((one) => (one.name === 'json-post' ? { ...one, ...changes } : one));
		const rankingFlags = { scenario: 'ping,json-post', rate: '9', ...flags };
		return resolveRanking(null, rankingFlags, { ...CATALOGUE, scenarios }, () => 7).config.scenarios;
	};
	assert.throws(() => withOwn({ ramp: [10, 500] }), /json-post has a ramp of its own; give --connections as well/);
	assert.equal(withOwn({ ramp: [10, 500] }, { connections: '30' })[1]?.load.rate, 9);
	assert.throws(() => withOwn({ inProcess: true }), /--rate 9: json-post calls one after the other/);
	assert.throws(() => withOwn({ workers: 2 }), /--rate 9: json-post shows how much more worker processes answer/);
	const bare = { metrics: ['cold-start'] } as const;
	assert.deepEqual(
		withOwn(bare).map(({ load }) => load.rate),
		[9, undefined],
	);
	assert.throws(() => withOwn(bare, { scenario: 'json-post' }), /--rate 9: none of the scenarios is loaded/);
});

test('a ramp is every scenario at every step, left out with its scenario', () => {
	const servers = CATALOGUE.servers.map((server) =>
		server.name === 'express' ? { ...server, without: { ping: 'no' } } : server,
	);
	const { config } = resolveRanking(null, { server: 'express', ramp: '10,50' }, { ...CATALOGUE, servers }, () => 7);
	assert.deepEqual(
		config.scenarios.map(({ name, load }) => [name, load.connections]),
		[
			['ping@10', 10],
			['ping@50', 50],
			['json-post@10', 10],
			['json-post@50', 50],
		],
	);
	assert.deepEqual(config.servers[0], {
		kind: 'built-in',
		name: 'express',
		without: { 'ping@10': 'no', 'ping@50': 'no' },
	});
	assert.throws(() => resolve({ ramp: '50,10' }), /--ramp 50,10: not allowed; rising whole numbers/);
});

test('a scenario with its own ramp rises by it, and others beside it do not', () => {
	const scenarios = CATALOGUE.scenarios.map((scenario) =>
		scenario.name === 'json-post' ? { ...scenario, ramp: [10, 500] } : scenario,
	);
	const servers = CATALOGUE.servers.map((server) => ({ ...server, without: { 'json-post': 'no' } }));
	const loadsOf = (flags: Flags) =>
		resolveRanking(
			null,
			{ scenario: 'ping,json-post', ...flags },
			{ ...CATALOGUE, scenarios },
			() => 7,
		).config.scenarios.map(({ name, load }) => `${name} ${load.connections}`);
	assert.deepEqual(loadsOf({}), ['ping 20', 'json-post@10 10', 'json-post@500 500']);
	assert.deepEqual(loadsOf({ ramp: '5,6' }), ['ping@5 5', 'ping@6 6', 'json-post@5 5', 'json-post@6 6']);
	assert.deepEqual(loadsOf({ connections: '30' }), ['ping 30', 'json-post 30']);
	const { config } = resolveRanking(null, { scenario: 'all' }, { scenarios, servers }, () => 7);
	const [express] = config.servers;
	assert.deepEqual(express?.kind === 'built-in' && express.without, { 'json-post@10': 'no', 'json-post@500': 'no' });
	assert.ok(config.scenarios.every((scenario) => scenario.ramp === undefined));
});

test('the command that repeats it has the requested options, and no default', () => {
	const flags = {
		server: 'express',
		scenario: 'ping',
		connections: '100',
		trials: '3',
		highlight: 'express',
		wraps: 'express=node-http',
	};
	assert.equal(
		resolve(flags).reproduce,
		'npx benchgate measure --trials 3 --connections 100 --highlight express --wraps express=node-http --server express --scenario ping --seed 7',
	);
});

test('unknown names are reported, each with its flag', () => {
	assert.throws(
		() => resolve({ reference: 'expres' }),
		/--reference expres: there is no such server; did you mean "express"\?/,
	);
	assert.throws(() => resolve({ highlight: 'koa' }), /--highlight koa: it is not among the servers/);
	assert.throws(() => resolve({ wraps: 'koa=express' }), /--wraps koa: it is not among the servers/);
	assert.throws(() => resolve({ wraps: 'koa' }), /--wraps koa: not allowed; pairs of names/);
	assert.throws(() => resolve({ server: 'kao' }), /"kao" is not a server/);
});

test('a preset is the load of its page; parts that this benchgate lacks are reported, and flags override it', () => {
	const request = resolve({ preset: 'seed-ergo' });
	const { config, preset, rounds, durationSeconds, warmupSeconds, missing, notes, reproduce, shape } = request;
	assert.deepEqual(names(config.servers), ['node-http', 'express', 'fastify']);
	assert.deepEqual(
		config.scenarios.map(({ name, load }) => [name, load]),
		[
			['ping', { connections: 50, pipelining: 1 }],
			['json-post', { connections: 50, pipelining: 1 }],
		],
	);
	// Connections come and go during the whole load, so there is no warm-up.
	assert.deepEqual([preset, rounds, durationSeconds, warmupSeconds], ['seed-ergo', { fewest: 3, most: 3 }, 100, 0]);
	assert.deepEqual(
		shape?.stages?.map(({ seconds, connections }) => [seconds, connections]),
		[
			[30, 50],
			[60, 50],
			[10, 0],
		],
	);
	assert.deepEqual(missing, ['ergo', 'hono', 'koa']);
	assert.ok(
		notes.some(({ message }) => message === 'The scenario auth-get of the page is not among those of this benchgate.'),
	);
	assert.equal(reproduce, 'npx benchgate measure --preset seed-ergo --seed 7');
	const changed = resolve({ preset: 'seed-ergo', trials: '1', server: 'fastify,node-http' });
	assert.deepEqual([changed.rounds.most, changed.missing], [1, []]);
	assert.deepEqual(names(resolve({ preset: 'seed-ergo', server: 'fastify' }).config.servers), ['fastify']);
	assert.equal(resolve({ preset: 'seed-pikku' }).warmupSeconds, 0);
	const flat = resolve({ preset: 'seed-ergo', duration: '20s' });
	assert.deepEqual([flat.durationSeconds, flat.warmupSeconds, flat.shape?.stages], [20, 30, null]);
	assert.ok(flat.notes.some(({ message }) => /do not come and go as on the page, because of --duration/.test(message)));
	assert.throws(
		() => resolve({ preset: 'seed-blog' }),
		/--preset seed-blog: this version of benchgate lacks its servers or its scenarios/,
	);
});

test('another program loads only scenarios that a preset has loaded alone', () => {
	assert.equal(resolve({}).driver, 'benchgate');
	assert.throws(
		() => resolve({ driver: 'wrk' }),
		/--driver wrk: it loads one server at a time, as presets do; give --preset/,
	);
	const { driver, notes, reproduce } = resolve({ preset: 'seed-pikku', driver: 'wrk' });
	assert.equal(driver, 'wrk');
	assert.match(
		notes.at(-1)?.message ?? '',
		/^benchgate checks each server before wrk loads it\. wrk checks no bodies, /,
	);
	assert.match(reproduce, /--driver wrk/);
});

test('a preset with a ramp knows whether its steps are known', () => {
	const aboutSteps = (driver: DriverName, preset: Preset) =>
		describeDriver(driver, preset, false).filter((message) => /step/.test(message));
	const ramp = presetOf('seed-ergo-ramp');
	assert.deepEqual(aboutSteps('benchgate', ramp), [
		'The page has one figure for the whole load, which ranks here too; those of each step are given beside it.',
	]);
	assert.deepEqual(aboutSteps('k6', ramp), [
		'k6 gives one figure for its whole load: requests/s and latency of each step, and where a server is saturated, are not known. Leave --driver out to know them.',
	]);
	for (const driver of ['benchgate', 'k6'] as const) {
		assert.deepEqual(aboutSteps(driver, { ...ramp, stages: null }), []);
		assert.deepEqual(aboutSteps(driver, presetOf('seed-ergo')), []);
	}
});

test('versions of a page are refused without a page', () => {
	for (const versions of ['page', 'pinned']) {
		assert.throws(() => resolve({ versions }), {
			code: 'bad-flag',
			message: `--versions ${versions}: it chooses the versions of a page; give --preset as well, or --package NAME=VERSION for a version of your own`,
		});
	}
	assert.equal(resolve({ versions: 'pinned', preset: 'seed-pikku' }).preset, 'seed-pikku');
	assert.throws(() => resolve({ versions: 'pinned', preset: 'seed-nobody' }), /--preset seed-nobody: not allowed/);
});

test('a program is refused scenarios that it cannot load', () => {
	assert.throws(
		() => resolve({ preset: 'seed-ergo', driver: 'wrk' }),
		/wrk: it loads in one stage, but the preset has 3/,
	);
	assert.equal(resolve({ preset: 'seed-ergo', driver: 'wrk', duration: '20s' }).driver, 'wrk');
	assert.throws(
		() => resolve({ preset: 'seed-pikku', driver: 'k6' }),
		/k6: it waits for each answer, but ping is pipelined; give --pipelining 1 as well/,
	);
	assert.equal(resolve({ preset: 'seed-pikku', driver: 'k6', pipelining: '1' }).driver, 'k6');
	const [ping] = resolve().config.scenarios;
	assert.ok(ping);
	for (const driver of ['autocannon', 'wrk', 'k6'] as const) {
		const dry = { scenarios: [{ ...ping, inProcess: true as const }] };
		assert.throws(() => checkDriver(driver, dry, presetOf('seed-blog')), /loads through sockets, but ping uses none/);
	}
});

test('the load program of a page is reported, with its flag', () => {
	const messages = (flags: Flags) => resolve({ preset: 'seed-ergo', ...flags }).notes.map(({ message }) => message);
	const aboutK6 = (flags: Flags) => messages(flags).filter((message) => /k6/.test(message));
	assert.deepEqual(aboutK6({}), [
		'The page loads with k6; this run with benchgate, which opens and closes the same connections at the same times, and counts everything, as k6 does. --driver k6 loads with k6 itself, where it is installed.',
	]);
	assert.deepEqual(aboutK6({ driver: 'k6' }), [
		'benchgate checks each server before k6 loads it, as on the page. k6 checks no bodies.',
	]);
	assert.match(
		aboutK6({ driver: 'k6', duration: '20s' })[0] ?? '',
		/^benchgate checks each server and warms it up before k6 loads it, /,
	);
	assert.match(aboutK6({ duration: '20s' })[0] ?? '', /with k6; this run with benchgate\. --driver k6/);
	assert.deepEqual(
		resolve({ preset: 'seed-pikku' }).notes.flatMap(({ message }) => (/driver/.test(message) ? message : [])),
		[
			'The page loads with autocannon; this run with benchgate. --driver autocannon loads with autocannon itself, where it is installed.',
		],
	);
});

test("a page's number of calls is kept unless flags change the load", () => {
	const [ping] = CATALOGUE.scenarios;
	assert.ok(ping);
	const catalogue = {
		servers: [...CATALOGUE.servers, { ...CATALOGUE.servers[0], name: 'pikku-node' }],
		scenarios: [...CATALOGUE.scenarios, { ...ping, name: 'inprocess-ping', inProcess: true as const }],
	} as typeof CATALOGUE;
	const resolveFlags = (flags: Flags) =>
		resolveRanking(null, { preset: 'seed-pikku-inprocess', scenario: 'inprocess-ping', ...flags }, catalogue, () => 7);
	assert.deepEqual(resolveFlags({}).shape?.calls, { warmup: 1_000, counted: 10_000 });
	const other = resolveFlags({ duration: '2s' });
	assert.equal(other.shape?.calls, null);
	assert.ok(
		other.notes.some(({ message }) => message === 'Calls are not as many as on the page, because of --duration.'),
	);
});

test('servers report on themselves only on request', () => {
	assert.equal(resolve({}).vitals, false);
	const { vitals, reproduce } = resolve({ vitals: 'node' });
	assert.ok(vitals);
	assert.match(reproduce, /--vitals node/);
	assert.deepEqual(
		PRESET_NAMES.filter((name) => presetOf(name).vitals),
		['seed-vext-page'],
	);
});

test('a rate from a flag is marked as such, for advice on lowering it', () => {
	assert.equal(resolve({}).isRateTyped, false);
	assert.equal(resolve({ rate: '2000' }).isRateTyped, true);
});

test('every preset has the load, trials and aggregation of its page', () => {
	const loads = Object.fromEntries(
		PRESET_NAMES.map((name) => {
			const { load, durationSeconds, warmupSeconds, warmupLoad, stages, calls, pauseSeconds, ...rest } = presetOf(name);
			const called = calls && `${calls.counted} calls after ${calls.warmup}`;
			const stage = stages?.map(({ seconds, connections }) => `${connections} in ${seconds} s`).join(', ');
			return [
				name,
				[
					called ??
						stage ??
						`${load.connections} × ${load.pipelining} for ${durationSeconds} s after ${warmupSeconds} s`,
					...(warmupLoad ? [`warm-up ${warmupLoad.connections} × ${warmupLoad.pipelining}`] : []),
					...(pauseSeconds > 0 ? [`pause ${pauseSeconds} s`] : []),
					`${rest.trials} ${rest.aggregate} ${rest.deviation}`,
				].join('; '),
			];
		}),
	);
	assert.deepEqual(loads, {
		'seed-pikku': '100 × 10 for 10 s after 0 s; 1 mean sample',
		'seed-pikku-inprocess': '10000 calls after 1000; 1 mean sample',
		'seed-tinyhttp': '100 × 1 for 15 s after 0 s; 1 mean sample',
		'seed-ergo': '50 in 30 s, 50 in 60 s, 0 in 10 s; 3 mean population',
		'seed-ergo-ramp': `${[10, 50, 100, 200, 500].map((users) => `${users} in 10 s, ${users} in 30 s`).join(', ')}, 0 in 10 s; 3 mean population`,
		'seed-blog': '100 × 1 for 10 s after 0 s; 1 mean sample',
		'seed-vext-page': '100 × 1 for 30 s after 5 s; 1 mean sample',
		'seed-vext-runner': '50 × 10 for 15 s after 5 s; warm-up 10 × 1; pause 2 s; 5 median-round sample',
	});
	for (const name of PRESET_NAMES) {
		const { stages, durationSeconds, warmupSeconds } = presetOf(name);
		const seconds = stages?.reduce((sum, stage) => sum + stage.seconds, 0);
		assert.ok(seconds === undefined || seconds >= durationSeconds + warmupSeconds, name);
	}
});

test('load at a fixed rate keeps its rate', () => {
	const text =
		'servers: [node-http]\nscenarios:\n  - name: slow\n    request: { path: / }\n    expect: { status: 200 }\n    load: { connections: 5, rate: 100 }\n';
	const { config } = resolve({ connections: '7' }, text);
	assert.deepEqual(config.scenarios[0]?.load, { connections: 7, pipelining: 1, rate: 100 });
});

test('an unknown server is named as typed, without the reference, and without a far-fetched suggestion', () => {
	const resolving = () => resolveRanking(null, { server: 'express,foo' }, CATALOGUE, () => 7);
	assert.throws(resolving, { code: 'bad-flag', message: /^--server express,foo: "foo" is not a server; one of / });
	const near = () => resolveRanking(null, { server: 'expres' }, CATALOGUE, () => 7);
	assert.throws(near, { message: '--server expres: "expres" is not a server; did you mean "express"?' });
});
