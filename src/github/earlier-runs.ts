import { plainText } from '../text/escape.ts';
import type { RunIdentity } from '../types/action-run.ts';
import { statusOf } from './api-failure.ts';
import { type CheckPlace, listChecks } from './check-run.ts';
import { compareRuns } from './comment-marker.ts';
import type { GitHub } from './github-client.ts';

/** What an earlier measurement of the same commit came to. */
export interface EarlierRun {
	readonly run: Pick<RunIdentity, 'id' | 'attempt'>;
	/** `success`, `failure`, `neutral`, … */
	readonly conclusion: string;
	/** One line of plain text. */
	readonly title: string;
}

const TITLE_LIMIT = 120;

/**
 * Returns the finished checks of earlier runs and attempts on the same commit under the same key, oldest first. None when the
 * token may not see checks: then nobody can tell.
 */
export async function findEarlierRuns(github: GitHub, place: CheckPlace): Promise<readonly EarlierRun[]> {
	try {
		return (await listChecks(github, place))
			.flatMap(({ run, conclusion, title }) =>
				// A run that was cut off is no evidence.
				conclusion === null || conclusion === 'cancelled' || compareRuns(run, place.run) >= 0
					? []
					: [{ run, conclusion, title: plainText(title, TITLE_LIMIT) }],
			)
			.sort((a, b) => compareRuns(a.run, b.run));
	} catch (error) {
		if (statusOf(error) === null) throw error;
		return [];
	}
}
