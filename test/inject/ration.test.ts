/** The ration on a machine with exactly known costs, so that it can be checked to the unit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRation } from '../../src/inject/effects.ts';

interface Machine {
	/** Microseconds of a request without injection. */
	own: number;
	/** Microseconds of a unit of work. */
	unit: number;
	/** Microseconds that start-up has cost. */
	cpu: number;
}

const SAMPLE = 25_000;

/**
 * Answers `requests`; returns the CPU time of the injected work without samples as a fraction of the servers' own, and
 * the most units in one request.
 */
function answer(machine: Machine, ration: ReturnType<typeof createRation>, requests: number) {
	let worked = 0;
	let most = 0;
	for (let request = 0; request < requests; request++) {
		const units = ration.next();
		if (ration.isTimed()) ration.learn(units, units * machine.unit);
		const due = units - (ration.isTimed() ? SAMPLE : 0);
		most = Math.max(most, due);
		worked += due * machine.unit;
		machine.cpu += machine.own + units * machine.unit;
	}
	return { fraction: worked / (requests * machine.own), most };
}

function start(fraction: number, options: { every?: number } & Partial<Machine> = {}) {
	const { every = 1, own = 30, unit = 0.0014, cpu = 80_000 } = options;
	const machine: Machine = { own, unit, cpu };
	return { machine, ration: createRation({ fraction, every, sample: SAMPLE, cpuClock: () => machine.cpu }) };
}

for (const fraction of [0.0204, 0.0526, 0.111, 1]) {
	test(`${100 * fraction} % of the own cost are added, after a warm-up`, () => {
		const { machine, ration } = start(fraction);
		answer(machine, ration, 10_000);
		assert.ok(Math.abs(answer(machine, ration, 20_000).fraction / fraction - 1) < 0.01);
	});
}

test('the ration follows another scenario and a slower machine', () => {
	const { machine, ration } = start(0.1);
	answer(machine, ration, 10_000);
	machine.own = 140;
	answer(machine, ration, 5_000);
	assert.ok(Math.abs(answer(machine, ration, 10_000).fraction - 0.1) < 0.001);
	machine.own = 280;
	machine.unit = 0.0028;
	answer(machine, ration, 25_000);
	assert.ok(Math.abs(answer(machine, ration, 10_000).fraction - 0.1) < 0.001);
});

test('start-up does not count as the cost of requests', () => {
	const { machine, ration } = start(0.1, { cpu: 5_000_000 });
	answer(machine, ration, 3_000);
	assert.ok(Math.abs(answer(machine, ration, 5_000).fraction - 0.1) < 0.002);
});

test('one request in fifty does the work of all, except for timed requests', () => {
	const { machine, ration } = start(0.1, { every: 50 });
	answer(machine, ration, 10_000);
	let idle = 0;
	for (let request = 0; request < 5_000; request++) {
		if (ration.next() === 0) idle++;
	}
	assert.ok(idle >= 5_000 - 5_000 / 50 - 5_000 / 256 - 2, `${idle} requests did nothing`);
	const { machine: again, ration: fresh } = start(0.1, { every: 50 });
	answer(again, fresh, 10_000);
	const { fraction, most } = answer(again, fresh, 50_000);
	assert.ok(Math.abs(fraction - 0.1) < 0.002);
	assert.ok(most * again.unit > 40 * 0.1 * again.own);
});

test('without a fraction, samples are run and timed as with one, and nothing else is done', () => {
	const [none, some] = [start(0), start(0.1)];
	for (let request = 0; request < 5_000; request++) {
		const units = none.ration.next();
		some.machine.cpu += some.machine.own + some.ration.next() * some.machine.unit;
		assert.equal(none.ration.isTimed(), some.ration.isTimed());
		assert.equal(units, none.ration.isTimed() ? SAMPLE : 0);
		none.machine.cpu += none.machine.own + units * none.machine.unit;
		for (const { ration, machine } of [none, some]) if (ration.isTimed()) ration.learn(SAMPLE, SAMPLE * machine.unit);
	}
});

test('a timing hardly counts if another process had the CPU meanwhile', () => {
	const { machine, ration } = start(0.1);
	for (let request = 0; request < 20_000; request++) {
		const units = ration.next();
		if (ration.isTimed()) ration.learn(units, units * machine.unit + (request % 10 === 0 ? 4_000 : 0));
		machine.cpu += machine.own + units * machine.unit;
	}
	const { fraction } = answer(machine, ration, 5_000);
	assert.ok(fraction > 0.08, `${fraction}`);
});
