import { EXIT } from '../../types/errors.ts';
import type { SelftestResult } from '../../types/selftest.ts';

/** Returns 0 when it ran, 1 when the gate is not to be trusted here, 3 when nothing could be measured, 130 when interrupted. */
export function selftestExitCode({ trust, ended }: Pick<SelftestResult, 'trust' | 'ended'>): number {
	if (ended === 'interrupted') return EXIT.interrupted;
	if (trust === 'unmeasured') return EXIT.nothingMeasured;
	return trust === 'unsound' ? EXIT.gateFailed : EXIT.passed;
}
