/** A straight line through points that have errors in both coordinates. */
import { mean } from 'simple-statistics';
import { TIMER_RESOLUTION } from '../../src/stats/moments.ts';

/** A point and the standard errors of its coordinates, independent of each other. */
export interface Point {
	readonly x: number;
	readonly y: number;
	readonly xError: number;
	readonly yError: number;
}

export interface Line {
	readonly points: number;
	readonly slope: number;
	readonly intercept: number;
	/** Standard errors that follow from those of the points alone. */
	readonly slopeError: number;
	readonly interceptError: number;
	/**
	 * χ² / (n − 2): about 1 if the points lie as far from the line as their errors predict, larger if they lie farther.
	 */
	readonly misfit: number;
}

const MOST_STEPS = 500;
const CLOSE = 1e-13;

/**
 * Returns the line y = intercept + slope · x that fits `points` best when each coordinate counts by 1 / its squared
 * error; null for fewer than three points, if all have the same x, or if the iteration does not converge. Errors below
 * the timer resolution are raised to it. Source: York, Evensen, Martínez and Delgado, "Unified equations for the slope,
 * intercept, and standard errors of the best straight line", Am. J. Phys. 72 (2004) 367, equation 13 with r = 0.
 */
export function yorkLine(points: readonly Point[]): Line | null {
	if (points.length < 3) return null;
	let slope = plainSlope(points);
	if (!Number.isFinite(slope)) return null;
	for (let step = 0; step < MOST_STEPS; step++) {
		const following = nextSlope(points, slope);
		if (!Number.isFinite(following)) return null;
		const settled = Math.abs(following - slope) <= CLOSE * Math.max(Math.abs(following), 1);
		slope = following;
		if (settled) return lineAt(points, slope);
	}
	return null;
}

function plainSlope(points: readonly Point[]): number {
	const [x, y] = [mean(points.map((point) => point.x)), mean(points.map((point) => point.y))];
	return sum(points.map((point) => (point.x - x) * (point.y - y))) / sum(points.map((point) => (point.x - x) ** 2));
}

/** W, U, V and β of the source, for a slope. */
function terms(points: readonly Point[], slope: number) {
	const weighed = points.map(({ x, y, xError, yError }) => {
		const [xVariance, yVariance] = [xError, yError].map((error) => Math.max(error, TIMER_RESOLUTION) ** 2) as [
			number,
			number,
		];
		return { x, y, xVariance, yVariance, weight: 1 / (yVariance + slope * slope * xVariance) };
	});
	const weights = sum(weighed.map(({ weight }) => weight));
	const centre = {
		x: sum(weighed.map(({ weight, x }) => weight * x)) / weights,
		y: sum(weighed.map(({ weight, y }) => weight * y)) / weights,
	};
	const rows = weighed.map(({ x, y, xVariance, yVariance, weight }) => {
		const [u, v] = [x - centre.x, y - centre.y];
		return { x, y, u, v, weight, beta: weight * (u * yVariance + slope * v * xVariance) };
	});
	return { centre, weights, rows };
}

function nextSlope(points: readonly Point[], slope: number): number {
	const { rows } = terms(points, slope);
	return (
		sum(rows.map(({ weight, beta, v }) => weight * beta * v)) /
		sum(rows.map(({ weight, beta, u }) => weight * beta * u))
	);
}

/** Standard errors are taken at the adjusted points, x = centre + β. */
function lineAt(points: readonly Point[], slope: number): Line {
	const { centre, weights, rows } = terms(points, slope);
	const intercept = centre.y - slope * centre.x;
	const adjusted = centre.x + sum(rows.map(({ weight, beta }) => weight * beta)) / weights;
	const slopeVariance = 1 / sum(rows.map(({ weight, beta }) => weight * (centre.x + beta - adjusted) ** 2));
	const chiSquare = sum(rows.map(({ weight, x, y }) => weight * (y - slope * x - intercept) ** 2));
	return {
		points: points.length,
		slope,
		intercept,
		slopeError: Math.sqrt(slopeVariance),
		interceptError: Math.sqrt(1 / weights + adjusted ** 2 * slopeVariance),
		misfit: chiSquare / (points.length - 2),
	};
}

function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}
