import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findAffinity } from '../../../src/measure/affinity.ts';
import {
	describeIsolation,
	describeMachine,
	type MachineFacts,
	readMachine,
} from '../../../src/runs/check/describe-machine.ts';
import type { Isolation } from '../../../src/types/isolation.ts';

const FINE: MachineFacts = {
	environment: { cpus: 4, memoryBytes: 8e9, node: '24.1.0', loadAverage: 0.2 },
	affinity: { pinned: true, note: 'both servers on CPU 0, generator on CPU 1', warnings: [] },
	usableCpus: 4,
	memoryLimit: null,
};
const notes = (facts: Partial<MachineFacts>) =>
	describeMachine({ ...FINE, ...facts }).flatMap(({ kind, text }) => (kind === 'ok' ? [] : [`${kind}: ${text}`]));

test('a machine without fault', () => {
	assert.deepEqual(
		describeMachine(FINE).map(({ kind, text }) => [kind, text]),
		[
			['ok', '4 CPUs, 8.00 GB of memory, servers run on Node 24.1.0'],
			['ok', 'both servers on CPU 0, generator on CPU 1'],
		],
	);
});

test('a source of noise is a note, never a problem', () => {
	const affinity = { pinned: false, note: 'not pinned: only one CPU is allowed to this process', warnings: [] };
	assert.deepEqual(notes({ affinity, usableCpus: 1 }), [`note: ${affinity.note}`]);
	assert.match(notes({ usableCpus: 1 }).join(), /^note: the container may use the time of one CPU only/);
	assert.match(
		notes({ environment: { ...FINE.environment, loadAverage: 2.5 } }).join(),
		/^note: other programs .*2\.5/,
	);
	const warnings = [{ code: 'sibling-thread', message: 'CPU 0 and CPU 1 are threads of one core.' }];
	assert.deepEqual(notes({ affinity: { ...FINE.affinity, warnings } }), [
		'note: CPU 0 and CPU 1 are threads of one core',
	]);
});

test('a memory limit is reported beside the memory of the machine', () => {
	assert.match(
		describeMachine({ ...FINE, memoryLimit: 2e9 })[0]?.text ?? '',
		/8\.00 GB of memory, of which 2\.00 GB may be used/,
	);
});

test('this machine can be read', () => {
	const affinity = findAffinity();
	const facts = readMachine(process.execPath, affinity);
	assert.equal(facts.affinity, affinity);
	assert.equal(facts.environment.node, process.versions.node);
	assert.ok(facts.usableCpus >= 1 && (facts.memoryLimit === null || facts.memoryLimit < facts.environment.memoryBytes));
});

test('less isolation than requested is a note with the reason', () => {
	const opened = (level: Isolation['level'], reason: string | null) => ({ level, reason }) as Isolation;
	assert.equal(describeIsolation({ isolation: 'auto' }, opened('users', null)).kind, 'ok');
	assert.equal(describeIsolation({ isolation: 'none' }, opened('none', null)).kind, 'ok');
	const { kind, text } = describeIsolation({ isolation: 'auto' }, opened('none', 'no setpriv'));
	assert.deepEqual([kind, text.endsWith('. More isolation is not possible here: no setpriv')], ['note', true]);
});
