/** The outcome of a wish for lanes: lanes, one lane with the reason, or a refusal. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { type Affinity, describeLane } from '../../../src/measure/affinity.ts';
import type { Lane } from '../../../src/measure/lanes/choose-lanes.ts';
import { readCpuFacts } from '../../../src/measure/lanes/cpu-facts.ts';
import {
	createSpinner,
	describeLanes,
	findLanes,
	findSharedCore,
	NoSpin,
	type Spinner,
} from '../../../src/measure/lanes/find-lanes.ts';
import { startJanitor } from '../../../src/process/janitor.ts';
import type { LanesWish } from '../../../src/types/config.ts';
import type { Janitor } from '../../../src/types/run-services.ts';
import { factsOf, halves, type Machine, neighbours, singles } from './machines.ts';

/** Nothing here starts a process. */
const JANITOR = {} as Janitor;
const FOUR_CORES = { allowed: '0-3', siblings: singles(4) };
const RUNNER = { allowed: '0-3', siblings: neighbours(4) };

/** CPUs that keep these shares of their speed while another is busy: by the pair, or all of it. Logs the spins. */
function scriptedSpinner(kept: Readonly<Record<string, readonly number[]>> = {}) {
	const spun: string[] = [];
	const spinner: Spinner = {
		async count(cpu, busy) {
			const pair = busy === null ? `${cpu}` : `${cpu} beside ${busy}`;
			const ratios = kept[pair] ?? [1];
			const times = spun.filter((one) => one === pair).length;
			spun.push(pair);
			return 1000 * (ratios[Math.min(times, ratios.length - 1)] as number);
		},
	};
	return { spun, spinner };
}

const FAKE: Affinity = {
	pinned: true,
	generatorAlone: true,
	serverCpu: 0,
	workerCpus: 1,
	note: '',
	warnings: [],
	pin: (_role, argv) => [...argv],
};

/** CPUs that this machine need not have. */
const hold = (lane: Lane, beside: boolean): Affinity => ({
	...FAKE,
	serverCpu: lane.server,
	...(beside && { laneCpus: [lane.server, lane.generator] }),
	note: describeLane(lane),
});

function find(machine: Machine, wish: LanesWish, obstacle: string | null = null, { spinner } = scriptedSpinner()) {
	return findLanes({ wish, janitor: JANITOR, obstacle, facts: factsOf(machine), spinner, hold });
}

test('with known cores one lane stays as before: no probe and no message', async () => {
	const { spun, spinner } = scriptedSpinner();
	for (const wish of [1, 'auto'] as const) {
		const found = await find(RUNNER, wish, 'there is none', { spun, spinner });
		assert.deepEqual([found.lanes.length, found.orchestrator, found.warnings], [1, null, []]);
		assert.equal(found.lanes[0].laneCpus, undefined);
	}
	assert.deepEqual(spun, []);
});

test("more lanes than there is room for are refused, with the machine's number", async () => {
	await assert.rejects(find(RUNNER, 2), {
		name: 'UserError',
		code: 'lanes',
		exitCode: 2,
		message:
			'lanes: 2 was requested, but this machine has one: each lane takes two whole cores, and the 4 CPUs here have 2',
	});
	await assert.rejects(find({ allowed: '0-7', siblings: halves(8) }, 3), /this machine has 2: each lane takes two/);
	await assert.rejects(find({ allowed: '0-1', siblings: singles(2) }, 'smt'), /lanes: smt was requested, but this/);
});

test('the obstacle to a second lane is reported, or refuses a number', async () => {
	const { warnings, lanes } = await find(FOUR_CORES, 'auto', 'the moon is full');
	assert.equal(lanes.length, 1);
	assert.deepEqual(warnings, [
		{ code: 'one-lane', message: 'Cells were measured in one lane although lanes is auto: the moon is full.' },
	]);
	await assert.rejects(find(FOUR_CORES, 2, 'the moon is full'), /this machine has one: the moon is full$/);
});

