/**
 * How fast is our generator? Prints answers per second and CPU time per answer, in turn with unmodified autocannon, wrk
 * and k6, against the same raw answerer; medians. Above that rate a cell is generator-bound and judged by
 * cpu-per-request.
 * Options: --rounds 7 --seconds 2
 */
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { median } from 'simple-statistics';
import { findAffinity } from '../src/measure/affinity.ts';
import { startGenerator } from '../src/measure/generator-process.ts';
import { startServer } from '../src/measure/server-process.ts';
import { planTraffic } from '../src/plan/traffic.ts';
import { startJanitor } from '../src/process/janitor.ts';
import { findDrivers, type Measured } from './shared/drivers.ts';
import { makeAnswerer } from './shared/raw-answerer.ts';

const { values: flags } = parseArgs({
	options: { rounds: { type: 'string', default: '7' }, seconds: { type: 'string', default: '2' } },
});
const ROUNDS = Number(flags.rounds);
const SECONDS = Number(flags.seconds);
const CONNECTIONS = 20;
const WARMUP = { requests: 5_000, leastSeconds: 0.5, mostSeconds: 1 };

const janitor = await startJanitor();
const affinity = findAffinity();
const generator = await startGenerator(affinity, janitor);
const { signal } = new AbortController();
const { server, folder } = makeAnswerer();
const start = (side: 'base' | 'head') =>
	startServer({
		side,
		server,
		port: side === 'base' ? 31_000 : 31_001,
		slot: `slot_${side}`,
		ready: { timeoutSeconds: 10 },
		affinity,
		janitor,
		node: process.execPath,
		logFolder: tmpdir(),
		signal,
	});
await using base = await start('base');
await using head = await start('head');

const REQUEST = { method: 'GET', path: '/', headers: {} };
const FILLED = { ...REQUEST, path: '/{{id}}' };
const mixOf = (...requests: readonly (typeof REQUEST)[]) =>
	requests.map((request) => ({ weight: 1, request, expect: { status: [200] } }));
const ROWS = Array.from({ length: 100_000 }, (_, index) => ({ id: index }));

/** Sends one request, or a mix: copies of the request, or rows of a large data file. */
async function measureOurs(
	mix: ReturnType<typeof mixOf> = [],
	rows: typeof ROWS = [],
	awake = affinity.generatorAlone,
): Promise<Measured> {
	const target = (side: typeof base) => ({
		origin: side.origin,
		pid: side.pid,
		request: REQUEST,
		mix: mix.map(({ request }) => request),
	});
	const scenario = {
		...{ name: 'raw', description: '', groups: [], request: REQUEST, expect: { status: [200] }, checks: [] },
		...{ load: { connections: CONNECTIONS, pipelining: 1 }, origin: 'config' as const },
		...(mix.length > 0 && { mix, data: { file: '', rows } }),
	};
	const traffic = planTraffic(scenario, 1);
	const { windows } = await generator.runTurn(
		{
			turn: { cell: 'raw', clientFirst: 'base', windowFirst: 'base', soloFirst: 'base' },
			design: 'duet',
			targets: { base: target(base), head: target(head) },
			load: { connections: CONNECTIONS, pipelining: 1 },
			timing: {
				firstWarmup: WARMUP,
				warmup: WARMUP,
				settleSeconds: 0.3,
				windowSeconds: 0.1,
				windows: 1,
				soloSeconds: SECONDS,
				soloRounds: 1,
			},
			warmup: WARMUP,
			serverCpu: affinity.serverCpu,
			awake,
			statuses: [200],
			...(traffic && { traffic: { ...traffic, statuses: mix.map(({ expect }) => expect.status) } }),
			runStartedAt: Date.now(),
		},
		signal,
	);
	const solo = windows.find((window) => window.kind === 'solo' && window.base);
	if (!solo?.base) throw new Error('no solo window');
	return {
		rate: solo.base.completed / solo.base.seconds,
		cpuMicroseconds: (1e6 * solo.generatorCpuSeconds) / solo.base.completed,
	};
}

const { found, missing } = findDrivers({ affinity, janitor, connections: CONNECTIONS, seconds: SECONDS });
const measured = new Map<string, Measured[]>();
const OURS = 'benchgate';
const ASLEEP = 'benchgate, asleep when there is nothing to read';
const MIXED = 'benchgate, a mix of the same request';
const FROM_ROWS = 'benchgate, 100,000 rows';
const note = (name: string, one: Measured) => measured.set(name, [...(measured.get(name) ?? []), one]);
for (let round = 0; round < ROUNDS; round++) {
	note(OURS, await measureOurs());
	note(ASLEEP, await measureOurs([], [], false));
	note(MIXED, await measureOurs(mixOf(REQUEST, REQUEST)));
	note(FROM_ROWS, await measureOurs(mixOf(FILLED), ROWS));
	for (const driver of found) note(driver.name, await driver.measure(base, '/'));
	process.stderr.write('.');
}
process.stderr.write('\n');
const ours = measured.get(OURS) ?? [];
const ratioToOurs = (all: readonly Measured[]) =>
	median(all.map((one, index) => one.rate / (ours[index]?.rate ?? Number.NaN)));
console.log(`${affinity.note}; raw answerer ${server.name}; ${CONNECTIONS} connections, ${SECONDS} s each, in turn`);
console.table(
	[...measured].map(([generator, all]) => ({
		generator,
		'answers/s (median)': Math.round(median(all.map((one) => one.rate))),
		'CPU per answer (µs, median)': Number(median(all.map((one) => one.cpuMicroseconds)).toFixed(1)),
		'times ours (median of paired ratios)': Number(ratioToOurs(all).toFixed(2)),
		rounds: all.length,
	})),
);
console.log('Unless it says so, ours never sleeps while it loads: its CPU per answer includes waiting.');
for (const one of missing) console.log(`not installed: ${one}`);
await generator.close();
await base.stop();
await head.stop();
await janitor.close();
rmSync(folder, { recursive: true, force: true });
