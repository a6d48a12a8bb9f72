import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ConfigFile, parseConfig } from '../../src/config/file/parse-config.ts';
import { type Flags, resolveConfig } from '../../src/config/resolve-config.ts';
import { CATALOGUE } from './example-catalogue.ts';

const SEED = 7;
const read = (text: string): ConfigFile => parseConfig(text, 'benchgate.yml', CATALOGUE);
const resolve = (text: string | null, flags: Flags = {}) =>
	resolveConfig(text === null ? null : read(text), flags, CATALOGUE, () => SEED);
const names = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name);

const OWN = `
servers:
  - express
  - { name: api, command: ./api, scenarios: [own, core] }
scenarios:
  - { name: own, request: { path: /own }, expect: { status: 200 } }
  - core
`;

const P50 = { 'latency-p50': { threshold: 0.1, tolerance: 0.05 } };

test('an empty request has the defaults', () => {
	const { servers, scenarios, ...rest } = resolve(null, { subjectName: 'express' });
	assert.deepEqual(rest, {
		subject: '.',
		threshold: 0.05,
		tolerance: 0.025,
		prepareTimeoutSeconds: 900,
		isolation: 'auto',
		budgetSeconds: 600,
		design: 'duet',
		gate: { onInconclusive: 'pass', metrics: ['throughput'] },
		seed: SEED,
	});
	assert.deepEqual(servers, [{ kind: 'built-in', name: 'express' }]);
	assert.deepEqual(names(scenarios), ['ping', 'json-post']);
});

test('servers that name a subject load it, before those that only contain it', () => {
	const servers = CATALOGUE.servers.map((server) =>
		server.name === 'express'
			? { ...server, dependencies: ['express'], installed: new Set(['express', 'etag']) }
			: server,
	);
	const load = (subjectName: string) =>
		names(resolveConfig(null, { subjectName }, { ...CATALOGUE, servers }, () => SEED).servers);
	assert.deepEqual([load('etag'), load('express')], [['node-http', 'express'], ['express']]);
});

test('flags override the file, and the file overrides defaults', () => {
	const text =
		'subject: a\nprepare: make\nservers: [fastify]\nscenarios: [validate-10]\nthreshold: 4%\ntolerance: 1%\nbudget: 5m\ndesign: sequential\ngate: { on-inconclusive: fail, metrics: [latency-p50] }\nseed: 1';
	const file = resolve(text);
	assert.deepEqual(
		[
			file.file,
			file.subject,
			file.prepare,
			file.threshold,
			file.tolerance,
			file.budgetSeconds,
			file.design,
			file.gate,
			file.seed,
		],
		[
			'benchgate.yml',
			'a',
			'make',
			0.04,
			0.01,
			300,
			'sequential',
			{ onInconclusive: 'fail', metrics: ['latency-p50'], margins: P50 },
			1,
		],
	);
	const flags = resolve(text, {
		subject: 'b',
		server: 'express, node-http',
		scenario: 'ping',
		threshold: '3%',
		tolerance: '2%',
		budget: '90s',
		design: 'duet',
		rounds: '12',
		seed: '2',
		onInconclusive: 'neutral',
	});
	assert.deepEqual(flags, {
		...file,
		subject: 'b',
		servers: [
			{ kind: 'built-in', name: 'express' },
			{ kind: 'built-in', name: 'node-http' },
		],
		scenarios: CATALOGUE.scenarios.slice(0, 1),
		threshold: 0.03,
		tolerance: 0.02,
		budgetSeconds: 90,
		design: 'duet',
		rounds: 12,
		seed: 2,
		gate: { onInconclusive: 'neutral', metrics: ['latency-p50'], margins: P50 },
	});
});

test('a metric has the threshold the gate gives it, else its usual one, else that of the scenario', () => {
	const marginsOf = (metrics: string) => resolve(`servers: [express]\ngate: { metrics: [${metrics}] }`).gate;
	assert.deepEqual(marginsOf('throughput, cpu-per-request'), {
		onInconclusive: 'pass',
		metrics: ['throughput', 'cpu-per-request'],
	});
	const { metrics, margins } = marginsOf(
		'latency-p99, { name: throughput, threshold: 8% }, { name: cold-start, tolerance: 1% }, { name: memory-peak, threshold: 20%, tolerance: 5% }',
	);
	assert.deepEqual(metrics, ['latency-p99', 'throughput', 'cold-start', 'memory-peak']);
	assert.deepEqual(margins, {
		'latency-p99': { threshold: 0.25, tolerance: 0.125 },
		throughput: { threshold: 0.08, tolerance: 0.04 },
		'cold-start': { threshold: 0.15, tolerance: 0.01 },
		'memory-peak': { threshold: 0.2, tolerance: 0.05 },
	});
	const counts = 'throughput, calls, { name: round-trips, threshold: +0 }, { name: bytes-allocated, threshold: +7% }';
	assert.deepEqual(marginsOf(counts).margins, {
		calls: { threshold: 0, tolerance: 0 },
		'round-trips': { threshold: 0, tolerance: 0 },
		'bytes-allocated': { threshold: 0.07, tolerance: 0 },
	});
});

test('the tolerance is half of any threshold', () => {
	assert.equal(resolve('servers: [express]\nthreshold: 8%').tolerance, 0.04);
	assert.equal(resolve('servers: [express]\nthreshold: 8%', { threshold: '6%' }).tolerance, 0.03);
});

test('a seed is drawn only if the request has none', () => {
	const refuse = () => assert.fail('drew a seed');
	assert.equal(resolveConfig(read('servers: [express]\nseed: 0'), {}, CATALOGUE, refuse).seed, 0);
});

