import type { Point } from '../../../evaluation/answers/york.ts';

const X = [0, 0.9, 1.8, 2.6, 3.3, 4.4, 5.2, 6.1, 6.5, 7.4];
const Y = [5.9, 5.4, 4.4, 4.6, 3.5, 3.7, 2.8, 2.8, 2.4, 1.5];
const X_WEIGHTS = [1000, 1000, 500, 800, 200, 80, 60, 20, 1.8, 1];
const Y_WEIGHTS = [1, 1.8, 4, 8, 20, 20, 70, 70, 100, 500];

/** Pearson's data of 1901 with York's weights of 1966: the usual test of lines with errors in both coordinates. */
export const PEARSON: readonly Point[] = X.map((x, index) => ({
	x,
	y: Y[index] as number,
	xError: (X_WEIGHTS[index] as number) ** -0.5,
	yError: (Y_WEIGHTS[index] as number) ** -0.5,
}));
