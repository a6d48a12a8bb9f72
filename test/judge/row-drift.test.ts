/** The verdict from baselines and a pull request together, against independently stated rules. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { driftVerdict, type HeadStep, rowDrift } from '../../src/judge/row-drift.ts';
import { createRandom } from '../../src/stats/random.ts';
import type { MainBaselines, MainRow } from '../../src/types/main-baselines.ts';
import type { Estimate, RowDecision } from '../../src/types/verdict.ts';

const LIMITS = { threshold: 0.05, limit: 0.1 };
const Z95 = 1.96;
const Z90 = 1.645;

const mainAt = (theta: number, margin = 0.008) => ({ theta, low: theta - margin, high: theta + margin });
const headAt = (d: number, margin = 0.008): HeadStep => ({ d, high: d + margin });

const level = fc.double({ min: -0.3, max: 0.3, noNaN: true });
const margin = fc.double({ min: 0, max: 0.1, noNaN: true });
const anyMain = fc.tuple(level, margin).map(([theta, wide]) => mainAt(theta, wide));
const anyHead = fc.oneof(
	fc.constant(null),
	fc.tuple(level, margin).map(([d, wide]) => headAt(d, wide)),
	level.map((d) => ({ d, high: Number.POSITIVE_INFINITY })),
);

/** The same rules in percent of the anchor's speed, as a maintainer would reckon. */
function reckon(main: ReturnType<typeof mainAt>, head: HeadStep | null): string {
	const speedAfter = (...steps: number[]) => steps.reduce((speed, step) => speed * Math.exp(step), 1);
	const { threshold, limit } = LIMITS;
	if (head !== null && speedAfter(head.d) < 1 && speedAfter(head.high) < 1) {
		const [likely, best] = [speedAfter(main.theta, head.d), speedAfter(main.high, head.high)];
		if (likely <= 1 - limit && best <= 1 - limit / 2) return 'adds';
	}
	if (speedAfter(main.theta) <= 1 - limit && speedAfter(main.high) <= 1 - limit / 2) return 'drifted';
	return speedAfter(main.theta) <= 1 - threshold / 2 && speedAfter(main.high) < 1 ? 'below' : 'level';
}

test('the verdict matches reckoning with speeds', () => {
	fc.assert(
		fc.property(anyMain, anyHead, (main, head) => {
			// If a sum is within the last bits of a limit, the two ways may round differently.
			const step = head ? [head.d, head.high, main.theta + head.d, main.high + head.high] : [];
			const sums = [main.theta, main.high, ...step];
			const limits = [LIMITS.limit, LIMITS.limit / 2, LIMITS.threshold / 2, 0].map((drop) => Math.log1p(-drop));
			fc.pre(sums.every((sum) => limits.every((limit) => (sum === 0 && limit === 0) || Math.abs(sum - limit) > 1e-12)));
			assert.equal(driftVerdict(main, head, LIMITS), reckon(main, head));
		}),
		{ numRuns: 2000 },
	);
});

test('a head that is not surely slower never adds, however far main has drifted', () => {
	fc.assert(
		fc.property(anyMain, anyHead, ({ theta, ...main }, head) => {
			const far = { theta: theta - 3, low: main.low - 3, high: main.high - 3 };
			const verdict = driftVerdict(far, head, LIMITS);
			assert.equal(verdict === 'adds', head !== null && head.d < 0 && head.high < 0);
		}),
	);
});

test('a row that adds still adds when main or head gets worse', () => {
	const worse = fc.double({ min: 0, max: 0.2, noNaN: true });
	fc.assert(
		fc.property(anyMain, anyHead, worse, worse, ({ theta, low, high }, head, more, less) => {
			fc.pre(head !== null && driftVerdict({ theta, low, high }, head, LIMITS) === 'adds');
			const main = { theta: theta - more, low: low - more, high: high - more };
			const slower = head && { d: head.d - less, high: head.high - less };
			assert.equal(driftVerdict(main, slower, LIMITS), 'adds');
		}),
		{ numRuns: 100 },
	);
});

/** Share of pull requests that add, where main and head are measured with normal noise. */
function shareThatAdds(trueMain: number, trueHead: number): number {
	const random = createRandom(14, Math.round(1e4 * trueMain), Math.round(1e4 * trueHead));
	const [mainSe, headSe, runs] = [0.005, 0.007, 4000];
	let adds = 0;
	for (let run = 0; run < runs; run++) {
		const main = mainAt(trueMain + mainSe * random.normal(), Z95 * mainSe);
		const head = headAt(trueHead + headSe * random.normal(), Z90 * headSe);
		if (driftVerdict(main, head, LIMITS) === 'adds') adds++;
	}
	return adds / runs;
}

