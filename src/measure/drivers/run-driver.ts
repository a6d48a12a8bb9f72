/** Loads one server with a program other than ours. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { QUESTION_MS } from '../../process/deadline.ts';
import { scrubEnvironment } from '../../process/environment.ts';
import {
	listTree,
	readIdle,
	readMemoryPeak,
	readResident,
	readTreeTimes,
	type TreeTimes,
	usedBetween,
} from '../../process/process-tree.ts';
import { signalGroup } from '../../process/processes.ts';
import { EXIT, UserError } from '../../types/errors.ts';
import { type DriverName, type OtherDriver, OWN_DRIVER } from '../../types/ranking/ranking-setup.ts';
import type { Window, WindowSide } from '../../types/round.ts';
import type { Janitor } from '../../types/run-services.ts';
import type { Seconds } from '../../types/units.ts';
import type { Affinity } from '../affinity.ts';
import { type Generator, TurnFailed } from '../generator-process.ts';
import { AUTOCANNON } from './autocannon.ts';
import type { DriverLoad, DriverProgram } from './driver-program.ts';
import { K6 } from './k6.ts';
import { WRK } from './wrk.ts';

export const PROGRAMS: Readonly<Record<OtherDriver, DriverProgram>> = {
	autocannon: AUTOCANNON,
	wrk: WRK,
	k6: K6,
};

/** Polled: the program's CPU time cannot be read once it ends. */
const LOOK_MS = 100;
const OUTPUT_LIMIT = 64 * 1024 * 1024;
const ERRORS_LIMIT = 2_000;
/** Time allowed beyond twice the ordered duration. */
const SLACK_MS = 60_000;

export function isDriverInstalled(driver: OtherDriver): boolean {
	return spawnSync(driver, PROGRAMS[driver].probe, { stdio: 'ignore', timeout: QUESTION_MS }).error === undefined;
}

/** Throws UserError `no-driver` unless the program is installed. */
export function requireDriver(driver: DriverName): void {
	if (driver === OWN_DRIVER || isDriverInstalled(driver)) return;
	const { remedy } = PROGRAMS[driver];
	throw new UserError({
		code: 'no-driver',
		where: `--driver ${driver}`,
		message: `the program ${driver} is not installed`,
		remedy: `install it (${remedy}), or leave --driver out: benchgate loads the servers then`,
		exitCode: EXIT.usage,
	});
}

/**
 * Returns the load of one server as a solo window. Throws UserError `driver-failed` on failure or timeout, or the abort
 * reason.
 */
export async function runDriver(
	driver: OtherDriver,
	order: DriverLoad,
	affinity: Affinity,
	janitor: Janitor,
	signal: AbortSignal,
	slackMs = SLACK_MS,
): Promise<Window> {
	const program = PROGRAMS[driver];
	const folder = mkdtempSync(join(tmpdir(), `benchgate-${driver}-`));
	const release = janitor.guardDirectory(folder);
	try {
		const script = join(folder, program.file);
		writeFileSync(script, program.script(order));
		const command = program.command ?? [driver];
		const argv = affinity.pin('generator', [...command, ...program.argv(order, script)]);
		const mostMs = 2_000 * order.seconds + slackMs;
		const { output, clocks } = await run(driver, argv, () => readClocks(order, affinity), janitor, signal, mostMs);
		const report = program.read(output, order);
		if (report === null) throw failed(driver, 'ended without a result', output.slice(-ERRORS_LIMIT));
		const { first, last } = clocks;
		const { seconds, completed, bytes, statuses, unexpected, errors, timeouts, latency, perSecond } = report;
		const isSeen = first.server.size > 0 && last.server.size > 0;
		const cpuSeconds = isSeen ? usedBetween(first.server, last.server) : null;
		const window: WindowSide = {
			...{ seconds, completed, bytes, statuses, unexpected, errors, cpuSeconds, latency },
			...(timeouts !== undefined && { timeouts }),
			...(perSecond && { perSecond }),
		};
		const used = usedBetween(first.own, last.own);
		return {
			...{
				kind: 'solo',
				startedAt: first.at - order.runStartedAt / 1000,
				base: null,
				head: null,
				[order.side]: window,
			},
			generatorUtilisation: Math.min(1, used / seconds),
			generatorCpuSeconds: used,
			otherCpu: null,
			serverCpuIdle: first.idle === null || last.idle === null ? null : last.idle - first.idle,
		};
	} finally {
		rmSync(folder, { recursive: true, force: true });
		release();
	}
}

interface Clocks {
	/** Time since the epoch. */
	readonly at: Seconds;
	readonly server: TreeTimes;
	readonly idle: Seconds | null;
	/** CPU times of the program. */
	readonly own: TreeTimes;
}

function readClocks({ target }: DriverLoad, { serverCpu }: Affinity): Omit<Clocks, 'own'> {
	return {
		at: Date.now() / 1000,
		server: readTreeTimes(listTree(target.pid)),
		idle: serverCpu === null ? null : readIdle(serverCpu),
	};
}

