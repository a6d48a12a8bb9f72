import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readAllSeries } from '../../../evaluation/series-files.ts';
import { changesIn, pointsOfValues } from '../../../evaluation/trend/judge-history.ts';
import { drawHistories, halfOf, sessionsOf } from '../../../evaluation/trend/recorded-histories.ts';
import { scoreOf } from '../../../evaluation/trend/score.ts';

const { series } = await readAllSeries(fileURLToPath(new URL('../../../docs/evaluation/data', import.meta.url)));
const sessions = sessionsOf(series, 6);
const PLAN = { points: 20, rounds: 6, step: -0.05, at: 10 };

test('data for tuning are not used for testing', () => {
	const [tuned, tested] = [halfOf(sessions, 'tuned'), halfOf(sessions, 'tested')];
	assert.ok(tuned.length > 100 && tested.length > 100, `${tuned.length} ${tested.length}`);
	assert.equal(tuned.length + tested.length, sessions.length);
	assert.ok(tuned.every((session) => !tested.includes(session)));
});

test('a history holds recorded rounds, and its step is planted into each of them', () => {
	const draw = (step: number) => drawHistories(halfOf(sessions, 'tested'), { ...PLAN, step, wild: null }, 2, 7);
	const [plain, stepped] = [draw(0), draw(-0.05)];
	assert.ok(plain.length >= 40);
	plain.forEach(({ points, step }, index) => {
		assert.equal(step, null);
		points.forEach(({ theta, se }, at) => {
			assert.ok(Math.abs(theta) < 0.1 && se > 0.001 && se < 0.05);
			const other = stepped[index]?.points[at]?.theta ?? 0;
			assert.ok(Math.abs(other - theta - (at >= 10 ? -0.05 : 0)) < 1e-12);
		});
	});
});

test('a score counts false alarms at any time, and the points before a step was reported', () => {
	const points = Array.from({ length: 6 }, () => ({ theta: 0, se: 0.01 }));
	const histories = [
		{ cell: 'a', points, step: 3 },
		{ cell: 'b', points, step: 3 },
	];
	const never = points.map(() => []);
	const reports = [[], [], [], [], [4], [4]];
	const score = scoreOf(histories, [reports, never]);
	assert.deepEqual([score.found, score.falseAlarms, score.within1, score.delay, score.delay90], [1, 0, 1, 2, null]);
	const flaky = [[], [0], [], [], [], []];
	const none = histories.map((history) => ({ ...history, step: null }));
	assert.equal(scoreOf(none, [flaky, never]).falseAlarms, 1);
});

test('a plain series is judged by the spread of its neighbours', () => {
	const values = [100, 101, 99, 100, 102, 100, 98, 101, 90, 91, 89, 90, 92, 90, 91, 89];
	assert.deepEqual(
		changesIn(pointsOfValues(values)).map(({ at }) => at),
		[8],
	);
	assert.deepEqual(changesIn(pointsOfValues(values.slice(0, 8))), []);
	// In a short history, a step that is large beside the rest is no spread between runs.
	const short = [102, 95, 99, 100, 112, 90, 50, 51, 48, 48, 55];
	assert.deepEqual(
		changesIn(pointsOfValues(short)).map(({ at }) => at),
		[6],
	);
});
