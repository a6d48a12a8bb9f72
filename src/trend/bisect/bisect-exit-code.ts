import { EXIT } from '../../types/errors.ts';
import type { BisectResult } from './bisect-result.ts';

/** Returns 0 for a commit that is named and proven, 1 for none, 3 when nothing could be measured, 130 when interrupted. */
export function bisectExitCode({ ended, state }: Pick<BisectResult, 'ended' | 'state'>): number {
	if (ended.kind === 'interrupted') return EXIT.interrupted;
	if (ended.kind === 'found' && ended.proven) return EXIT.passed;
	const measured = state.probes.length + state.same.length > 0;
	return measured ? EXIT.gateFailed : EXIT.nothingMeasured;
}
