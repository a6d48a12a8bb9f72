import type { Result } from '../types/result.ts';
import type { Acceptance } from '../types/verdict.ts';

/**
 * Returns `result` with its failed gate passed because somebody accepted the regression. Verdicts and reasons stay, so that
 * every report still says what regressed. A gate that did not fail has nothing to accept: the result is returned as it is.
 */
export function acceptRegression(result: Result, acceptance: Acceptance): Result {
	if (result.gate.outcome !== 'fail') return result;
	return { ...result, gate: { ...result.gate, outcome: 'pass', accepted: acceptance } };
}
