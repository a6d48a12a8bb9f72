import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellWarnings, firstFaults, invalidityOf, machineWarnings } from '../../src/judge/guard-warnings.ts';
import type { Sample } from '../../src/judge/looks/samples.ts';
import { roundDifferences } from '../../src/stats/differences.ts';
import type { CellRound } from '../../src/types/round.ts';
import { scriptRounds, type Turn } from '../support/rounds.ts';

function cellRounds(turns: readonly Turn[]): CellRound[] {
	return scriptRounds(turns).flatMap((round) => round.cells);
}

function codes(warnings: readonly { code: string }[]): string[] {
	return warnings.map((warning) => warning.code);
}

const QUIET: Turn = { d: 0 };

test('few-responses: a side answers less than 1000 requests in a round', () => {
	assert.deepEqual(codes(cellWarnings(cellRounds([QUIET, { d: 0, answers: 240 }]), 0.025)), ['few-responses']);
	assert.deepEqual(codes(cellWarnings(cellRounds([{ d: 0, answers: 250 }]), 0.025)), []);
	assert.deepEqual(codes(cellWarnings([], 0.025)), []);
});

test('other-headers needs most rounds; other remarks need one', () => {
	const remark = (code: string) => ({ code, side: null, message: code });
	const warned = (...remarks: string[][]) => {
		const rounds = cellRounds(remarks.map(() => QUIET));
		return codes(
			cellWarnings(
				rounds.map((round, at) => ({ ...round, remarks: remarks[at]?.map(remark) ?? [] })),
				0.025,
			),
		);
	};
	assert.deepEqual(warned(['other-headers'], ['other-headers'], []), ['other-headers']);
	assert.deepEqual(warned(['other-headers'], []), []);
	assert.deepEqual(warned(['changed-on-both'], [], []), ['changed-on-both']);
	assert.deepEqual(warned(['other-headers', 'changed-on-both']), ['other-headers', 'changed-on-both']);
});

test('still-warming: the ratio drifts within rounds by more than the tolerance, clearly', () => {
	const drifting = [0.04, 0.05, 0.06, 0.05].map((drift) => ({ d: 0, windows: [0, drift / 3, (2 * drift) / 3, drift] }));
	assert.deepEqual(codes(cellWarnings(cellRounds(drifting), 0.025)), ['still-warming']);
	assert.match(cellWarnings(cellRounds(drifting), 0.025)[0]?.message ?? '', /5\.1 %/);
	assert.deepEqual(codes(cellWarnings(cellRounds(drifting), 0.08)), [], 'within the tolerance');
	const noisy = [0.4, -0.3, 0.3, -0.2].map((drift) => ({ d: 0, windows: [0, drift / 2, drift] }));
	assert.deepEqual(codes(cellWarnings(cellRounds(noisy), 0.025)), [], 'noise without a direction');
	// scipy.stats.ttest_1samp([.05, .04, .06, .05, 0], 0).pvalue is 0.0189, without its last value 0.0012.
	const unsure = [0.05, 0.04, 0.06, 0.05, 0].map((drift) => ({
		d: 0,
		windows: [0, drift / 3, (2 * drift) / 3, drift],
	}));
	assert.deepEqual(codes(cellWarnings(cellRounds(unsure), 0.025)), [], 'one run in twenty has such a row by chance');
	assert.deepEqual(codes(cellWarnings(cellRounds(unsure.slice(0, -1)), 0.025)), ['still-warming']);
	assert.deepEqual(codes(cellWarnings(cellRounds(drifting.slice(1)), 0.025)), [], 'three rounds are too few to say');
});

test('resent-requests: a side loses more than 0.1 % of its requests with their connections', () => {
	const lost = (base: number, head: number) => codes(cellWarnings(cellRounds([{ d: 0, resent: [base, head] }]), 0.025));
	assert.deepEqual(lost(2, 2), []);
	assert.deepEqual(lost(3, 0), ['resent-requests']);
	assert.deepEqual(lost(0, 3), ['resent-requests']);
});

