/** Two lanes with real servers and generators, forced onto two CPUs: where everything runs, and what remains of it. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { findContradiction } from '../../src/formats/raw/raw-contradiction.ts';
import { parseRaw, renderRaw } from '../../src/formats/raw/raw-file.ts';
import { summarise } from '../../src/judge/summarise.ts';
import type { FoundLanes } from '../../src/measure/lanes/find-lanes.ts';
import { type RunOptions, runComparison } from '../../src/runs/run-comparison.ts';
import type { CustomServer } from '../../src/types/config.ts';
import type { Raw } from '../../src/types/result.ts';
import { builtinScenario } from '../config/example-catalogue.ts';
import { forceLanes } from '../fixtures/forced-lanes.ts';
import { commit, configOf, makeFolder, openSetting } from '../prepare/support.ts';

/** When it is ended, all of its threads exist. */
const SERVER = `
const { appendFileSync, readdirSync, readFileSync } = require('node:fs');
require('node:http').createServer((_, answer) => answer.end('ok')).listen(process.env.PORT, process.env.HOST);
process.on('SIGTERM', () => {
	const cpus = readdirSync('/proc/self/task').map((task) =>
		/Cpus_allowed_list:\\s*(\\S+)/.exec(readFileSync('/proc/self/task/' + task + '/status', 'utf8'))[1]);
	appendFileSync(process.env.LOG, JSON.stringify({ server: process.env.NAME, slot: process.env.SLOT, cpus }) + '\\n');
	process.exit(0);
});`;
const NAMES = ['one', 'two'];
const ROUNDS = 2;

interface Ended {
	readonly server: string;
	readonly slot: string;
	readonly cpus: readonly string[];
}

function allowedOf(pid: number | 'self'): string[] {
	return readdirSync(`/proc/${pid}/task`).flatMap((task) => {
		try {
			return /Cpus_allowed_list:\s*(\S+)/.exec(readFileSync(`/proc/${pid}/task/${task}/status`, 'utf8'))?.[1] ?? [];
		} catch {
			// A pool thread may have ended meanwhile.
			return [];
		}
	});
}

/** Load generators that are children of this process. */
function generators(): number[] {
	return readdirSync('/proc').flatMap((name) => {
		try {
			const command = readFileSync(`/proc/${name}/cmdline`, 'latin1');
			const parent = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'latin1'))?.[1];
			return command.includes('generator-main') && Number(parent) === process.pid ? [Number(name)] : [];
		} catch {
			return [];
		}
	});
}

async function optionsFor(t: TestContext, lanes: FoundLanes): Promise<RunOptions & { readonly log: string }> {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', { 'server.js': SERVER });
	commit(cwd, 'v2', { 'README.md': '2' });
	const log = join(makeFolder(t), 'ended.jsonl');
	const servers = NAMES.map(
		(name): CustomServer => ({
			kind: 'custom',
			name,
			command: 'exec node server.js',
			cwd: '.',
			env: { NAME: name, LOG: log, SLOT: '${slot}' },
			ready: { timeoutSeconds: 20 },
		}),
	);
	const { context } = await openSetting(t, { cwd });
	return {
		config: {
			...configOf(servers),
			scenarios: [{ ...builtinScenario('ping'), origin: 'config', load: { connections: 2, pipelining: 1 } }],
			isolation: 'none',
			rounds: ROUNDS,
			warmupSeconds: 0.1,
		},
		revisions: { base: 'v1', head: 'v2' },
		cwd,
		cacheFolder: context.cacheFolder,
		node: context.node,
		reproduce: 'benchgate compare',
		janitor: context.janitor,
		progress: context.progress,
		signal: context.signal,
		keep: async () => {},
		lanes,
		log,
	};
}

test("every thread runs on its lane's CPUs, lanes measure at once, and the file repeats the run's decisions", async (t) => {
	const forced = forceLanes();
	if (forced === null) return t.skip('processes cannot be held on two CPUs');
	const before = allowedOf('self');
	const options = await optionsFor(t, forced.lanes);
	const seen = { ours: new Set<string>(), generators: new Set<string>(), kept: 0 };
	const raw = await runComparison({
		...options,
		skipUnchanged: false,
		async keep(sofar: Raw) {
			seen.kept++;
			assert.equal(findContradiction(sofar), null);
			for (const cpus of allowedOf('self')) seen.ours.add(cpus);
			seen.generators.add(
				generators()
					.map((pid) => [...new Set(allowedOf(pid))].join())
					.toSorted()
					.join(' '),
			);
		},
	});
	const [first, second] = forced.cpus.map(String);
	assert.notEqual(raw.ended, 'interrupted');
	assert.deepEqual(
		raw.lanes?.map(({ lane, cells }) => [lane, cells]),
		[
			[1, ['one/ping']],
			[2, ['two/ping']],
		],
	);
	assert.deepEqual(
		raw.rounds.flatMap(({ cells }) => cells.flatMap(({ faults }) => faults)),
		[],
	);
	const main = raw.rounds.filter(({ purpose }) => purpose === 'main');
	assert.equal(main.length, NAMES.length * ROUNDS);
	const [one, two] = [1, 2].map((lane) => raw.rounds.find((round) => round.lane === lane));
	assert.ok(one && two && one.startedAt < two.startedAt + two.seconds && two.startedAt < one.startedAt + one.seconds);

	const ended = readFileSync(options.log, 'utf8')
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line) as Ended);
	// The answers of both lanes' servers were checked before, in the first lane.
	const measured = ended.slice(2 * NAMES.length);
	const cpusOf = (server: string) => [
		...new Set(measured.filter((each) => each.server === server).flatMap(({ cpus }) => cpus)),
	];
	assert.deepEqual([cpusOf('one'), cpusOf('two')], [[first], [second]]);
	const slotsOf = (server: string) => new Set(measured.flatMap((each) => (each.server === server ? each.slot : [])));
	assert.equal(new Set([...slotsOf('one'), ...slotsOf('two')]).size, 4, 'no slot is in two lanes');
	assert.deepEqual([...seen.generators], [[second, first].toSorted().join(' ')]);
	assert.deepEqual([...seen.ours], [second]);
	assert.ok(seen.kept >= NAMES.length * ROUNDS);

	assert.deepEqual(allowedOf('self').slice(0, 1), before.slice(0, 1), 'our own process may be everywhere again');
	assert.deepEqual(generators(), []);
	assert.deepEqual(parseRaw(renderRaw(raw)), raw);
	assert.match(summarise(raw).environment.pinning, /^2 lanes: 1: both servers on CPU \d+, generator on CPU \d+; 2: /);
	assert.deepEqual(
		summarise(raw).cells.map(({ server, rounds }) => [server, rounds]),
		NAMES.map((name) => [name, ROUNDS]),
	);
});

test('an interrupt ends both lanes and keeps their finished rounds', async (t) => {
	const forced = forceLanes();
	if (forced === null) return t.skip('processes cannot be held on two CPUs');
	const options = await optionsFor(t, forced.lanes);
	const user = new AbortController();
	const raw = await runComparison({
		...options,
		config: { ...options.config, rounds: 20 },
		signal: user.signal,
		skipUnchanged: false,
		keep: async () => user.abort(new Error('stop')),
	});
	assert.equal(raw.ended, 'interrupted');
	assert.ok(raw.rounds.length > 0);
	assert.equal(findContradiction(raw), null);
	assert.deepEqual(generators(), []);
});
