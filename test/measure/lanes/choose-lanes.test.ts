/** Lanes on machines of 2 to 64 CPUs, as their kernels describe them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeLane } from '../../../src/measure/affinity.ts';
import { chooseLanes, orchestratorCpus } from '../../../src/measure/lanes/choose-lanes.ts';
import { type CpuFacts, parseCpuList, readCpuFacts } from '../../../src/measure/lanes/cpu-facts.ts';
import type { LanesWish } from '../../../src/types/config.ts';
import { factsOf, halves, type Machine, neighbours, singles } from './machines.ts';

const GB = 1_000_000;
const memory = (gigabytes: number) => ({ 'proc/meminfo': `MemTotal:       ${gigabytes * GB} kB\nMemFree: 1 kB\n` });
/** A control group of version 2 whose parent is allowed fewer CPUs than itself. */
const VERSION_2 = {
	'proc/self/cgroup': '0::/pod/box\n',
	'sys/fs/cgroup/pod/cpu.max': '400000 100000\n',
	'sys/fs/cgroup/pod/box/cpu.max': 'max 100000\n',
};
/** One of version 1, in a container that sees its own group at the top. */
const VERSION_1 = {
	'proc/self/cgroup': '4:memory:/docker/abc\n3:cpu,cpuacct:/docker/abc\n9:name=systemd:/\n',
	'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us': '350000\n',
	'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us': '100000\n',
	'sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n',
};

interface Expected extends Machine {
	/** CPU of the servers and of the generator, of each lane of `auto`. */
	readonly auto: readonly (readonly [number, number])[];
	/** The same for `smt`; empty when absent. */
	readonly smt?: readonly (readonly [number, number])[];
	/** Of one lane: whether both CPUs belong to one core, and which ones share a core with a foreign thread. */
	readonly oneCore?: true;
	readonly exposed?: readonly number[];
}

const MACHINES: Readonly<Record<string, Expected>> = {
	'a hosted runner whose two CPUs are threads of one core': {
		allowed: '0-1',
		siblings: neighbours(2),
		auto: [[0, 1]],
		smt: [[0, 1]],
		oneCore: true,
	},
	'two cores of one thread': { allowed: '0-1', siblings: singles(2), auto: [[0, 1]] },
	'a hosted runner of four virtual CPUs, two physical cores': {
		allowed: '0-3',
		siblings: neighbours(4),
		auto: [[0, 2]],
		smt: [
			[0, 1],
			[2, 3],
		],
	},
	'the same with other numbers: siblings are not neighbours': {
		allowed: '0-3',
		siblings: halves(4),
		auto: [[0, 1]],
		smt: [
			[0, 2],
			[1, 3],
		],
	},
	'an older kernel, which has the older name of the file': {
		allowed: '0-3',
		siblings: halves(4),
		olderName: true,
		auto: [[0, 1]],
		smt: [
			[0, 2],
			[1, 3],
		],
	},
	'a desktop of four cores': {
		allowed: '0-7',
		siblings: halves(8),
		auto: [
			[0, 1],
			[2, 3],
		],
		smt: [
			[0, 4],
			[1, 5],
			[2, 6],
			[3, 7],
		],
	},
	'a hosted arm64 runner: every CPU is a core': {
		allowed: '0-3',
		siblings: singles(4),
		auto: [
			[0, 1],
			[2, 3],
		],
	},
	'five cores: the last has no partner': {
		allowed: '0-4',
		siblings: singles(5),
		auto: [
			[0, 1],
			[2, 3],
		],
	},
	'a server of 64 CPUs, 32 cores': {
		allowed: '0-63',
		siblings: halves(64),
		files: memory(256),
		auto: Array.from({ length: 16 }, (_, lane) => [2 * lane, 2 * lane + 1] as const),
		smt: Array.from({ length: 32 }, (_, lane) => [lane, lane + 32] as const),
	},
	'the same with little memory': {
		allowed: '0-63',
		siblings: halves(64),
		files: memory(7),
		auto: [
			[0, 1],
			[2, 3],
			[4, 5],
		],
		smt: [
			[0, 32],
			[1, 33],
			[2, 34],
		],
	},
	'a container with the time of four CPUs of sixteen': {
		allowed: '0-15',
		siblings: singles(16),
		files: VERSION_2,
		auto: [
			[0, 1],
			[2, 3],
		],
	},
	'a container with the time of three and a half': {
		allowed: '0-15',
		siblings: singles(16),
		files: VERSION_1,
		auto: [[0, 1]],
	},
	'a container with the time of one CPU': {
		allowed: '0-3',
		siblings: singles(4),
		files: { 'proc/self/cgroup': '0::/\n', 'sys/fs/cgroup/cpu.max': '100000 100000\n' },
		auto: [[0, 1]],
	},
	'a container that may use little memory': {
		allowed: '0-3',
		siblings: singles(4),
		files: { ...memory(64), 'proc/self/cgroup': '0::/a\n', 'sys/fs/cgroup/a/memory.max': '3000000000\n' },
		auto: [[0, 1]],
	},
	'a container that may use both threads of one core of many': {
		allowed: '3,7',
		siblings: { 3: '3,7', 7: '3,7' },
		auto: [[3, 7]],
		smt: [[3, 7]],
		oneCore: true,
	},
	'a container that may use parts of two cores': {
		allowed: '3,7,9',
		siblings: { 3: '3,7', 7: '3,7', 9: '1,9' },
		auto: [[3, 9]],
		smt: [[3, 7]],
		exposed: [9],
	},
	'a container whose first CPU shares its core with somebody else': {
		allowed: '1-5',
		siblings: neighbours(6),
		auto: [[2, 4]],
		smt: [
			[2, 3],
			[4, 5],
		],
	},
	'a kernel that says it of one thread only': { allowed: '0-2', siblings: { 1: '0-1' }, auto: [[0, 2]], smt: [[0, 1]] },
	'a sandbox that hides the topology': { allowed: '0-1', auto: [[0, 1]] },
	'one CPU': { allowed: '5', siblings: { 5: '5' }, auto: [] },
};