test('a head that surely loses more requests than base is broken, and such a base is not', () => {
	const blamed = (resent: readonly NonNullable<Turn['resent']>[], options = {}) => {
		const samples = cellRounds(resent.map((each) => ({ d: 0, resent: each }))).map(
			(cellRound, at): Sample => ({
				...{ round: at + 1, position: 0, d: roundDifferences(cellRound) },
				...{ cellRound, rates: { base: 2000, head: 2000 }, afterwork: { base: null, head: null } },
			}),
		);
		return invalidityOf(samples, 4, options).map(({ side, code }) => [side, code]);
	};
	const rounds = (count: number, ...each: [base: number, head: number, inOne?: boolean]) => Array(count).fill(each);
	const head = [['head', 'lost-requests']];
	assert.deepEqual(blamed([...rounds(2, 0, 20), ...rounds(2, 0, 21)]), head);
	assert.deepEqual(blamed([...rounds(2, 20, 100), ...rounds(2, 21, 103)]), head, 'base loses some as well');
	assert.deepEqual(blamed(rounds(1, 1, 20)), head, 'many moments of one round');
	assert.deepEqual(blamed(rounds(4, 0, 20), { isRanking: true }), [], 'another server than the reference');
	assert.deepEqual(blamed(rounds(4, 20, 0)), [], 'the numbers of head stand');
	assert.deepEqual(blamed(rounds(2, 20, 100)), [], 'too few rounds, and less than ten times as many');
	assert.deepEqual(blamed(rounds(4, 0, 2)), [], 'as few as any server may');
	// All connections at once: scipy.stats.ttest_1samp([0, 0, .02, 0], 0).pvalue is 0.39.
	assert.deepEqual(blamed([...rounds(3, 0, 0), ...rounds(1, 0, 160, true)]), [], 'a burst');
	assert.deepEqual(blamed([...rounds(2, 1000, 1060), ...rounds(2, 1000, 1061)]), [], 'nearly as many');
});

test('busy-machine: other processes use more than 5 % of a CPU in more than 20 % of the windows', () => {
	const rounds = (busy: number) =>
		cellRounds([...Array(busy).fill({ d: 0, otherCpu: 0.06 }), ...Array(10 - busy).fill({ d: 0, otherCpu: 0.05 })]);
	assert.deepEqual(codes(machineWarnings(rounds(2))), []);
	assert.deepEqual(codes(machineWarnings(rounds(3))), ['busy-machine']);
	assert.deepEqual(codes(machineWarnings(rounds(3), true)), ['busy-database'], 'nobody is told to stop it');
	assert.deepEqual(codes(machineWarnings(cellRounds([{ d: 0, otherCpu: null }]))), []);
});

test('not-pinned: a round ran without pinning', () => {
	assert.deepEqual(codes(machineWarnings(cellRounds([QUIET, { d: 0, pinned: false }]))), ['not-pinned']);
});

test('a row names the first fault of each side, else the first fault of neither', () => {
	const fault = (code: string, side: 'base' | 'head' | null) => ({ code, side });
	const [differ, base, head] = [fault('bodies-differ', null), fault('crashed', 'base'), fault('wrong-body', 'head')];
	assert.deepEqual(firstFaults([differ, base, fault('wrong-status', 'base'), head]), [base, head]);
	assert.deepEqual(firstFaults([differ, fault('bodies-differ', null)]), [differ]);
	assert.deepEqual(firstFaults([]), []);
});

test('base is not broken in a turn in which an unknown process connected to a side', () => {
	const fault = (code: string, side: 'base' | 'head' | null) => ({ code, side });
	for (const code of ['stopped', 'foreign-connections', 'foreign-listener']) {
		const reached = fault(code, null);
		assert.deepEqual(firstFaults([fault('connection-errors', 'base'), reached]), [reached]);
		const head = fault('crashed', 'head');
		assert.deepEqual(firstFaults([reached, fault('crashed', 'base'), head]), [head], 'head answers for its own');
		assert.deepEqual(firstFaults([fault(code, 'head'), fault('crashed', 'base')]), [
			fault(code, 'head'),
			fault('crashed', 'base'),
		]);
	}
});

test('a side without answers is not broken while the other side connects to it', () => {
	const [cellRound] = cellRounds([QUIET]);
	assert.ok(cellRound);
	const silentBase = (faults: CellRound['faults']): Sample[] => [
		{
			...{ round: 1, position: 0, d: roundDifferences(cellRound) },
			...{ cellRound: { ...cellRound, faults }, rates: { base: 0, head: 1000 } },
			afterwork: { base: null, head: null },
		},
	];
	const flood = { code: 'foreign-connections', message: 'head connected to base', side: 'head' } as const;
	const blamed = (samples: readonly Sample[]) => invalidityOf(samples, 4).map(({ side, code }) => [side, code]);
	assert.deepEqual(blamed(silentBase([flood])), [['head', 'foreign-connections']]);
	assert.deepEqual(blamed(silentBase([])), [['base', 'no-answers']]);
	// A side that connects to the other is at fault itself.
	assert.deepEqual(blamed(silentBase([{ ...flood, side: 'base' }])), [['base', 'foreign-connections']]);
});
