import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Point, yorkLine } from '../../../evaluation/answers/york.ts';
import { PEARSON } from './pearson.ts';
import { near } from './support.ts';

test("Pearson's data with York's weights give the published line", () => {
	const line = yorkLine(PEARSON);
	// Published: 5.4799 − 0.4805 x. Digits: numpy iteration of the paper's equations; scipy.odr.ODR(RealData(x, y, sx=wx**-.5, sy=wy**-.5), unilinear).run() agrees to 7.
	near(line?.slope, -0.4805334074462, 1e-10);
	near(line?.intercept, 5.4799102240329, 1e-10);
	near(line?.slopeError, 0.057985009, 1e-8);
	near(line?.interceptError, 0.2949707355, 1e-8);
	near(line?.misfit, 1.48329414926, 1e-9);
});

test('swapping the coordinates inverts the line', () => {
	const swapped = PEARSON.map(({ x, y, xError, yError }): Point => ({ x: y, y: x, xError: yError, yError: xError }));
	const [line, other] = [yorkLine(PEARSON), yorkLine(swapped)];
	near(other?.slope, 1 / (line?.slope ?? 0), 1e-9);
});

test('without errors in x it is the weighted least-squares line', () => {
	const points = [0, 1, 2, 5].map(
		(x, index): Point => ({ x, y: [1, 3, 2, 7][index] as number, xError: 0, yError: index + 1 }),
	);
	const line = yorkLine(points);
	// numpy.polyfit([0, 1, 2, 5], [1, 3, 2, 7], 1, w=[1, 1/2, 1/3, 1/4], cov='unscaled')
	near(line?.slope, 1.1256684491978612, 1e-8);
	near(line?.slopeError, 0.7403569019371599, 1e-8);
});

test('no line goes through two points or through points above each other', () => {
	assert.equal(yorkLine(PEARSON.slice(0, 2)), null);
	assert.equal(yorkLine(PEARSON.map((point) => ({ ...point, x: 1 }))), null);
});