test('a CPU that slows down beside another shares its core, unless that was a moment', async () => {
	const probe = (kept: Parameters<typeof scriptedSpinner>[0]) => {
		const scripted = scriptedSpinner(kept);
		return { spun: scripted.spun, found: findSharedCore([0, 1, 2, 3], scripted.spinner) };
	};
	const free = probe({ '0 beside 1': [0.86] });
	assert.equal(await free.found, null);
	assert.deepEqual(free.spun, ['0', '0 beside 1', '0 beside 2', '0 beside 3']);
	assert.deepEqual(await probe({ '0 beside 2': [0.6, 0.61] }).found, { cpu: 0, other: 2, ratio: 0.61 });
	assert.equal(await probe({ '0 beside 2': [0.4, 0.97] }).found, null, 'somebody else worked for a moment');
	assert.equal(await probe({ 0: [1, 0.7], '0 beside 2': [0.7] }).found, null, 'the machine became slower');
	assert.equal(await findSharedCore([0], scriptedSpinner().spinner), null);
});

test('with hidden cores and a choice of CPUs, the generator of the one lane avoids the core of the servers', async () => {
	const noteOf = async (machine: Machine, kept?: Parameters<typeof scriptedSpinner>[0]) => {
		const scripted = scriptedSpinner(kept);
		const { lanes, warnings } = await find(machine, 1, null, scripted);
		assert.deepEqual(warnings, []);
		return { note: lanes[0].note.replace('both servers on CPU 0, generator on ', ''), spun: scripted.spun };
	};
	assert.deepEqual(await noteOf(FOUR_CORES), { note: 'CPU 1', spun: ['0', '0 beside 1'] });
	const neighbour = await noteOf({ allowed: '0-3' }, { '0 beside 1': [0.62] });
	assert.deepEqual([neighbour.note, neighbour.spun.at(-1)], ['CPU 2', '0 beside 2']);
	const all = Object.fromEntries([1, 2, 3].map((cpu) => [`0 beside ${cpu}`, [0.5]]));
	assert.equal((await noteOf({ allowed: '0-63' }, all)).note, 'CPU 1', 'no core has so many threads');
	const QUOTA = { 'proc/self/cgroup': '0::/\n', 'sys/fs/cgroup/cpu.max': '150000 100000\n' };
	for (const setup of [{ allowed: '0-1' }, RUNNER, { allowed: '0-3', files: QUOTA }]) {
		assert.deepEqual((await noteOf(setup)).spun, [], 'nothing to choose, or nothing to find out');
	}
	const broken = { spun: [], spinner: { count: () => Promise.reject(new Error('no process')) } };
	assert.equal((await find(FOUR_CORES, 1, null, broken)).lanes[0].serverCpu, 0);
});

test('a machine that hides its siblings has one lane, and its generator is elsewhere', async () => {
	const hidden = () => scriptedSpinner({ '0 beside 1': [0.62] });
	const machine = { allowed: '0-3' };
	const { lanes, warnings } = await find(machine, 'auto', null, hidden());
	assert.deepEqual(
		lanes.map(({ note }) => note),
		['both servers on CPU 0, generator on CPU 2'],
	);
	assert.equal(
		warnings[0]?.message,
		'Cells were measured in one lane although lanes is auto: CPU 0 keeps 62 % of its speed while CPU 1 is busy, so both are threads of one core, which this machine does not report.',
	);
	await assert.rejects(find(machine, 2, null, hidden()), /this machine has one: CPU 0 keeps 62 %/);
});

test('a machine with room has its lanes, each with a view of its CPUs, and our own process beside them', async () => {
	const { spun, spinner } = scriptedSpinner();
	const { lanes, orchestrator, warnings } = await find(FOUR_CORES, 'auto', null, { spun, spinner });
	assert.deepEqual(
		lanes.map(({ serverCpu, laneCpus }) => [serverCpu, laneCpus]),
		[
			[0, [0, 1]],
			[2, [2, 3]],
		],
	);
	assert.deepEqual([orchestrator, warnings, spun.length], [[1, 3], [], 4]);
	const threads = scriptedSpinner({ '0 beside 1': [0.6] });
	assert.equal((await find(RUNNER, 'smt', null, threads)).lanes.length, 2);
	assert.deepEqual(threads.spun, [], 'threads of one core are what was asked for');
});

