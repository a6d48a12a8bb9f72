/** Loads one server with wrk, and reads the clocks of both around it. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scrubEnvironment } from '../../process/environment.ts';
import { listTree, readIdle, readTreeTimes, type TreeTimes, usedBetween } from '../../process/process-tree.ts';
import { signalGroup } from '../../process/processes.ts';
import type { Load } from '../../types/config.ts';
import { EXIT, UserError } from '../../types/errors.ts';
import type { Window, WindowSide } from '../../types/round.ts';
import type { Janitor } from '../../types/run-services.ts';
import type { Seconds, Side } from '../../types/units.ts';
import type { Affinity } from '../affinity.ts';
import type { Target } from '../generator/messages.ts';
import { readWrk, type WrkReport, wrkScript } from './wrk-output.ts';

const WRK = 'wrk';
/** How often it is read what wrk itself uses: at its end nobody can ask any more. */
const LOOK_MS = 100;
const OUTPUT_LIMIT = 64 * 1024 * 1024;

export interface WrkLoad {
	readonly target: Target;
	readonly side: Side;
	readonly load: Pick<Load, 'connections' | 'pipelining'>;
	readonly seconds: Seconds;
	/** Whether answers from 400 on are right ones. */
	readonly refusals: boolean;
	readonly runStartedAt: number;
}

/** Throws UserError `no-driver` where wrk is not installed. */
export function requireWrk(): void {
	const { error } = spawnSync(WRK, ['-v'], { stdio: 'ignore' });
	if (error === undefined) return;
	throw new UserError({
		code: 'no-driver',
		where: '--driver wrk',
		message: 'the program wrk is not installed',
		remedy:
			'install it (Debian and Ubuntu: apt-get install wrk), or leave --driver out: benchgate loads the servers then',
		exitCode: EXIT.usage,
	});
}

/**
 * Loads one server for so long and returns what wrk saw as a solo window. Throws UserError `driver-failed` when wrk did not run to its
 * end, and the reason of `signal` when that aborts.
 */
export async function runWrk(
	{ target, side, load, seconds, refusals, runStartedAt }: WrkLoad,
	affinity: Affinity,
	janitor: Janitor,
	signal: AbortSignal,
): Promise<Window> {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-wrk-'));
	const release = janitor.guardDirectory(folder);
	try {
		const script = join(folder, 'load.lua');
		writeFileSync(script, wrkScript(target.request, load.pipelining));
		const url = `${target.origin}${target.request.path}`;
		const argv = ['-t', '1', '-c', String(load.connections), '-d', `${Math.ceil(seconds)}s`, '-s', script, url];
		const startedAt = (Date.now() - runStartedAt) / 1000;
		const idle = () => (affinity.serverCpu === null ? null : readIdle(affinity.serverCpu));
		const first = { tree: readTreeTimes(listTree(target.pid)), idle: idle() };
		const { report, used } = await run(affinity.pin('generator', [WRK, ...argv]), janitor, signal);
		const last = { tree: readTreeTimes(listTree(target.pid)), idle: idle() };
		const window: WindowSide = {
			seconds: report.seconds,
			completed: report.completed,
			bytes: report.bytes,
			statuses: {},
			unexpected: refusals ? 0 : report.refused,
			errors: report.errors,
			cpuSeconds: first.tree.size === 0 || last.tree.size === 0 ? null : usedBetween(first.tree, last.tree),
			latency: report.latency,
		};
		return {
			...{ kind: 'solo', startedAt, base: null, head: null, [side]: window },
			generatorUtilisation: Math.min(1, used / report.seconds),
			generatorCpuSeconds: used,
			otherCpu: null,
			serverCpuIdle: first.idle === null || last.idle === null ? null : last.idle - first.idle,
		};
	} finally {
		rmSync(folder, { recursive: true, force: true });
		release();
	}
}

/** Runs wrk to its end; `used` is its CPU time. */
async function run(
	[program = WRK, ...rest]: readonly string[],
	janitor: Janitor,
	signal: AbortSignal,
): Promise<{ report: WrkReport; used: Seconds }> {
	signal.throwIfAborted();
	const child = spawn(program, rest, {
		detached: true,
		stdio: ['ignore', 'pipe', 'pipe'],
		env: scrubEnvironment(process.env, 'serve'),
	});
	const release = child.pid === undefined ? () => {} : janitor.guardGroup(child.pid);
	let [output, errors] = ['', ''];
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		if (output.length < OUTPUT_LIMIT) output += text;
	});
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		errors = (errors + text).slice(-2_000);
	});
	let times: TreeTimes = new Map();
	const looking = setInterval(() => {
		const now = readTreeTimes([child.pid ?? 0]);
		if (now.size > 0) times = now;
	}, LOOK_MS);
	const stop = () => child.pid !== undefined && signalGroup(child.pid, 'SIGKILL');
	signal.addEventListener('abort', stop, { once: true });
	try {
		const code = await new Promise<number | null>((resolve, reject) => {
			child.once('close', resolve);
			child.once('error', reject);
		});
		signal.throwIfAborted();
		const report = code === 0 ? readWrk(output) : null;
		if (report !== null) return { report, used: usedBetween(new Map(), times) };
		throw new UserError({
			code: 'driver-failed',
			where: '--driver wrk',
			message: `wrk ended with ${code === null ? 'a signal' : `exit code ${code}`} and without a result`,
			details: errors || output.slice(-2_000),
			remedy: 'run it again, or leave --driver out: benchgate loads the servers then',
			exitCode: EXIT.nothingMeasured,
		});
	} finally {
		signal.removeEventListener('abort', stop);
		clearInterval(looking);
		release();
	}
}
