/** Work of a side that a duet misses: after the load, in ended processes, or on another CPU. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decide } from '../../src/judge/decide.ts';
import { assertClose } from '../support/close.ts';
import { codesOf, decideTurns } from '../support/decisions.ts';
import { scriptPlan, scriptRounds, spread, type Turn } from '../support/rounds.ts';

const LEVEL = spread(4, 0, 0.003);

function turns(more: Partial<Turn>, d: readonly number[] = LEVEL): Turn[] {
	return d.map((value) => ({ d: value, ...more }));
}

function confirmed(d: readonly number[], more: Partial<Turn> = {}) {
	return scriptRounds(turns(more, d), { purpose: 'confirm' });
}

test('work that head delays until after the load counts as part of its answers', () => {
	const { row } = decideTurns(turns({ afterwork: { base: { share: 0 }, head: { share: 0.25 } } }));
	assert.equal(row.verdict, 'regressed');
	assertClose(row.estimate?.mean, -Math.log(1.25), 1e-9);
	assert.deepEqual(codesOf(row), ['work-after-load']);
	assert.match(row.warnings[0]?.message ?? '', /base spent 0 %.*head 25 %/);
});

test('work that both sides delay alike changes nothing, and work that base alone delays is no gain', () => {
	const alike = { base: { share: 0.25 }, head: { share: 0.25 } };
	assert.equal(decideTurns(turns({ afterwork: alike })).row.verdict, 'unchanged');
	const { row } = decideTurns(turns({ afterwork: { base: { share: 0.25 }, head: { share: 0 } } }));
	assert.equal(row.verdict, 'unchanged');
	assert.ok(Math.abs(row.estimate?.mean ?? 1) < 1e-9);
});

test('garbage collection after the load is no delayed work', () => {
	const { row } = decideTurns(turns({ afterwork: { base: { share: 0.002 }, head: { share: 0.009 } } }));
	assert.ok(Math.abs(row.estimate?.mean ?? 1) < 1e-9);
	assert.deepEqual(codesOf(row), []);
});

test('a round without a wait after the load is charged the mean of the others', () => {
	const [first, ...others] = turns({ afterwork: { base: { share: 0 }, head: { share: 0.25 } } });
	const { row } = decideTurns([first as Turn, ...others.map(({ afterwork: _, ...turn }) => turn)]);
	assert.equal(row.verdict, 'regressed');
	assertClose(row.estimate?.mean, -Math.log(1.25), 1e-9);
});

test('delayed work of servers with spare CPU costs CPU per request and no throughput', () => {
	const afterwork = { base: { share: 0 }, head: { share: 0.25 } };
	const { row } = decideTurns(turns({ afterwork, server: 0.3, idle: 0.7 }));
	assert.equal(row.judgedBy, 'throughput');
	assert.ok(Math.abs(row.estimate?.mean ?? 1) < 1e-9);
	assertClose(row.estimates['cpu-per-request']?.mean, -Math.log(1.25), 1e-9);
});

test('a head that still works at the end of the wait does not pass', () => {
	const unfinished = { base: { share: 0 }, head: { share: 0.005, unfinished: 0.1 } };
	const { row } = decideTurns(turns({ afterwork: unfinished }), { ended: 'budget' });
	assert.deepEqual([row.verdict, codesOf(row)], ['inconclusive', ['unfinished-work']]);
	const both = { base: { share: 0.005, unfinished: 0.1 }, head: { share: 0.005, unfinished: 0.1 } };
	assert.equal(decideTurns(turns({ afterwork: both })).row.verdict, 'unchanged');
});

test('unattributed CPU time that could hide the threshold needs alternating windows, which decide', () => {
	// 30 % of the CPU is neither idle nor used by a known process.
	const hidden = turns({ server: 0.7, idle: 0 }, spread(4, 0.2, 0.003));
	const { row, decision } = decideTurns(hidden.map((turn) => ({ ...turn, cpu: 0.2 })));
	assert.deepEqual([row.final, row.needsConfirmation, decision.confirm], [false, true, ['app/ping']]);
	const { row: red } = decideTurns(hidden, { confirm: confirmed(spread(4, -0.3, 0.004)) });
	assert.equal(red.verdict, 'regressed');
	assert.match(red.warnings.at(-1)?.message ?? '', /belonged to no known process/);
	assert.equal(decideTurns(hidden, { confirm: confirmed(spread(4, 0, 0.004)) }).row.verdict, 'unchanged');
});

test('the usual CPU time of interrupts and other programs hides nothing, and control groups leave nothing hidden', () => {
	assert.equal(decideTurns(turns({ server: 0.94, idle: 0 })).row.verdict, 'unchanged');
	assert.equal(decideTurns(turns({ server: 0.7, idle: 0, grouped: true })).row.verdict, 'unchanged');
});

test('at a fixed rate, which only CPU per request judges, unattributed CPU time denies the pass', () => {
	const rated = { rate: { due: 1000 }, server: 0.5, idle: 0.3 };
	const { row } = decideTurns(turns(rated), { ended: 'budget' });
	assert.deepEqual([row.verdict, codesOf(row).includes('hidden-cpu')], ['inconclusive', true]);
	assert.equal(decideTurns(turns({ ...rated, grouped: true })).row.verdict, 'unchanged');
});

test('solo windows that surely contradict a pass need alternating windows', () => {
	const [first, ...others] = turns({});
	const alone = (head: number) => [{ ...(first as Turn), solo: [2000, head] as const }, ...others];
	assert.equal(decideTurns(alone(1400)).row.verdict, 'unchanged', 'a short measurement may be 30 % off');
	const { row } = decideTurns(alone(1200), { confirm: confirmed(spread(4, -0.5, 0.004)) });
	assert.equal(row.verdict, 'regressed');
	assert.match(row.warnings.at(-1)?.message ?? '', /loaded alone for a moment head was far slower/);
});

test('sides that used more CPU time than their CPU has do not pass, together or one by one', () => {
	const both = { held: true, server: 1.2, idle: 0 } as const;
	assert.equal(decideTurns(turns(both)).row.needsConfirmation, true);
	const alternating = (server: number) => confirmed(spread(4, 0, 0.004), { held: true, server });
	const { row } = decideTurns(turns(both), { confirm: alternating(1.2), ended: 'budget' });
	assert.deepEqual([row.verdict, codesOf(row).includes('left-cpu')], ['inconclusive', true]);
	assert.equal(decideTurns(turns(both), { confirm: alternating(1) }).row.verdict, 'unchanged');
	assert.equal(decideTurns(turns({ server: 1.2, idle: 0 })).row.verdict, 'unchanged', 'sides that are held nowhere');
});

test('alternating windows are charged the work that the duet has shown, and check unfinished work', () => {
	const put = turns(
		{ server: 0.7, idle: 0, afterwork: { base: { share: 0 }, head: { share: 0.25 } } },
		spread(4, 0.3, 0.003),
	);
	const { row } = decideTurns(put, { confirm: confirmed(spread(4, 0, 0.004)) });
	assert.equal(row.verdict, 'regressed');
	assertClose(row.estimate?.mean, -Math.log(1.25), 1e-9);
	const unfinished = turns({
		...{ server: 0.7, idle: 0 },
		afterwork: { base: { share: 0 }, head: { share: 0.005, unfinished: 0.1 } },
	});
	const open = decideTurns(unfinished, { confirm: confirmed(spread(4, 0, 0.004)), ended: 'budget' }).row;
	assert.deepEqual([open.verdict, codesOf(open).includes('unfinished-work')], ['inconclusive', true]);
});

test('hidden processes that delay head need confirmation too', () => {
	const starved = turns({ server: 0.08, idle: 0, cpu: 0.6 }, spread(4, 0.6, 0.003));
	assert.equal(decideTurns(starved).row.verdict, 'inconclusive');
	assert.equal(decideTurns(starved).row.needsConfirmation, true);
});

test('an unreadable CPU time of head is no reason to pass', () => {
	const rounds = scriptRounds(turns({}));
	const unread = rounds.map((round, at) => {
		if (at > 0) return round;
		const cells = round.cells.map((cell) => ({
			...cell,
			windows: cell.windows.map((window) => ({ ...window, head: window.head && { ...window.head, cpuSeconds: null } })),
		}));
		return { ...round, cells };
	});
	const { confirm } = decide(scriptPlan(['ping']), unread, null);
	assert.deepEqual(confirm, ['app/ping']);
});
