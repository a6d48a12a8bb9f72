/** Other load generators, each in a closed loop of its own: what they make of the same answerer. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Affinity } from '../src/measure/affinity.ts';

export interface Measured {
	/** Answers a second. */
	readonly rate: number;
	/** CPU time of the generator for each answer. */
	readonly cpuMicroseconds: number;
}

export interface Driver {
	readonly name: string;
	measure(origin: string): Measured;
}

interface Load {
	readonly affinity: Affinity;
	readonly connections: number;
	readonly seconds: number;
}

/** Returns those that are installed; says of the others how they can be. */
export function findDrivers(load: Load): { found: Driver[]; missing: string[] } {
	const optional = [
		{ command: 'wrk', get: 'the Debian package wrk', driver: wrk(load) },
		{ command: 'k6', get: 'go install go.k6.io/k6@latest', driver: k6(load) },
	];
	const isThere = (command: string) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;
	return {
		found: [autocannon(load), ...optional.filter(({ command }) => isThere(command)).map(({ driver }) => driver)],
		missing: optional.filter(({ command }) => !isThere(command)).map(({ command, get }) => `${command} (${get})`),
	};
}

function autocannon({ affinity, connections, seconds }: Load): Driver {
	const program = fileURLToPath(new URL('plain-autocannon.mjs', import.meta.url));
	return {
		name: 'autocannon',
		measure(origin) {
			const argv = [process.execPath, program, origin, String(connections), String(seconds)];
			const { stdout } = run(affinity.pin('generator', argv));
			const told = JSON.parse(stdout) as { requests: number; seconds: number; cpuSeconds: number };
			return { rate: told.requests / told.seconds, cpuMicroseconds: (1e6 * told.cpuSeconds) / told.requests };
		},
	};
}

function wrk({ affinity, connections, seconds }: Load): Driver {
	return {
		name: 'wrk',
		measure(origin) {
			const { stdout, cpuSeconds } = run(
				affinity.pin('generator', ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, origin]),
			);
			const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
			const total = Number(/(\d+) requests in/.exec(stdout)?.[1]);
			return { rate, cpuMicroseconds: (1e6 * cpuSeconds) / total };
		},
	};
}

function k6({ affinity, connections, seconds }: Load): Driver {
	const script = fileURLToPath(new URL('k6-script.js', import.meta.url));
	return {
		name: 'k6 (its start included)',
		measure(origin) {
			const summary = join(tmpdir(), `benchgate-k6-${process.pid}.json`);
			const options = ['--quiet', '--no-usage-report', '--vus', String(connections), '--duration', `${seconds}s`];
			const argv = ['k6', 'run', ...options, '--summary-export', summary, '--env', `ORIGIN=${origin}`, script];
			const { cpuSeconds } = run(affinity.pin('generator', argv));
			const { metrics } = JSON.parse(readFileSync(summary, 'utf8')) as {
				metrics: { http_reqs: { count: number; rate: number } };
			};
			const { count, rate } = metrics.http_reqs;
			return { rate, cpuMicroseconds: (1e6 * cpuSeconds) / count };
		},
	};
}

/** Runs a command; the shell's own `times` gives the CPU time of its children. */
function run(argv: readonly string[]): { stdout: string; cpuSeconds: number } {
	const { stdout, stderr, status } = spawnSync('bash', ['-c', '"$@"; code=$?; times; exit $code', 'bash', ...argv], {
		encoding: 'utf8',
	});
	if (status !== 0) throw new Error(`${argv.join(' ')} did not run: ${stderr}`);
	const cpu = [...(stdout.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
	return {
		stdout: stdout.split('\n').slice(0, -3).join('\n'),
		cpuSeconds: cpu.reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0),
	};
}
