import { join } from 'node:path';
import type { GitHub } from '../github/github-client.ts';
import { isFromFork } from '../github/pull-request.ts';
import type { PullRequest, RunnerContext } from '../types/action-run.ts';
import type { Janitor, Progress } from '../types/run-services.ts';
import type { Warning } from '../types/units.ts';
import type { ActionInputs } from './request/inputs.ts';
import type { RuntimeVariables } from './secrets.ts';
import type { RememberedName } from './step-state.ts';

/** What every step of an action's run shares. */
export interface ActionSession {
	readonly inputs: ActionInputs;
	readonly runner: RunnerContext;
	/** Null without a token. */
	readonly github: GitHub | null;
	/** Variables of the runner's own services, taken out of the environment. */
	readonly runtime: RuntimeVariables;
	/** Names of the user's own variables that were taken out of the environment, because they may hold secrets. */
	readonly withheld: readonly string[];
	/** Ends with the run every process and folder that is told to it. */
	readonly janitor: Janitor;
	readonly progress: Progress;
	readonly signal: AbortSignal;
	/** Everything that went wrong without changing the gate; shown once, with the report. */
	readonly warnings: Warning[];
	/** Remembers a value for the post step, which concludes what was cut off. */
	readonly remember: (name: RememberedName, value: string) => void;
}

/** Where words about a run belong on GitHub. */
export interface Place {
	/** Commit the check belongs on, and the comment names. */
	readonly headSha: string;
	readonly pullRequest: PullRequest | null;
	/** What the run is, for titles. */
	readonly title: string;
}

/** Whose runs GitHub treats like those of forks, also on branches of the repository. */
const DEPENDABOT = 'dependabot[bot]';

/**
 * Whether the run's token can write nothing whatever the workflow says: the head lives in another repository, or Dependabot started
 * the run.
 */
export function isFork(
	{ runner }: Pick<ActionSession, 'runner'>,
	{ pullRequest }: Pick<Place, 'pullRequest'>,
): boolean {
	return pullRequest !== null && (runner.actor === DEPENDABOT || isFromFork(pullRequest, runner.repository));
}

/**
 * Returns the folder for packed subjects and installed servers: the user's BENCHGATE_CACHE, else one that ends with the job. A
 * folder that outlives jobs would carry what a pull request left in it into runs that are trusted.
 */
export function cacheFolderOf({ runner }: Pick<ActionSession, 'runner'>): string {
	return process.env.BENCHGATE_CACHE || join(runner.tempFolder, 'benchgate-cache');
}
