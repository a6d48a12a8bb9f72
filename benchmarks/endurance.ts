/**
 * What does a run leave behind when everything goes wrong? `npm run bench:endurance -- 200` compares two commits that often,
 * each time with a fault drawn from a seed: a kill -9 of any process of the run, Ctrl-C, a full disk, a clock that jumps. After
 * each run nothing may be left: no process, no temporary file, no worktree, no half-made entry of the cache.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createRandom } from '../src/stats/random.ts';
import { findProcesses } from '../test/support/act/processes.ts';

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const RUNS = Number(process.argv[2] ?? 200);
const SEED = Number(process.argv[3] ?? 1);
/** How long the watchdog may take to clean up after a kill. */
const PATIENCE_MS = 20_000;

const KILLS = {
	'kill -9 of benchgate': /dist\/cli\.js compare/,
	'kill -9 of the generator': /dist\/generator\.cjs/,
	'kill -9 of the watchdog': /dist\/watchdog\.js/,
	'kill -9 of a server': /server\.mjs/,
	'kill -9 of any process': /./,
} as const;
const FAULTS = ['none', ...Object.keys(KILLS), 'Ctrl-C', 'full disk', 'clock jumps'] as const;
type FaultName = (typeof FAULTS)[number];

const random = createRandom(SEED).next;
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
const root = mkdtempSync(join(tmpdir(), 'benchgate-endurance-'));
const at = (name: string) => join(root, name);
const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';

interface Ended {
	readonly fault: FaultName;
	readonly exit: string;
	readonly left: readonly string[];
}

function git(...args: string[]): string {
	return execFileSync('git', ['-C', at('repository'), '-c', 'user.name=e', '-c', 'user.email=e@e', ...args], {
		encoding: 'utf8',
	}).trim();
}

function makeRepository(): void {
	for (const folder of ['repository', 'cache', 'disk']) mkdirSync(at(folder), { recursive: true });
	const server = `import { createServer } from 'node:http';
createServer((request, response) => response.end('ok')).listen(Number(process.env.PORT), process.env.HOST);
process.on('SIGTERM', () => process.exit(0));
`;
	const config = `servers:
  - { name: api, command: node server.mjs }
scenarios:
  - { name: ok, request: { path: / }, expect: { status: 200, text: ok }, load: { connections: 2 } }
prepare: node -e "setTimeout(() => {}, 300)"
budget: 1s
`;
	writeFileSync(at('repository/server.mjs'), server);
	writeFileSync(at('repository/benchgate.yml'), config);
	git('init', '--quiet', '--initial-branch=main');
	git('add', '--all');
	git('commit', '--quiet', '--message', 'base');
}

/** Without a cache of its own every run would find the sides of the run before. */
function commitHead(run: number): void {
	writeFileSync(at('repository/notes.md'), `${run}\n`);
	git('add', '--all');
	git('commit', '--quiet', '--message', `head ${run}`);
}

async function runOnce(run: number, fault: FaultName): Promise<Ended> {
	commitHead(run);
	const temporary = at(`tmp-${run}`);
	mkdirSync(temporary);
	const full = fault === 'full disk' && mountSmall();
	const child = spawn(process.execPath, [CLI, 'compare', '--base', 'HEAD~1', '--head', 'HEAD', '--rounds', '2'], {
		cwd: at('repository'),
		stdio: 'ignore',
		env: {
			PATH: process.env.PATH,
			HOME: root,
			TMPDIR: temporary,
			BENCHGATE_CACHE: full ? at('disk/cache') : at('cache'),
			...(fault === 'clock jumps' && fakeClock()),
		},
	});
	const ended = once(child, 'close');
	const timer = setTimeout(() => child.kill('SIGKILL'), 120_000);
	void strike(child, fault);
	const [code, signal] = await ended;
	clearTimeout(timer);
	const left = await leftovers(temporary);
	if (full) spawnSync('umount', [at('disk')]);
	rmSync(temporary, { recursive: true, force: true });
	return { fault, exit: String(code ?? signal), left };
}

