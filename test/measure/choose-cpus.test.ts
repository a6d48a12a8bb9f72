/** Machines as their kernels describe them, in trees of files. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { describeChoice } from '../../src/measure/affinity.ts';
import { type CpuChoice, chooseCpus, parseCpuList, readCpuFacts } from '../../src/measure/choose-cpus.ts';

interface Machine {
	readonly allowed: string;
	/** `thread_siblings_list` of each CPU that has one. */
	readonly siblings: Readonly<Record<number, string>>;
	readonly choice: CpuChoice | null;
}

const MACHINES: Readonly<Record<string, Machine>> = {
	'a hosted runner whose two CPUs are threads of one core': {
		allowed: '0-1',
		siblings: { 0: '0-1', 1: '0-1' },
		choice: { server: 0, generator: 1, oneCore: true },
	},
	'two cores of one thread': {
		allowed: '0-1',
		siblings: { 0: '0', 1: '1' },
		choice: { server: 0, generator: 1, oneCore: false },
	},
	'a hosted runner of four: neighbours are threads of one core': {
		allowed: '0-3',
		siblings: { 0: '0-1', 1: '0-1', 2: '2-3', 3: '2-3' },
		choice: { server: 0, generator: 2, oneCore: false },
	},
	'a desktop: the second threads have the second half of the numbers': {
		allowed: '0-7',
		siblings: Object.fromEntries(Array.from({ length: 8 }, (_, cpu) => [cpu, `${cpu % 4},${(cpu % 4) + 4}`])),
		choice: { server: 0, generator: 1, oneCore: false },
	},
	'a container that may use both threads of one core of many': {
		allowed: '3,7',
		siblings: { 3: '3,7', 7: '3,7' },
		choice: { server: 3, generator: 7, oneCore: true },
	},
	'a container that may use parts of two cores': {
		allowed: '3,7,9',
		siblings: { 3: '3,7', 7: '3,7', 9: '1,9' },
		choice: { server: 3, generator: 9, oneCore: false },
	},
	'arm64, where every CPU is a core': {
		allowed: '0-3',
		siblings: { 0: '0', 1: '1', 2: '2', 3: '3' },
		choice: { server: 0, generator: 1, oneCore: false },
	},
	'a sandbox that hides the topology': {
		allowed: '0-1',
		siblings: {},
		choice: { server: 0, generator: 1, oneCore: false },
	},
	'a kernel that says it of one thread only': {
		allowed: '0-2',
		siblings: { 1: '0-1' },
		choice: { server: 0, generator: 2, oneCore: false },
	},
	'one CPU': { allowed: '5', siblings: { 5: '5' }, choice: null },
};

for (const [name, { allowed, siblings, choice }] of Object.entries(MACHINES)) {
	test(`servers and generator get CPUs of their own: ${name}`, () => {
		const root = mkdtempSync(join(tmpdir(), 'benchgate-test-'));
		const write = (path: string, text: string) => {
			mkdirSync(dirname(join(root, path)), { recursive: true });
			writeFileSync(join(root, path), text);
		};
		try {
			write('proc/self/status', `Name:\tnode\nCpus_allowed:\tff\nCpus_allowed_list:\t${allowed}\nMems_allowed:\t1\n`);
			for (const [cpu, list] of Object.entries(siblings)) {
				write(`sys/devices/system/cpu/cpu${cpu}/topology/thread_siblings_list`, `${list}\n`);
			}
			assert.deepEqual(chooseCpus(readCpuFacts(root)), choice);
		} finally {
			rmSync(root, { recursive: true });
		}
	});
}

test('a platform without these files has no choice', () => {
	assert.equal(chooseCpus(readCpuFacts('/nowhere')), null);
});

test('the report says when the generator sits on the same core', () => {
	assert.equal(
		describeChoice({ server: 0, generator: 2, oneCore: false }),
		'both servers on CPU 0, generator on CPU 2',
	);
	assert.match(
		describeChoice({ server: 0, generator: 1, oneCore: true }),
		/generator on CPU 1, which is another hardware thread of the same core$/,
	);
});

test('lists of CPUs are read as the kernel writes them', () => {
	assert.deepEqual(parseCpuList('0-3,8\n'), [0, 1, 2, 3, 8]);
	assert.deepEqual(parseCpuList(''), []);
});
