/** Machines as their kernels describe them, in trees of files. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type CpuFacts, readCpuFacts } from '../../../src/measure/lanes/cpu-facts.ts';

export interface Machine {
	readonly allowed: string;
	/** List of the CPUs of a core, for each CPU whose kernel has one. */
	readonly siblings?: Readonly<Record<number, string>>;
	/** The older of the two names that the lists have. */
	readonly olderName?: true;
	/** Other files, by path. */
	readonly files?: Readonly<Record<string, string>>;
}

/** CPUs without a second thread. */
export function singles(count: number): Record<number, string> {
	return Object.fromEntries(Array.from({ length: count }, (_, cpu) => [cpu, `${cpu}`]));
}

/** Cores of two threads with neighbouring numbers: 0,1 and 2,3 and so on. */
export function neighbours(cpus: number): Record<number, string> {
	return Object.fromEntries(
		Array.from({ length: cpus }, (_, cpu) => [cpu, `${cpu - (cpu % 2)}-${cpu - (cpu % 2) + 1}`]),
	);
}

/** Cores of two threads whose second ones have the second half of the numbers: with four CPUs 0,2 and 1,3. */
export function halves(cpus: number): Record<number, string> {
	const half = cpus / 2;
	return Object.fromEntries(Array.from({ length: cpus }, (_, cpu) => [cpu, `${cpu % half},${(cpu % half) + half}`]));
}

/** Returns the facts read from the files of a machine. */
export function factsOf({ allowed, siblings = {}, olderName, files = {} }: Machine): CpuFacts {
	const root = mkdtempSync(join(tmpdir(), 'benchgate-test-'));
	const write = (path: string, text: string) => {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		writeFileSync(join(root, path), text);
	};
	try {
		write('proc/self/status', `Name:\tnode\nCpus_allowed:\tff\nCpus_allowed_list:\t${allowed}\nMems_allowed:\t1\n`);
		const name = olderName ? 'thread_siblings_list' : 'core_cpus_list';
		for (const [cpu, list] of Object.entries(siblings)) {
			write(`sys/devices/system/cpu/cpu${cpu}/topology/${name}`, `${list}\n`);
		}
		for (const [path, text] of Object.entries(files)) write(path, text);
		return readCpuFacts(root);
	} finally {
		rmSync(root, { recursive: true });
	}
}