/** A wall clock that is read from a file; the monotonic one stays, as on a machine whose time is set. */
function fakeClock(): Record<string, string> {
	writeFileSync(at('clock'), '+0');
	return {
		LD_PRELOAD: FAKETIME,
		FAKETIME_TIMESTAMP_FILE: at('clock'),
		FAKETIME_NO_CACHE: '1',
		DONT_FAKE_MONOTONIC: '1',
		FAKETIME_DONT_FAKE_MONOTONIC: '1',
	};
}

async function strike(child: ChildProcess, fault: FaultName): Promise<void> {
	await delay(random() * 5_000);
	if (child.exitCode !== null) return;
	if (fault === 'clock jumps') writeFileSync(at('clock'), pick(['+2d', '-2d', '+3600', '-30']));
	if (fault === 'Ctrl-C') child.kill('SIGINT');
	const pattern = KILLS[fault as keyof typeof KILLS];
	if (pattern === undefined) return;
	// Until one of that kind is there.
	for (let attempt = 0; attempt < 200 && child.exitCode === null && child.signalCode === null; attempt++) {
		const victims = findProcesses(root).filter(({ command }) => pattern.test(command));
		if (victims.length > 0) {
			try {
				process.kill(pick(victims).pid, 'SIGKILL');
			} catch {
				// It ended by itself.
			}
			return;
		}
		await delay(10);
	}
}

/** Mounts a disk of 4 MB, most of it taken; false where mounting is not permitted. */
function mountSmall(): boolean {
	if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', at('disk')]).status !== 0) return false;
	const { bavail, bsize } = statfsSync(at('disk'));
	writeFileSync(at('disk/ballast'), Buffer.alloc(Math.floor(bavail * bsize * (1 - 0.02 * random()))));
	return true;
}

async function leftovers(temporary: string): Promise<string[]> {
	const due = performance.now() + PATIENCE_MS;
	let left: string[] = [];
	while (performance.now() < due) {
		left = [
			...findProcesses(root).map(({ command }) => `process ${command.slice(0, 80)}`),
			...readdirSync(temporary).map((name) => `temporary file ${name}`),
			...git('worktree', 'list', '--porcelain')
				.split('\n\n')
				.slice(1)
				.map((text) => `worktree ${text.split('\n')[0]}`),
			...halfMade(),
		];
		if (left.length === 0) return [];
		await delay(100);
	}
	for (const { pid } of findProcesses(root)) process.kill(pid, 'SIGKILL');
	git('worktree', 'prune');
	return left;
}

/** Locks, and checkouts that are neither complete nor in use. */
function halfMade(): string[] {
	const folder = at('cache/checkouts');
	if (!existsSync(folder)) return [];
	const names = readdirSync(folder);
	return names
		.filter((name) => name.endsWith('.lock') || (/^[0-9a-f]{64}$/.test(name) && !names.includes(`${name}.json`)))
		.map((name) => `cache entry ${name}`);
}

makeRepository();
const results: Ended[] = [];
const faults = existsSync(FAKETIME) ? FAULTS : FAULTS.filter((name) => name !== 'clock jumps');
try {
	for (let run = 1; run <= RUNS; run++) {
		const result = await runOnce(run, pick(faults));
		results.push(result);
		if (result.left.length > 0) console.error(`run ${run}, ${result.fault}, left: ${result.left.join('; ')}`);
		if (run % 20 === 0) console.error(`${run} of ${RUNS}`);
	}
} finally {
	rmSync(root, { recursive: true, force: true });
}
console.log('| fault | runs | exit codes | runs that left something |\n| --- | ---: | --- | ---: |');
for (const fault of faults) {
	const own = results.filter((result) => result.fault === fault);
	const exits = [...Map.groupBy(own, ({ exit }) => exit)].map(([exit, all]) => `${all.length} × ${exit}`).sort();
	console.log(
		`| ${fault} | ${own.length} | ${exits.join(', ')} | ${own.filter(({ left }) => left.length > 0).length} |`,
	);
}
process.exitCode = results.some(({ left }) => left.length > 0) ? 1 : 0;