interface Ran {
	readonly output: string;
	/** From the first mark to the last; without marks, from start to end. */
	readonly clocks: { readonly first: Clocks; readonly last: Clocks };
}

async function run(
	driver: OtherDriver,
	[file = driver, ...args]: readonly string[],
	read: () => Omit<Clocks, 'own'>,
	janitor: Janitor,
	signal: AbortSignal,
	mostMs: number,
): Promise<Ran> {
	signal.throwIfAborted();
	const { marks } = PROGRAMS[driver];
	const began = { ...read(), own: new Map() as TreeTimes };
	const child = spawn(file, args, {
		detached: true,
		stdio: ['ignore', 'pipe', 'pipe'],
		env: scrubEnvironment(process.env, 'serve'),
	});
	const release = child.pid === undefined ? () => {} : janitor.guardGroup(child.pid);
	let output = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		if (output.length < OUTPUT_LIMIT) output += text;
	});
	const watched = watch(child, began, read, marks);
	const stop = () => child.pid !== undefined && signalGroup(child.pid, 'SIGKILL');
	signal.addEventListener('abort', stop, { once: true });
	let isLate = false;
	const late = setTimeout(() => {
		isLate = true;
		stop();
	}, mostMs);
	try {
		const code = await new Promise<number | null>((resolve, reject) => {
			child.once('close', resolve);
			child.once('error', reject);
		});
		signal.throwIfAborted();
		const { errors, clocks } = watched.end();
		const ended = code === null ? 'ended with a signal' : `ended with exit code ${code}`;
		const how = isLate ? `did not end within ${Math.round(mostMs / 1000)} s` : ended;
		if (code !== 0) throw failed(driver, how, errors || output.slice(-ERRORS_LIMIT));
		return { output, clocks };
	} finally {
		clearTimeout(late);
		signal.removeEventListener('abort', stop);
		watched.end();
		release();
	}
}

function watch(
	child: ChildProcess,
	began: Clocks,
	read: () => Omit<Clocks, 'own'>,
	marks: DriverProgram['marks'],
): { end(): { readonly errors: string; readonly clocks: Ran['clocks'] } } {
	let errors = '';
	let [first, last]: [Clocks, Clocks | null] = [began, null];
	let driverTimes: TreeTimes = new Map();
	const look = (): TreeTimes => {
		const now = readTreeTimes([child.pid ?? 0]);
		if (now.size > 0) driverTimes = now;
		return driverTimes;
	};
	const looking = setInterval(look, LOOK_MS);
	const lines = child.stderr && createInterface({ input: child.stderr });
	lines?.on('line', (line) => {
		if (line === marks?.began) first = { ...read(), own: look() };
		else if (line === marks?.ended) last = { ...read(), own: look() };
		else errors = `${errors}${line}\n`.slice(-ERRORS_LIMIT);
	});
	return {
		end() {
			clearInterval(looking);
			return { errors, clocks: { first, last: last ?? { ...read(), own: driverTimes } } };
		},
	};
}

function failed(driver: OtherDriver, how: string, details: string): UserError {
	return new UserError({
		code: 'driver-failed',
		where: `--driver ${driver}`,
		message: `${driver} ${how}`,
		details,
		remedy: 'run it again, or leave --driver out: benchgate loads the servers then',
		exitCode: EXIT.nothingMeasured,
	});
}

/**
 * Replaces solo windows by load from another program. Our generator still warms up, so the servers are equally warm.
 * Only for turns of one side. Throws TurnFailed if aborted.
 */
export function withDriver(driver: DriverName, generator: Generator, affinity: Affinity, janitor: Janitor): Generator {
	if (driver === OWN_DRIVER) return generator;
	return {
		pid: generator.pid,
		close: () => generator.close(),
		async runTurn(order, signal, onOpened, learn) {
			const { soloFirst: side, ...turn } = order.turn;
			const report = await generator.runTurn({ ...order, turn }, signal, onOpened, learn);
			if (side === undefined) return report;
			const { soloSeconds: seconds, stages } = order.timing;
			const { load, statuses, runStartedAt } = order;
			const target = order.targets[side];
			const driverLoad = { target, side, load, seconds, ...(stages && { stages }), statuses, runStartedAt };
			const window = await runDriver(driver, driverLoad, affinity, janitor, signal).catch((error) => {
				// Our generator throws the same error. The caller knows which process ended.
				throw signal.aborted ? new TurnFailed(`${driver} was stopped`) : error;
			});
			const tree = listTree(target.pid);
			const memoryAfterLoad = { ...report.memoryAfterLoad, [side]: readResident(tree) };
			const memoryPeak = { ...report.memoryPeak, [side]: readMemoryPeak(tree) };
			return { ...report, windows: [...report.windows, window], memoryAfterLoad, memoryPeak };
		},
	};
}
