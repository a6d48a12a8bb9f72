/**
 * What does a failing run leave behind? `npm run bench:endurance -- 200 1` makes 200 comparisons, on the command line
 * and in the action, each with a fault drawn from the seed 1, and prints a table. No run may leave a process, user,
 * file, worktree, mount, check in progress or "measuring" comment, or an incomplete stored file. A third number is the
 * first comparison to make, to repeat one: `-- 37 1 37`.
 */
import type { ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createRandom } from '../src/stats/random.ts';
import { ISOLATION_LEVELS, type IsolationLevel } from '../src/types/isolation.ts';
import { type Head, makeTinyFramework } from '../test/support/act/tiny-framework.ts';
import { makeEnclosure } from './endurance/enclosure.ts';
import { type Disk, type FaultName, fakeClock, mountDisk, pick, possibleFaults, strike } from './endurance/faults.ts';
import { type Ended, PROGRAMS, type ProgramName, RUNNERS } from './endurance/programs.ts';
import { fillRunFolder, findFiles, type RunFolder, removeRunFolder } from './endurance/run-folder.ts';
import { RunLengths } from './endurance/run-lengths.ts';

const [COUNT = 200, SEED = 1, FIRST = 1] = process.argv.slice(2).map(Number);
/** Time that a watchdog has to clean up after a kill. */
const PATIENCE_MS = 30_000;
const POLL_MS = 100;
const HEADS: readonly Head[] = ['equal', 'equal', 'slower', 'crashing', 'broken', 'unbuildable'];

interface Report extends Ended {
	readonly fault: FaultName;
	readonly program: ProgramName;
	/** The fault came before the end of the run. */
	readonly struck: boolean;
	readonly left: readonly string[];
}

const root = mkdtempSync(join(tmpdir(), 'benchgate-endurance-'));
// Lets the sides' users enter.
chmodSync(root, 0o755);
const tiny = makeTinyFramework(join(root, 'tiny'));
const faults = possibleFaults();
const levels = process.getuid?.() === 0 ? ISOLATION_LEVELS : (['none'] as const);
const lengths = new RunLengths();

async function runOnce(id: number): Promise<Report> {
	const random = createRandom(SEED, id);
	const fault = pick(faults, random);
	const program = pick(PROGRAMS, random);
	const level = random.coin() ? 'none' : pick<IsolationLevel>(levels, random);
	const head = pick(HEADS, random);
	const path = join(root, `run-${id}`);
	mkdirSync(path);
	const disk = fault === 'full disk' ? mountDisk(path, random) : null;
	const folder = fillRunFolder(path, tiny, tiny.merges[head]);
	const enclosure = makeEnclosure(`benchgate-endurance-${process.pid}-${id}`, path);
	const clock = join(root, 'clock');
	const env = fault === 'clock jumps' ? fakeClock(clock) : {};
	const kind = { program, level, head };
	const after = random.next() * lengths.expect(kind);
	let livedMs = 0;
	let striking = Promise.resolve(false);
	const onStart = (child: ChildProcess) => {
		const started = performance.now();
		child.once('exit', () => {
			livedMs = performance.now() - started;
		});
		const victim = {
			pid: child.pid ?? 0,
			processes: enclosure.list,
			interrupt: () => void child.kill('SIGINT'),
			hasEnded: () => child.exitCode !== null || child.signalCode !== null,
			clock,
			disk: disk?.path ?? '',
		};
		striking = delay(after).then(() => !victim.hasEnded() && strike(fault, victim, random));
	};
	const ended = await RUNNERS[program]({ folder, tiny, head, level, enclosure, env, id, onStart });
	const struck = await striking;
	lengths.learn(kind, livedMs, struck);
	disk?.makeRoom();
	const leftovers = await findLeft(folder, enclosure.list, fault, disk);
	for (const { pid } of enclosure.list()) process.kill(pid, 'SIGKILL');
	disk?.remove();
	const when = fault === 'none' ? '' : ` ${struck ? 'after' : 'too late, after'} ${(after / 1000).toFixed(1)} s`;
	const label = `${program} ${level} ${head}: ${fault}${when}`;
	console.error(`${id} ${label}: ${ended.exit}, ${(livedMs / 1000).toFixed(1)} s`);
	for (const bad of [...leftovers, ...ended.broken]) console.error(`    ${bad}`);
	for (const due = performance.now() + PATIENCE_MS; enclosure.list().length > 0 && performance.now() < due; )
		await delay(20);
	removeRunFolder({ path });
	enclosure.remove();
	return { ...ended, fault, program, struck, left: leftovers };
}

/** Killed processes, and the clean-up of a watchdog, take a moment. */
async function findLeft(
	folder: RunFolder,
	list: () => { readonly command: string }[],
	fault: FaultName,
	disk: Disk | null,
): Promise<string[]> {
	for (const due = performance.now() + PATIENCE_MS; ; await delay(POLL_MS)) {
		const leftovers = [
			...list().map(({ command }) => `process ${command.slice(0, 100)}`),
			...findMounts(folder, disk),
			...findFiles(folder, { halfMade: fault === 'full disk' }),
		];
		if (leftovers.length === 0 || performance.now() > due) return leftovers;
	}
}

function findMounts({ path }: RunFolder, disk: Disk | null): string[] {
	const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
	return mounts
		.map((line) => line.split(' ')[4] ?? '')
		.filter((at) => at.startsWith(path) && at !== disk?.path.replace(/\/$/, ''))
		.map((at) => `mount ${at}`);
}

function print(reports: readonly Report[]): void {
	const columns = ['fault', 'comparisons', 'by the action', 'struck', 'exit codes'];
	console.log(`| ${columns.join(' | ')} | left something | half-written or unconcluded |`);
	console.log('| --- | ---: | ---: | ---: | --- | ---: | ---: |');
	for (const fault of [...faults, 'all']) {
		const group = fault === 'all' ? reports : reports.filter((report) => report.fault === fault);
		const exits = [...Map.groupBy(group, ({ exit }) => exit)].map(([exit, all]) => `${all.length} × ${exit}`).sort();
		const count = (holds: (report: Report) => boolean) => group.filter(holds).length;
		const hit = fault === 'none' ? '' : count(({ struck }) => struck);
		const cells = [fault, group.length, count(({ program }) => program === 'action'), hit, exits.join(', ')];
		const bad = [count(({ left }) => left.length > 0), count(({ broken }) => broken.length > 0)];
		console.log(`| ${[...cells, ...bad].join(' | ')} |`);
	}
}

const reports: Report[] = [];
console.error(`seed ${SEED}, comparisons ${FIRST} to ${COUNT}, in ${root}`);
try {
	for (let id = FIRST; id <= COUNT; id++) reports.push(await runOnce(id));
} finally {
	print(reports);
	rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}
process.exitCode = reports.some(({ left, broken }) => left.length + broken.length > 0) ? 1 : 0;