const pairsIn = (facts: CpuFacts, wish: LanesWish) =>
	chooseLanes(facts, wish).lanes.map(({ server, generator }) => [server, generator]);
const pairsOf = (machine: Machine, wish: LanesWish) => pairsIn(factsOf(machine), wish);

for (const [name, machine] of Object.entries(MACHINES)) {
	test(`lanes: ${name}`, () => {
		const facts = factsOf(machine);
		assert.deepEqual(pairsIn(facts, 'auto'), machine.auto);
		assert.deepEqual(pairsIn(facts, 'smt'), machine.smt ?? []);
		const { lanes } = chooseLanes(facts);
		assert.deepEqual(pairsIn(facts, 1), machine.auto.slice(0, 1), 'one lane is the first of many');
		if (lanes[0]) {
			const { oneCore, exposed } = lanes[0];
			assert.deepEqual([oneCore, exposed], [machine.oneCore ?? false, machine.exposed ?? []]);
		}
	});
}

test('no two lanes have a core in common, and no lane has one alone', () => {
	for (const machine of Object.values(MACHINES)) {
		const facts = factsOf(machine);
		const { lanes } = chooseLanes(facts, 'auto');
		if (lanes.length < 2) continue;
		const coreOf = (cpu: number) => Math.min(cpu, ...(facts.siblings.get(cpu) ?? []));
		const cores = lanes.flatMap(({ server, generator }) => [coreOf(server), coreOf(generator)]);
		assert.equal(new Set(cores).size, cores.length);
	}
});

test('a number takes so many, or gives the reason against them', () => {
	const limitOf = (machine: Machine, wish: LanesWish) => chooseLanes(factsOf(machine), wish).limit;
	const desktop = { allowed: '0-7', siblings: halves(8) };
	assert.deepEqual([pairsOf(desktop, 2).length, limitOf(desktop, 2)], [2, null]);
	const four = { allowed: '0-3', siblings: neighbours(4) };
	assert.equal(limitOf(four, 2), 'each lane takes two whole cores, and the 4 CPUs here have 2');
	const quota = { allowed: '0-15', siblings: singles(16), files: VERSION_1 };
	assert.equal(limitOf(quota, 2), 'each lane takes the time of two CPUs, and this container may use that of 3.5');
	const small = { allowed: '0-15', siblings: singles(16), files: memory(7) };
	assert.equal(limitOf(small, 4), 'each lane takes 2 GB of memory, and there are 7.2 GB');
	assert.match(
		limitOf({ allowed: '0-1', siblings: singles(2) }, 'smt') ?? '',
		/takes a core with two hardware threads/,
	);
});

test('our own process keeps away from the cores of servers', () => {
	const cpusOf = (machine: Machine, wish: LanesWish) => {
		const facts = factsOf(machine);
		return orchestratorCpus(facts, chooseLanes(facts, wish).lanes);
	};
	const threads = { allowed: '0-7', siblings: halves(8) };
	assert.deepEqual(cpusOf(threads, 'auto'), [5, 7], 'the idle threads of both generators');
	assert.deepEqual(cpusOf({ allowed: '0-5', siblings: singles(6) }, 2), [4, 5], 'cores that nobody uses');
	assert.deepEqual(cpusOf({ allowed: '0-3', siblings: singles(4) }, 'auto'), [1, 3], 'with the generators');
	assert.deepEqual(cpusOf(threads, 'smt'), [4, 5, 6, 7], 'with the generators, which have threads only');
});

test('a platform without these files has no lane', () => {
	assert.deepEqual(chooseLanes(readCpuFacts('/nowhere')).lanes, []);
});

test('the report notes a generator on the same core', () => {
	assert.equal(describeLane({ server: 0, generator: 2, oneCore: false }), 'both servers on CPU 0, generator on CPU 2');
	assert.match(
		describeLane({ server: 0, generator: 1, oneCore: true }),
		/generator on CPU 1, which is another hardware thread of the same core$/,
	);
});

test("lists of CPUs are read in the kernel's format", () => {
	assert.deepEqual(parseCpuList('0-3,8\n'), [0, 1, 2, 3, 8]);
	assert.deepEqual(parseCpuList(''), []);
});
