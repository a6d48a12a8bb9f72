/**
 * Does the orchestrator of a ranking grow with the matrix? Scripted rounds of real size, without servers or generator.
 * Prints for each number of servers the used heap after garbage collection, its part per row and round, the log in a
 * folder of `--out`, and the orchestrator's CPU time per pair of processes. Then makes a real comparison of small
 * servers by `dist/cli.js`, and prints the orchestrator's memory peak with its mappings at that moment.
 * Options: --servers 3,12,48 --scenarios 12 --rounds 6 --windows 24 --cells 24 --live-rounds 2 (--cells 0: no real
 * comparison)
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { dataOf } from '../src/rank/read-log.ts';
import { summariseRanking } from '../src/rank/summarise-ranking.ts';
import { measurePairs } from '../src/runs/ranking/measure-pairs.ts';
import { LOG_FILE, openMeasureStore } from '../src/runs/ranking/ranking-store.ts';
import { git } from '../test/prepare/support.ts';
import { scriptMatrix } from '../test/support/scripted-matrix.ts';

const { values: flags } = parseArgs({
	options: {
		servers: { type: 'string', default: '3,12,48' },
		scenarios: { type: 'string', default: '12' },
		rounds: { type: 'string', default: '6' },
		windows: { type: 'string', default: '24' },
		cells: { type: 'string', default: '24' },
		'live-rounds': { type: 'string', default: '2' },
	},
});
const [scenarios, rounds, windows] = [flags.scenarios, flags.rounds, flags.windows].map(Number) as [
	number,
	number,
	number,
];
const { gc } = globalThis;
if (gc === undefined) throw new Error('run it with node --expose-gc');

/** Used bytes after garbage collection. */
function heap(): number {
	for (let time = 0; time < 3; time++) gc?.();
	return process.memoryUsage().heapUsed;
}

const table = [];
for (const servers of flags.servers.split(',').map(Number)) {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-matrix-'));
	try {
		const before = heap();
		const { header, session, groups, laboratory } = scriptMatrix({ servers, scenarios, windows });
		const store = await openMeasureStore(folder, header);
		await store.append(session);
		const rule = { precision: 0.04, rounds: { fewest: rounds, most: rounds }, progress: { step() {}, status() {} } };
		const { signal } = new AbortController();
		const began = process.cpuUsage();
		await measurePairs(groups, () => laboratory, store, { ...rule, signal, clock: () => 0 });
		const { user, system } = process.cpuUsage(began);
		const used = heap() - before;
		const start = process.cpuUsage();
		const { rows } = summariseRanking(dataOf(store.log()));
		const summarising = process.cpuUsage(start);
		const turns = servers * scenarios * rounds;
		table.push({
			servers,
			rows: rows.length,
			rounds,
			'heap, MB': Number((used / 1e6).toFixed(1)),
			'heap a row and round, KB': Number((used / turns / 1e3).toFixed(2)),
			'log, MB': Number((statSync(join(folder, LOG_FILE)).size / 1e6).toFixed(1)),
			'CPU a pair, ms': Number(((user + system) / 1e3 / (servers * rounds)).toFixed(1)),
			'CPU of the result, ms': Number(((summarising.user + summarising.system) / 1e3).toFixed(0)),
		});
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
console.table(table);
console.log(`${scenarios} scenarios, ${windows} windows a turn; CPU a pair has the making of scripted rounds in it.`);

const SERVER = `require('node:http')
	.createServer((request, response) => {
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify({ path: request.url }));
	})
	.listen(Number(process.env.PORT), process.env.HOST);
process.on('SIGTERM', () => process.exit(0));
`;
const SCENARIOS_EACH = 6;
const SAMPLE_MS = 250;

/** Creates a repository of two commits with servers for this number of cells. */
function makeRepository(folder: string, cells: number): void {
	const servers = Array.from({ length: Math.ceil(cells / SCENARIOS_EACH) }, (_, at) => ({
		...{ name: `server-${at}`, command: 'node server.js', cwd: '.' },
	}));
	const scenarios = Array.from({ length: Math.min(cells, SCENARIOS_EACH) }, (_, at) => ({
		...{ name: `scenario-${at}`, request: { method: 'GET', path: `/${at}` }, expect: { status: 200 } },
	}));
	writeFileSync(join(folder, 'benchgate.yml'), JSON.stringify({ servers, scenarios, warmup: '200ms', seed: 1 }));
	git(folder, 'init', '--quiet');
	for (const commit of ['base', 'head']) {
		writeFileSync(join(folder, 'server.js'), `${SERVER}// ${commit}\n`);
		git(folder, 'add', '--all');
		git(folder, 'commit', '--quiet', '-m', commit);
	}
}

/** Memory of a process by purpose (KB), from its mappings in /proc. */
function readMappings(pid: number): Map<string, number> {
	const held = new Map<string, number>();
	let holder = '';
	for (const line of readFileSync(`/proc/${pid}/smaps`, 'utf8').split('\n')) {
		const [, mode = '', path] = /^[0-9a-f]+-[0-9a-f]+ (\S+) \S+ \S+ \S+ *(.*)$/.exec(line) ?? [];
		if (path !== undefined) holder = holderOf(path, mode);
		const kilobytes = /^Rss: +(\d+)/.exec(line)?.[1];
		if (kilobytes !== undefined) held.set(holder, (held.get(holder) ?? 0) + Number(kilobytes));
	}
	return held;
}

function holderOf(path: string, mode: string): string {
	if (path === '[heap]') return 'allocated in C++: sources, compiled code of the bundle, buffers';
	if (path.startsWith('/')) return 'programs and libraries, shared with every Node process';
	return mode.includes('x') ? 'machine code' : 'objects of JavaScript, stacks';
}

/** Runs a real comparison, and prints the orchestrator's mappings at its memory peak. */
async function measureLive(cells: number): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-matrix-live-'));
	try {
		makeRepository(folder, cells);
		const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
		const sides = [
			'compare',
			'--base',
			'HEAD~1',
			'--head',
			'HEAD',
			'--rounds',
			flags['live-rounds'],
			'--skip-unaffected',
			'false',
		];
		const child = spawn(process.execPath, [cli, ...sides, '--isolation', 'none'], {
			...{
				cwd: folder,
				stdio: ['ignore', 'ignore', 'inherit'],
				env: { ...process.env, BENCHGATE_CACHE: join(folder, '.cache') },
			},
		});
		let ended = false;
		const exit = once(child, 'exit').finally(() => {
			ended = true;
		});
		let most = new Map<string, number>();
		const sum = (held: ReadonlyMap<string, number>) => [...held.values()].reduce((all, one) => all + one, 0);
		while (!ended) {
			try {
				const held = readMappings(child.pid ?? 0);
				if (sum(held) > sum(most)) most = held;
			} catch {
				// It has ended.
			}
			await Promise.race([exit, delay(SAMPLE_MS)]);
		}
		const [code] = await exit;
		if (code !== 0 && code !== 1) throw new Error(`the comparison ended with exit code ${code}`);
		const inMegabytes = (kilobytes: number) => Number(((kilobytes * 1024) / 1e6).toFixed(1));
		const rows = [...most].toSorted((one, other) => other[1] - one[1]);
		console.table(rows.map(([holder, held]) => ({ 'held by': holder, MB: inMegabytes(held) })));
		console.log(`${inMegabytes(sum(most))} MB at most for ${cells} cells of a comparison.`);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

if (Number(flags.cells) > 0) await measureLive(Number(flags.cells));
