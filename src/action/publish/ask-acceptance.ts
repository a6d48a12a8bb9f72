import { findAcceptance } from '../../github/acceptance.ts';
import type { GitHub } from '../../github/github-client.ts';
import { acceptRegression } from '../../judge/accept.ts';
import type { Conclusion } from '../../types/action-run.ts';
import type { Warning } from '../../types/units.ts';
import type { Acceptance } from '../../types/verdict.ts';
import type { ActionSession, Place } from '../action-session.ts';

/** A conclusion after somebody was asked whether its regression is accepted. */
export interface Asked {
	readonly conclusion: Conclusion;
	readonly acceptance: Acceptance | null;
	readonly warnings: readonly Warning[];
}

/**
 * Returns the conclusion with its regression accepted, when somebody with write access does. Asked of the API when the report is
 * made: an event may be old, and an artifact could only claim it.
 */
export async function accept(
	{ github, runner, inputs }: Pick<ActionSession, 'runner' | 'inputs'> & { readonly github: GitHub | null },
	{ pullRequest }: Pick<Place, 'pullRequest'>,
	conclusion: Conclusion,
): Promise<Asked> {
	if (conclusion.kind !== 'compared' || conclusion.result.gate.outcome !== 'fail' || !pullRequest || !github) {
		return { conclusion, acceptance: null, warnings: [] };
	}
	const found = await findAcceptance(github, runner.repository, pullRequest.number, inputs.acceptLabel);
	const { acceptance, warnings } = found;
	if (acceptance === null) return { conclusion, acceptance, warnings };
	return {
		conclusion: { kind: 'compared', result: acceptRegression(conclusion.result, acceptance) },
		acceptance,
		warnings,
	};
}