test('empty flags count as absent', () => {
	assert.equal(resolve('servers: [express]', { threshold: '', seed: ' ', server: '' }).threshold, 0.05);
});

test('without a named server the subject chooses the servers', () => {
	assert.deepEqual(names(resolve(null, { subjectName: 'etag' }).servers), ['express', 'node-http']);
	assert.deepEqual(names(resolve('seed: 1', { subjectName: 'fastify' }).servers), ['fastify']);
});

test('a request without anything to load is an error that explains how to name a server', () => {
	const remedy =
		'write a config with benchgate init, or choose a built-in server with --server NAME (benchgate list shows them)';
	assert.throws(() => resolve(null), {
		code: 'no-servers',
		message: 'no server to load: there is no benchgate.yml here',
		remedy,
	});
	assert.throws(() => resolve(null, { subjectName: 'leftpad' }), {
		message: 'no server to load: there is no benchgate.yml here, and no built-in server uses leftpad',
		remedy,
	});
	assert.throws(() => resolve('budget: 1m', { subjectName: 'leftpad' }), {
		where: 'benchgate.yml',
		message: 'no server to load: the config names none, and no built-in server uses leftpad',
		remedy: /^write under "servers" how yours is started /,
	});
});

test('an unusable flag is reported before the lack of a server', () => {
	assert.throws(() => resolve(null, { threshold: 'much' }), {
		code: 'bad-flag',
		message: /^--threshold much: not allowed; /,
	});
});

test('groups expand, each scenario once, in the order named', () => {
	assert.deepEqual(names(resolve('servers: [express]\nscenarios: [json-post, core]').scenarios), ['json-post', 'ping']);
	assert.deepEqual(names(resolve('servers: [express]\nscenarios: [all]').scenarios), [
		'ping',
		'json-post',
		'validate-10',
	]);
});

test("--server and --scenario select built-ins and the file's own", () => {
	const config = resolve(OWN, { server: 'api,fastify', scenario: 'own,validate-10' });
	assert.deepEqual(names(config.servers), ['api', 'fastify']);
	assert.deepEqual(names(config.scenarios), ['own', 'validate-10']);
	assert.deepEqual(names(resolve(OWN, { scenario: 'all' }).scenarios), ['own', 'ping', 'json-post', 'validate-10']);
});

test('groups in the list of a server expand', () => {
	const [, api] = resolve(OWN).servers;
	assert.deepEqual(api?.kind === 'custom' && api.scenarios, ['own', 'ping', 'json-post']);
});

test('without scenarios in the file, those in the lists of servers are loaded', () => {
	const list = 'servers:\n  - { name: api, command: ./api, scenarios: [validate-10] }';
	assert.deepEqual(names(resolve(list).scenarios), ['validate-10']);
	assert.deepEqual(names(resolve(`${list}\n  - express`).scenarios), ['validate-10', 'ping', 'json-post']);
});

const refusedFlags: readonly (readonly [Flags, string])[] = [
	[{ threshold: '200%' }, '--threshold 200%: not allowed; a percentage above 0% and below 100%, e.g. 5%'],
	[{ threshold: '0.05' }, '--threshold 0.05: not allowed; a percentage above 0% and below 100%, e.g. 5%'],
	[{ budget: 'long' }, '--budget long: not allowed; a duration in ms, s, m or h, e.g. 90s or 10m'],
	[{ design: 'deut' }, '--design deut: not allowed; one of duet, alternating, sequential; did you mean "duet"?'],
	[{ rounds: '1' }, '--rounds 1: not allowed; a whole number from 2 to 1000'],
	[{ seed: '-1' }, '--seed -1: not allowed; a whole number from 0'],
	[{ server: 'expres' }, '--server expres: "expres" is not a server; did you mean "express"?'],
	[{ server: 'express,' }, '--server express,: not allowed; names separated by commas'],
	[
		{ scenario: 'ping,flood' },
		'--scenario ping,flood: "flood" is not a scenario; one of ping, json-post, validate-10, core, auto, all',
	],
	[{ onInconclusive: 'maybe' }, '--on-inconclusive maybe: not allowed; one of pass, fail, neutral'],
	[{ tolerance: '5%' }, '--tolerance 5%: not below the threshold of 5%; leave it out for half of that'],
	[
		{ threshold: 'x', spelling: 'input' },
		'input threshold x: not allowed; a percentage above 0% and below 100%, e.g. 5%',
	],
	[
		{ threshold: 'x', budget: 'y' },
		'--threshold x: not allowed; a percentage above 0% and below 100%, e.g. 5%\n--budget y: not allowed; a duration in ms, s, m or h, e.g. 90s or 10m',
	],
];

for (const [flags, message] of refusedFlags) {
	test(`${JSON.stringify(flags)} is refused`, () => {
		assert.throws(() => resolve('servers: [express]', flags), { name: 'UserError', message });
	});
}

test('margins that contradict each other between flag, file and scenario are refused', () => {
	assert.throws(() => resolve('servers: [express]\ntolerance: 2.5%', { threshold: '2%' }), {
		message: '--threshold 2%: not above the tolerance of 2.5% in benchgate.yml; lower that too',
	});
	assert.throws(() => resolve('servers: [express]\ntolerance: 6%'), {
		where: 'benchgate.yml',
		message: 'the tolerance, 6%, is not below the threshold of 5%',
	});
	assert.throws(() => resolve(OWN.replace('status: 200 } }', 'status: 200 }, tolerance: 6% }')), {
		message: 'the tolerance of scenario own, 6%, is not below the threshold of 5%',
	});
});