test('with indistinguishable cores there is one lane, and a number of them is refused with the reason', async () => {
	const why = 'nobody knows';
	const broken = { spun: [], spinner: { count: () => Promise.reject(new NoSpin(why)) } };
	const { lanes, warnings } = await find(FOUR_CORES, 'auto', null, broken);
	assert.equal(lanes.length, 1);
	assert.equal(warnings[0]?.message, `Cells were measured in one lane although lanes is auto: ${why}.`);
	await assert.rejects(find(FOUR_CORES, 2, null, broken), {
		code: 'lanes',
		message: `lanes: 2 was requested, but this machine has one: ${why}`,
		remedy: 'set lanes to auto for as many as there is room for, or leave it out for one',
	});
	const bug = { spun: [], spinner: { count: () => Promise.reject(new TypeError('a bug')) } };
	await assert.rejects(find(FOUR_CORES, 'auto', null, bug), TypeError);
});

test('a process that does not spin is named, with its CPU and its end', async (t) => {
	const [cpu] = readCpuFacts().allowed;
	if (cpu === undefined || spawnSync('taskset', ['-c', `${cpu}`, 'true']).status !== 0) {
		return t.skip('processes cannot be pinned');
	}
	const janitor = await startJanitor();
	try {
		const spins = (one: number) =>
			`the process that spins on CPU ${one} for that (taskset -c ${one} node) did not start`;
		const rejects = (spinner: Spinner, one: number, why: string) =>
			assert.rejects(spinner.count(one, null), (error: Error) => {
				assert.ok(error instanceof NoSpin);
				assert.ok(error.message.endsWith(`${spins(one)}: ${why}`), error.message);
				return true;
			});
		await rejects(createSpinner(janitor), 99_999, 'it ended with exit code 1');
		await rejects(createSpinner(janitor, 1), cpu, 'it printed nothing for 0.001 s');
	} finally {
		await janitor.close();
	}
});

test('CPUs on which processes cannot be held make no second lane', async () => {
	const unpinned = { ...FAKE, pinned: false, note: 'not pinned: taskset is not permitted' };
	const hold = () => unpinned;
	const options = { wish: 'auto', janitor: JANITOR, facts: factsOf(FOUR_CORES), hold } as const;
	const { lanes, warnings } = await findLanes({ ...options, spinner: scriptedSpinner().spinner });
	assert.equal(lanes.length, 1);
	assert.match(warnings[0]?.message ?? '', /its processes are not pinned: taskset is not permitted\.$/);
});

test('several lanes are described in one sentence', () => {
	assert.equal(describeLanes([{ note: 'here' }]), 'here');
	assert.equal(describeLanes([{ note: 'here' }, { note: 'there' }]), '2 lanes: 1: here; 2: there');
});

test('a real CPU is spun on, alone and beside another, and nothing continues afterwards', async (t) => {
	const [cpu, other] = readCpuFacts().allowed;
	if (cpu === undefined || other === undefined || spawnSync('taskset', ['-c', `${cpu}`, 'true']).status !== 0) {
		return t.skip('processes cannot be pinned to two CPUs');
	}
	const janitor = await startJanitor();
	const guarded: number[] = [];
	const released: number[] = [];
	const watched: Janitor = {
		...janitor,
		guardGroup(pid) {
			guarded.push(pid);
			const release = janitor.guardGroup(pid);
			return () => {
				released.push(pid);
				release();
			};
		},
	};
	try {
		const spinner = createSpinner(watched);
		assert.ok((await spinner.count(cpu, null)) > 0);
		assert.ok((await spinner.count(cpu, other)) > 0);
		assert.equal(guarded.length, 3);
		assert.deepEqual(released.toSorted(), guarded.toSorted());
		for (const pid of guarded) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
	} finally {
		await janitor.close();
	}
});