test('a pull request that changes nothing adds in at most 5 % of runs; one that costs 4 % on a drifted main rarely passes', () => {
	for (const main of [0, -0.05, -0.1, -0.15, -0.4]) assert.ok(shareThatAdds(main, 0) < 0.06, `main at ${main}`);
	assert.ok(shareThatAdds(-0.15, 0.01) < 0.01, 'faster');
	assert.ok(shareThatAdds(-0.15, -0.04) > 0.99, 'slower by 4 %');
	assert.ok(shareThatAdds(-0.02, -0.02) < 0.01, 'within the limit');
});

const ROW: MainRow = {
	...{ server: 'express', scenario: 'ping', metric: 'throughput', anchor: 'v5.2.0', measured: 'main@1a2b3c4' },
	...mainAt(-0.12),
	history: [0, -0.12],
};
const BASELINES: MainBaselines = { policy: 'enforce', threshold: null, rows: [ROW] };

function decisionAt(d: number, changes: Partial<RowDecision> = {}): RowDecision {
	const interval = { low: Math.expm1(d - 0.005), high: Math.expm1(d + 0.005), confidence: 0.9 };
	return {
		...{ cell: 'express/ping', metric: 'throughput', judgedBy: 'throughput', verdict: 'unchanged' },
		estimate: { centre: d, change: Math.expm1(d), interval } as Estimate,
		warnings: [],
		...changes,
	} as RowDecision;
}

const near = (actual: number | null | undefined, expected: number) =>
	assert.ok(Math.abs((actual ?? Number.NaN) - expected) < 1e-12, `${actual} is not ${expected}`);

test('changes follow the direction of the metric, and the limit is twice the threshold unless set', () => {
	const drift = rowDrift(decisionAt(-0.02), 0.04, BASELINES);
	assert.deepEqual([drift?.verdict, drift?.policy, drift?.threshold], ['adds', 'enforce', 0.08]);
	near(drift?.main.change, Math.expm1(-0.12));
	near(drift?.total, Math.expm1(-0.14));
	const latency = { ...ROW, metric: 'latency-p50' as const };
	const slower = rowDrift(decisionAt(-0.02, { metric: 'latency-p50' }), 0.05, { ...BASELINES, rows: [latency] });
	near(slower?.main.change, Math.expm1(0.12));
	near(slower?.adds, Math.expm1(0.02));
	assert.ok((slower?.main.low ?? 0) < (slower?.main.high ?? 0));
	assert.equal(rowDrift(decisionAt(-0.02), 0.05, { ...BASELINES, threshold: 0.3 })?.verdict, 'below');
	assert.equal(rowDrift(decisionAt(-0.02), 0.6, BASELINES)?.threshold, 1);
});

test('a row without baselines has no drift; one without a figure adds nothing', () => {
	assert.equal(rowDrift(decisionAt(0, { cell: 'express/other' }), 0.05, BASELINES), null);
	assert.equal(rowDrift(decisionAt(0, { metric: 'memory-peak' }), 0.05, BASELINES), null);
	for (const changes of [{ verdict: 'invalid' as const }, { verdict: 'new' as const, estimate: null }]) {
		const drift = rowDrift(decisionAt(-0.5, changes), 0.05, BASELINES);
		assert.deepEqual([drift?.verdict, drift?.adds, drift?.total], ['drifted', null, null]);
	}
});

test('a duet that alternating windows did not confirm adds nothing, and a cost that rises does', () => {
	const doubted = decisionAt(-0.08, { verdict: 'inconclusive', warnings: [{ code: 'unconfirmed', message: 'no' }] });
	assert.equal(rowDrift(doubted, 0.05, BASELINES)?.verdict, 'drifted');
	const interval = { low: 0.01, high: 0.03, confidence: 0.9 };
	const cost = decisionAt(-0.02, {
		judgedBy: 'cpu-per-request',
		estimate: { centre: -0.02, change: Math.expm1(0.02), interval } as Estimate,
	});
	assert.equal(rowDrift(cost, 0.05, BASELINES)?.verdict, 'adds');
	const unbounded = decisionAt(-0.02, {
		estimate: { centre: -0.02, change: -0.02, interval: { ...interval, high: null, low: null } } as Estimate,
	});
	assert.equal(rowDrift(unbounded, 0.05, BASELINES)?.verdict, 'drifted');
});
