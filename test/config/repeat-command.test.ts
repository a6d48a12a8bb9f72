/** The command line parses the command of a report into the same request. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseConfig } from '../../src/config/file/parse-config.ts';
import { readRequest } from '../../src/config/load-request.ts';
import type { OptionTexts } from '../../src/config/option-names.ts';
import {
	type CompareOptions,
	type Request,
	resolveBaseline,
	resolveBisect,
	resolveCompare,
	resolveSelftest,
} from '../../src/config/resolve-request.ts';
import { isUserError } from '../../src/types/errors.ts';
import { commit, makeFolder, writeFiles } from '../prepare/support.ts';
import { CATALOGUE } from './example-catalogue.ts';
import { BOTH, compareFlags, flagsIn, MARGINS } from './example-flags.ts';

const OWN = `
  - { name: own, request: { path: /own }, expect: { status: 200 }, threshold: 30% }
  - ping
`;
const CONFIGS: readonly (string | null)[] = [
	null,
	'servers: [fastify]\nscenarios: [core]\n',
	`servers:\n  - express\n  - { name: api, command: ./api }\nscenarios:${OWN}gate: { on-inconclusive: fail, metrics: [latency-p50] }\n`,
	`servers:\n  - { name: api, command: ./api, scenarios: [own] }\nscenarios:${OWN}design: sequential\nbudget: 90s\nseed: 4\nprepare: make\nsubject: lib\n`,
];
let drawn = 0;
const drawSeed = () => drawn++;

/** Undefined for a refused request: contradictory margins, or a package that no server has. */
function unlessRefused<T>(request: () => T): T | undefined {
	try {
		return request();
	} catch (error) {
		if (!isUserError(error)) throw error;
		assert.match(error.message, /tolerance|threshold|no chosen built-in server has/);
		return undefined;
	}
}

for (const [index, config] of CONFIGS.entries()) {
	test(`compare, ${config === null ? 'without a config' : `with config ${index}`}`, () => {
		const hasOwn = config?.includes('own');
		const flags = compareFlags(
			hasOwn ? ['api', 'node-http'] : ['fastify', 'express', 'node-http'],
			hasOwn ? ['own', 'ping', 'core'] : ['json-post', 'ping', 'all'],
			config === null ? ['etag=1.8.0', 'express=./folder of $HOME'] : [],
		);
		const margins = fc.option(fc.record(MARGINS, { requiredKeys: [] }));
		let requests = 0;
		fc.assert(
			fc.property(flags, margins, (given, more) => {
				const lines = Object.entries(more ?? {}).map(([key, value]) => `${key}: ${value}\n`);
				const request = unlessRefused((): [Request, (flags: CompareOptions) => Request] => {
					const file = config === null ? null : parseConfig(config + lines.join(''), 'benchgate.yml', CATALOGUE);
					const resolve = (flags: CompareOptions, subject: string) =>
						resolveCompare(file, flags, subject, CATALOGUE, drawSeed);
					// Whatever package is checked out when the command runs.
					return [resolve(given, 'express'), (flags) => resolve(flags, 'fastify')];
				});
				if (request === undefined) return;
				requests += 1;
				const [{ config: wanted, reproduce }, resolve] = request;
				const read = flagsIn(reproduce, 'compare');
				assert.deepEqual(resolve(read), { config: wanted, reproduce });
				assert.deepEqual([read.base, read.head, read.node], [given.base, given.head, given.node]);
			}),
			{ numRuns: 150, seed: 12 },
		);
		assert.ok(requests > 50, `${requests} requests`);
	});
}

test('baseline', () => {
	const file = parseConfig('servers: [fastify]\nscenarios: [ping]\nthreshold: 8%\n', 'benchgate.yml', CATALOGUE);
	const resolve = (flags: OptionTexts) => resolveBaseline(file, flags, undefined, CATALOGUE, drawSeed);
	const baselineFlags = { seed: '7', precision: '0.5%', budget: '20m', server: 'express,node-http', node: '/opt/node' };
	const request = resolve(baselineFlags);
	assert.deepEqual(request.drift, { policy: 'advisory', threshold: 0.16 });
	assert.equal(request.precision, 0.005);
	const line = request.reproduce('git:abc', 'v2');
	const read = flagsIn(line, 'baseline');
	assert.deepEqual([read.anchor, read.head, read.node], ['git:abc', 'v2', '/opt/node']);
	const again = resolve(read);
	assert.deepEqual([again.config, again.precision], [request.config, request.precision]);
	assert.equal(again.reproduce('git:abc', 'v2'), line);
	const duet = flagsIn(request.reproduceDuet({ base: 'git:abc', head: 'git:def' }, request.config), 'compare');
	assert.equal(duet.skipUnaffected, 'false', 'a proof measures all its rows');
	const enforced = resolve({ drift: 'enforce', driftThreshold: '3%' });
	assert.deepEqual(enforced.drift, { policy: 'enforce', threshold: 0.03 });
	assert.equal(enforced.precision, 0.008);
});

