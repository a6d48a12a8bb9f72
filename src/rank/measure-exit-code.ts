import { EXIT } from '../types/errors.ts';
import type { MeasureResult } from '../types/ranking/measure.ts';

/** Returns the exit code of a ranking: 130 when it was cut off, 3 when no row was measured, else 0. It gates nothing. */
export function measureExitCode({ ended, rows }: Pick<MeasureResult, 'ended' | 'rows'>): number {
	if (ended === 'interrupted') return EXIT.interrupted;
	return rows.some(({ state }) => state === 'measured') ? EXIT.passed : EXIT.nothingMeasured;
}
