/** Scenarios that start a server in a special way: which servers support it, and which commands include them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import satisfies from 'semver/functions/satisfies.js';
import { renderList } from '../../src/cli/list-command.ts';
import { answeredBy, isHosted, withUnhosted } from '../../src/config/answered-scenarios.ts';
import type { Catalogue } from '../../src/config/catalogue.ts';
import { parseConfig } from '../../src/config/file/parse-config.ts';
import { parseScenario } from '../../src/config/file/parse-scenario.ts';
import { loadCatalogue } from '../../src/config/load-catalogue.ts';
import { resolveRanking } from '../../src/config/ranking/resolve-ranking.ts';
import { resolveConfig } from '../../src/config/resolve-config.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';
import type { Config } from '../../src/types/config.ts';
import { customServer } from '../plan/example-plan.ts';
import { builtinScenario } from './example-catalogue.ts';

/** Built-in servers that cannot be called without a socket, run in worker processes, or run under node --watch. */
const DEAF = ['bun', 'go', 'pikku-bun', 'pikku-bun-server', 'pikku-uws', 'pikku-uws-handler', 'python', 'uws'];

const scenarios = [
	builtinScenario('ping', ['core']),
	{ ...builtinScenario('startup'), metrics: ['cold-start', 'reload'] as const },
	{ ...builtinScenario('hot-reload'), metrics: ['hot-reload'] as const },
	{ ...builtinScenario('cluster-2', ['cluster-scaling']), workers: 2 },
	{ ...builtinScenario('inprocess-ping', ['inprocess-dispatch']), inProcess: true as const },
	{ ...builtinScenario('rising'), ramp: [10, 50] },
];
const catalogue: Catalogue = {
	scenarios,
	servers: withUnhosted(
		[
			{ name: 'fast', description: 'Fast.', dependencies: ['fast'], inProcess: 'app.inject' },
			{
				...{ name: 'native', description: 'Native.', dependencies: ['native'] },
				...{ unclustered: 'it listens by itself', socketOnly: 'it knows sockets alone' },
				unwatched: 'it tells nobody',
			},
		],
		scenarios,
	),
};
const namesOf = ({ scenarios: chosen }: Pick<Config, 'scenarios'>) => chosen.map(({ name }) => name);
const compare = (scenario: string) => resolveConfig(null, { server: 'fast', scenario }, catalogue, () => 1);
const measure = (server: string, scenario: string) =>
	resolveRanking(null, { server, scenario, reference: 'fast' }, catalogue, () => 1).config;

test('a comparison refuses them by name and by group, with the reason; `all` leaves them out', () => {
	for (const [name, why] of [
		['inprocess-ping', /"inprocess-ping" is only for benchgate measure: the code under test would count/],
		['inprocess-dispatch', /"inprocess-ping" is only for benchgate measure/],
		['ping,cluster-2', /"cluster-2" is only for benchgate measure: its worker processes want more CPUs/],
		['all,cluster-scaling', /"cluster-2" is only/],
		['hot-reload', /"hot-reload" is only for benchgate measure: the code under test would itself report that it/],
		['rising', /"rising" is only for benchgate measure: a comparison loads with one number of connections/],
	] as const) {
		assert.throws(() => compare(name), { code: 'bad-flag', message: why });
	}
	assert.deepEqual(namesOf(compare('all')), ['ping', 'startup']);
	const file = parseConfig('servers: [fast]\nscenarios: [ping, cluster-2]', 'benchgate.yml', catalogue);
	assert.throws(() => resolveConfig(file, {}, catalogue, () => 1), {
		code: 'bad-config',
		where: 'benchgate.yml',
		message: /^scenarios: "cluster-2" is only for benchgate measure/,
	});
});

test('a ranking takes all of them, and servers that cannot start so leave them out', () => {
	const plain = scenarios.map(({ name }) => name).filter((name) => name !== 'rising');
	assert.deepEqual(namesOf(measure('fast', 'all')), [...plain, 'rising@10', 'rising@50']);
	const leftOut = catalogue.servers.find(({ name }) => name === 'native')?.without;
	assert.deepEqual(leftOut, {
		'hot-reload': 'it tells nobody',
		'cluster-2': 'it listens by itself',
		'inprocess-ping': 'it knows sockets alone',
	});
	const { servers, scenarios: chosen } = measure('fast,native', 'all');
	assert.deepEqual(
		servers.map((server) => [server.name, answeredBy(server, chosen).map(({ name }) => name)]),
		[
			['fast', ['ping', 'startup', 'hot-reload', 'cluster-2', 'inprocess-ping', 'rising@10', 'rising@50']],
			['native', ['ping', 'startup', 'rising@10', 'rising@50']],
		],
	);
});

