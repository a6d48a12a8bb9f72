/**
 * The cost of shards: time of `benchgate plan`, time and memory of `benchgate gather` with 12 shards of 5 MB, the
 * balance of usual matrices, and their time compared with one machine. Runs dist, so build it first.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from 'simple-statistics';
import { renderPlan } from '../src/formats/plan-file.ts';
import { renderRaw } from '../src/formats/raw/raw-file.ts';
import type { Raw } from '../src/types/result.ts';
import type { LatencyHistogram } from '../src/types/round.ts';
import { shardPlanOf, shardRawOf } from '../test/support/shards.ts';
import { timeShards } from './shared/shard-times.ts';

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const SHARDS = 12;
const BYTES = 5_000_000;
/** `[1000000,123456],` */
const ENTRY_BYTES = 17;
const SEEDS = [1, 2, 3, 4, 5];

const folder = mkdtempSync(join(tmpdir(), 'benchgate-gather-'));
try {
	const ids = Array.from({ length: 48 }, (_, index) => `server-${Math.floor(index / 6)}/scenario-${index % 6}`);
	const plan = shardPlanOf(ids, SHARDS);
	mkdirSync(join(folder, 'shards'));
	writeFileSync(join(folder, 'shards', 'plan.json'), renderPlan(plan));
	for (const { index } of plan.shards) {
		writeFileSync(join(folder, 'shards', `${index}.json`), renderRaw(fatten(shardRawOf(plan, index))));
	}
	time('gather of 12 shards', ['gather', 'shards', '--json', 'result.json']);
	time('with a page and the raw file', ['gather', 'shards', '--html', 'report.html', '--raw', 'raw.json']);
	for (const side of ['base', 'head']) {
		mkdirSync(join(folder, side));
		writeFileSync(join(folder, side, 'package.json'), '{"name":"express","version":"1.0.0"}');
	}
	const all = ['--server', 'express,fastify,koa,hono,node-http', '--scenario', 'all'];
	time('plan', ['plan', '--base', 'dir:base', '--head', 'dir:head', ...all, '--quiet']);
	for (const [servers, scenarios, count] of [
		[8, 6, 8],
		[6, 4, 4],
		[5, 20, 12],
	] as const) {
		const times = await Promise.all(SEEDS.map((seed) => timeShards(servers, scenarios, count, seed)));
		const even = median(times.map(({ slowest, fastest }) => slowest / fastest));
		const share = median(times.map(({ alone, slowest }) => slowest / alone));
		const minutes = median(times.map(({ alone }) => alone / 60));
		console.log(
			`${servers * scenarios} cells in ${count} shards: slowest/fastest ${even.toFixed(2)}, ${share.toFixed(2)} of one machine's ${minutes.toFixed(0)} min (scripted, median of ${SEEDS.length})`,
		);
	}
} finally {
	rmSync(folder, { recursive: true, force: true });
}

/** Returns raw data with such fine histograms that the file has 5 MB. */
function fatten(raw: Raw): Raw {
	const sides = raw.rounds.flatMap((round) => round.cells.flatMap(({ windows }) => windows)).length * 2;
	const entries = Math.min(2_000, Math.floor(BYTES / sides / ENTRY_BYTES));
	let seed = 1;
	// Every window differs, as on a real machine.
	const fat = (): LatencyHistogram =>
		Array.from({ length: entries }, (_, index) => {
			seed = (seed * 16_807) % 2_147_483_647;
			return [1_000_000 + 100 * index, 100_000 + (seed % 900_000)];
		});
	return {
		...raw,
		rounds: raw.rounds.map((round) => ({
			...round,
			cells: round.cells.map((turn) => ({
				...turn,
				windows: turn.windows.map((window) => ({
					...window,
					base: window.base && { ...window.base, latency: fat() },
					head: window.head && { ...window.head, latency: fat() },
				})),
			})),
		})),
	};
}

function time(what: string, args: readonly string[]): void {
	// Not maxRSS: a new process inherits that of its parent.
	const tell = `import { readFileSync } from 'node:fs';
process.on('exit', () => {
	const { userCPUTime, systemCPUTime } = process.resourceUsage();
	const [, peak] = /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
	console.error('peak ' + peak + ' ' + (userCPUTime + systemCPUTime));
});`;
	const began = performance.now();
	const run = spawnSync(process.execPath, [`--import=data:text/javascript,${encodeURIComponent(tell)}`, CLI, ...args], {
		cwd: folder,
		encoding: 'utf8',
		env: { ...process.env, BENCHGATE_CACHE: join(folder, 'cache') },
	});
	const seconds = (performance.now() - began) / 1000;
	const [, kibibytes = 0, microseconds = 0] = (/peak (\d+) (\d+)/.exec(run.stderr) ?? []).map(Number);
	if (run.status === 2 || run.status === null) throw new Error(run.stderr);
	const cpu = (microseconds / 1e6).toFixed(1);
	console.log(`${what}: ${seconds.toFixed(1)} s (${cpu} s of CPU), ${Math.round((kibibytes * 1024) / 1e6)} MB`);
}
