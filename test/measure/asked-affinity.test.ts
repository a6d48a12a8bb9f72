import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Affinity, affinityFor } from '../../src/measure/affinity.ts';
import type { Limits } from '../../src/types/config.ts';
import { isUserError } from '../../src/types/errors.ts';

const USUAL: Affinity = {
	pinned: true,
	generatorAlone: true,
	serverCpu: 0,
	workerCpus: 3,
	note: 'both servers on CPU 0, generator on CPU 1',
	warnings: [{ code: 'sibling-thread', message: 'CPU 0 and CPU 1 are hardware threads of one core.' }],
	pin: (_, argv) => [...argv],
};

const FOUR = { allowed: [0, 1, 2, 3] };
const affinityOf = (limits: Limits, allowed = FOUR) => affinityFor(limits, USUAL, allowed);

test('without a wish the default CPUs are used', () => {
	assert.equal(affinityOf({}), USUAL);
});

test('processes are held on the requested CPUs', () => {
	const both = affinityOf({ serverCpus: [3], loadCpus: [2] });
	assert.deepEqual(both.pin('server', ['node', 'a.js']), ['taskset', '-c', '3', 'node', 'a.js']);
	assert.deepEqual(both.pin('generator', ['node']), ['taskset', '-c', '2', 'node']);
	assert.deepEqual([both.serverCpu, both.warnings], [3, []]);
	assert.equal(both.note, 'both servers on CPU 3, generator on CPU 2, as asked');
	const several = affinityOf({ serverCpus: [0, 1] });
	assert.deepEqual(several.pin('server', []), ['taskset', '-c', '0,1']);
	assert.deepEqual(several.pin('generator', []), ['taskset', '-c', '2'], 'the first that is left');
	assert.equal(several.serverCpu, null, 'nobody can tell how idle several are');
	assert.equal(several.workerCpus, 2, 'of the four');
	assert.equal(affinityOf({ loadCpus: [0] }).workerCpus, 3, 'all but that of the load');
	assert.deepEqual(affinityOf({ loadCpus: [0] }).pin('server', []), ['taskset', '-c', '1']);
});

test('unavailable CPUs are refused with the available ones', () => {
	const refused = (limits: Limits, allowed = FOUR, usual = USUAL) => {
		try {
			affinityFor(limits, usual, allowed);
		} catch (error) {
			assert.ok(isUserError(error), String(error));
			return error.message;
		}
		return assert.fail('nothing was refused');
	};
	assert.equal(refused({ serverCpus: [1, 7] }), 'CPU 7 is not among those that benchgate may use (0, 1, 2, 3)');
	assert.equal(refused({ serverCpus: [0, 1] }, { allowed: [0, 1] }), 'no CPU is left for the load generator (0, 1)');
	const unpinned = { ...USUAL, pinned: false, note: 'not pinned: the command taskset is not installed' };
	assert.match(refused({ loadCpus: [1] }, FOUR, unpinned), /^CPUs were named, but not pinned: .*taskset/);
});
