/**
 * How fast is our generator? Requests/s and CPU per request beside wrk on the same raw answerer, in turn, medians. Above
 * the rate printed here a cell is generator-bound and judged by cpu-per-request.
 */
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { median } from 'simple-statistics';
import { findAffinity } from '../src/measure/affinity.ts';
import { startGenerator } from '../src/measure/generator-process.ts';
import { startServer } from '../src/measure/server-process.ts';
import { planTraffic } from '../src/plan/traffic.ts';
import { startJanitor } from '../src/process/janitor.ts';

const ROUNDS = 7;
const SECONDS = 2;
const CONNECTIONS = 20;
const WARMUP = { requests: 5_000, leastSeconds: 0.5, mostSeconds: 1 };

interface Measured {
	readonly rate: number;
	readonly cpuMicroseconds: number;
}

const janitor = await startJanitor();
const affinity = findAffinity();
const generator = await startGenerator(affinity, janitor);
const { signal } = new AbortController();
const server = {
	name: 'raw-answerer',
	cwd: fileURLToPath(new URL('.', import.meta.url)),
	run: { argv: [process.execPath, 'raw-answerer.mjs'] },
	env: {},
	versions: {},
};
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

/** Loads the one request, or a mix: of copies of it, or filled from a large data file. */
async function measureOurs(mix: ReturnType<typeof mixOf> = [], rows: typeof ROWS = []): Promise<Measured> {
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
			awake: affinity.generatorAlone,
			statuses: [200],
			...(traffic && { traffic: { ...traffic, statuses: mix.map(({ expect }) => expect.status) } }),
			sampleBodies: true,
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

function measureWrk(): Measured {
	const wrk = affinity.pin('generator', ['wrk', '-t1', `-c${CONNECTIONS}`, `-d${SECONDS}s`, base.origin]).join(' ');
	// The shell's own `times` gives the CPU time of its children.
	const { stdout, status } = spawnSync('bash', ['-c', `${wrk}; times`], { encoding: 'utf8' });
	const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
	const total = Number(/(\d+) requests in/.exec(stdout)?.[1]);
	if (status !== 0 || !Number.isFinite(rate)) throw new Error('wrk did not run: install the Debian package wrk');
	const cpu = [...(stdout.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
	return {
		rate,
		cpuMicroseconds:
			(1e6 * cpu.reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0)) / total,
	};
}

const ours: Measured[] = [];
const mixed: Measured[] = [];
const filled: Measured[] = [];
const wrk: Measured[] = [];
for (let round = 0; round < ROUNDS; round++) {
	ours.push(await measureOurs());
	mixed.push(await measureOurs(mixOf(REQUEST, REQUEST)));
	filled.push(await measureOurs(mixOf(FILLED), ROWS));
	wrk.push(measureWrk());
	process.stderr.write('.');
}
process.stderr.write('\n');
const row = (name: string, all: readonly Measured[]) => ({
	generator: name,
	'requests/s (median)': Math.round(median(all.map((one) => one.rate))),
	'CPU per request (µs, median)': Number(median(all.map((one) => one.cpuMicroseconds)).toFixed(1)),
	rounds: all.length,
});
console.log(`${affinity.note}; ${CONNECTIONS} connections, ${SECONDS} s each, in turn`);
console.table([
	row('benchgate (autocannon)', ours),
	row('a mix of the same request', mixed),
	row('100,000 rows', filled),
	row('wrk', wrk),
]);
const ratioTo = (all: readonly Measured[]) =>
	median(all.map((one, index) => one.rate / (ours[index]?.rate ?? Number.NaN))).toFixed(2);
console.log(`wrk is ${ratioTo(wrk)} times as fast (median of paired ratios)`);
console.log(
	`a mix is ${ratioTo(mixed)} times as fast as the single request, one of 100,000 rows ${ratioTo(filled)} times`,
);
await generator.close();
await base.stop();
await head.stop();
await janitor.close();