test('selftest', () => {
	const names = {
		server: fc.constantFrom('fastify', 'node-http,express', ' express , fastify'),
		scenario: fc.constantFrom('ping', 'core', 'validate-10', 'all'),
	};
	let requests = 0;
	fc.assert(
		fc.property(fc.record({ ...BOTH, ...names, scenario: names.scenario }, { requiredKeys: ['scenario'] }), (given) => {
			const request = unlessRefused(() => resolveSelftest(given, CATALOGUE, drawSeed));
			if (request === undefined) return;
			requests += 1;
			const read = flagsIn(request.reproduce, 'selftest');
			assert.deepEqual(resolveSelftest(read, CATALOGUE, drawSeed), request);
			assert.equal(read.node, given.node);
		}),
		{ numRuns: 150, seed: 3 },
	);
	assert.ok(requests > 50, `${requests} requests`);
});

test('bisect', () => {
	for (const config of CONFIGS) {
		const file = config === null ? null : parseConfig(config, 'benchgate.yml', CATALOGUE);
		const scenario = config?.includes('own') ? 'own' : 'ping';
		for (const more of [{}, { budget: '90s', isolation: 'auto' }, { server: file === null ? 'express' : undefined }]) {
			const bisectFlags = { good: 'v1^', bad: 'my branch', scenario, ...more };
			const { config: wanted, reproduce } = resolveBisect(file, bisectFlags, 'fastify', CATALOGUE, drawSeed);
			const read = flagsIn(reproduce, 'bisect');
			const again = { ...read, good: read.good ?? '', bad: read.bad ?? '' };
			assert.deepEqual([again.good, again.bad, again.scenario], [bisectFlags.good, bisectFlags.bad, scenario]);
			assert.deepEqual(resolveBisect(file, again, 'express', CATALOGUE, drawSeed), { config: wanted, reproduce });
			assert.equal(wanted.budgetSeconds, 'budget' in more ? 90 : 1800);
		}
	}
});

const SIDES = { base: 'main', head: 'my branch' };
const EXAMPLES: readonly (readonly [string, CompareOptions, string])[] = [
	['defaults are not repeated', { ...SIDES, threshold: '5%', seed: '7' }, '--server express --seed 7'],
	[
		'a tolerance of half the threshold is not',
		{ ...SIDES, threshold: '3%', seed: '7' },
		'--server express --threshold 3% --seed 7',
	],
	[
		'Node is',
		{ ...SIDES, node: '/opt/node 20/bin/node', seed: '7' },
		"--server express --seed 7 --node '/opt/node 20/bin/node'",
	],
];

for (const [label, flags, words] of EXAMPLES) {
	test(label, async (t) => {
		const folder = makeFolder(t);
		writeFiles(folder, { 'package.json': { name: 'express' } });
		const { reproduce } = await readRequest(folder, flags);
		assert.equal(reproduce, `npx benchgate compare --base main --head 'my branch' ${words}`);
	});
}

test('--config takes the config of a commit, as seen from the current folder', async (t) => {
	const folder = makeFolder(t);
	const sha = commit(folder, 'one', { 'ci/bench.yml': 'servers: [koa]\nthreshold: 3%\n' });
	commit(folder, 'two', { 'ci/bench.yml': 'servers: [express]\nthreshold: 9%\n' });
	for (const [cwd, path] of [
		[folder, 'ci/bench.yml'],
		[`${folder}/ci`, 'bench.yml'],
	] as const) {
		const { config } = await readRequest(cwd, { ...SIDES, config: `git:${sha}:${path}` });
		assert.deepEqual([config.servers.map(({ name }) => name), config.threshold], [['koa'], 0.03]);
	}
	const lost = 'f'.repeat(40);
	for (const [name, message] of [
		[`git:${sha}:nope.yml`, /git cannot read that config: fatal: .*nope\.yml/],
		[`git:${lost}:ci/bench.yml`, /git cannot read that config: fatal: /],
		['git:--output=x:y', /there is no such config/],
	] as const) {
		await assert.rejects(readRequest(folder, { ...SIDES, config: name }), { code: 'unreadable-config', message });
	}
});
