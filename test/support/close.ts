import assert from 'node:assert/strict';

/** Compares with a relative tolerance (absolute below 1e-300). */
export function assertClose(actual: number | null | undefined, expected: number, relative = 1e-12, label = ''): void {
	const error = Math.abs((actual ?? Number.NaN) - expected);
	assert.ok(
		error <= relative * Math.max(Math.abs(expected), 1e-300),
		`${label} got ${actual}, expected ${expected} (relative error ${error / Math.abs(expected)})`,
	);
}