test('a server of a config is never started in an undeclared way', () => {
	const answered = (listed?: string[]) => answeredBy(customServer('api', listed), scenarios).map(({ name }) => name);
	assert.deepEqual(answered(['ping', 'cluster-2']), ['ping']);
	assert.deepEqual(answered(), ['ping', 'startup', 'rising']);
});

test('margins of a scenario’s own metrics are the usual ones for them', () => {
	const { gate } = compare('ping,startup');
	assert.deepEqual(gate.metrics, ['throughput']);
	assert.deepEqual(gate.margins, {
		'cold-start': { threshold: 0.15, tolerance: 0.075 },
		reload: { threshold: 0.15, tolerance: 0.075 },
	});
});

test('the built-in catalogue states for every server whether it can start so', async () => {
	const builtin = await loadCatalogue(TOOL_ROOT);
	const hosted = builtin.scenarios.filter(isHosted).map(({ name }) => name);
	assert.equal(hosted.length, 11);
	const answers = (scenario: string) =>
		builtin.servers.filter(({ without = {} }) => !Object.hasOwn(without, scenario)).map(({ name }) => name);
	const deaf = builtin.servers.map(({ name }) => name).filter((name) => !answers('inprocess-ping').includes(name));
	assert.deepEqual(
		deaf.filter((name) => !/^(?:ergo|vext-.*)$/.test(name)),
		DEAF,
	);
	for (const { name, inProcess, socketOnly } of builtin.servers) {
		assert.ok((inProcess === undefined) !== (socketOnly === undefined), `${name} says how it is asked, or why not`);
	}
	const clustered = answers('cluster-2');
	for (const name of ['express', 'koa', 'nestjs-fastify', 'node-http']) assert.ok(clustered.includes(name), name);
	for (const name of DEAF) assert.ok(!clustered.includes(name), name);
	const watched = answers('hot-reload');
	assert.deepEqual(
		builtin.servers.map(({ name }) => name).filter((name) => !watched.includes(name)),
		DEAF,
	);
	assert.ok(
		answers('startup').length === builtin.servers.length && answers('footprint').length === builtin.servers.length,
	);
	const list = renderList(builtin, { node: '24.1.0', glibc: null, missing: new Set(), satisfies });
	assert.match(list, /\nIn process: [\s\S]*\n {2}fastify +app\.inject\n[\s\S]*\n {2}koa +request listener\n/);
	assert.match(list, /\nThrough a socket alone: .*\n {2}bun +asking without a socket is tested on Node only\n/);
	assert.match(list, /\nNot in worker processes: .*\n {2}bun +Bun\.serve does not/);
	assert.match(list, /\nNot under node --watch: .*\n {2}bun +node --watch runs programs of Node alone\n/);
	assert.doesNotMatch(list, /koa\/inprocess|bun\/cluster|bun\/hot-reload/);
});

test('a scenario file states how its servers are started', () => {
	const text = (more: string) => `name: x\ndescription: X.\nrequest: { path: / }\nexpect: { status: 200 }\n${more}\n`;
	const parse = (more: string) => parseScenario(text(more), 'scenarios/x.yml');
	assert.equal(parse('workers: 4').workers, 4);
	assert.equal(parse('in-process: true').inProcess, true);
	assert.deepEqual(parse('metrics: [reload]').metrics, ['reload']);
	assert.deepEqual(parse('metrics: [hot-reload]').metrics, ['hot-reload']);
	assert.deepEqual(parse('ramp: [10, 50]').ramp, [10, 50]);
	for (const more of ['workers: 0', 'in-process: false', 'metrics: []', 'metrics: [speed]', 'ramp: []', 'ramp: [0]']) {
		assert.throws(() => parse(more), { code: 'bad-scenario' }, more);
	}
});
