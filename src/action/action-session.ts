import { join } from 'node:path';
import { getState, saveState } from '@actions/core';
import type { GitHub } from '../github/github-client.ts';
import { isFromFork } from '../github/pull-request.ts';
import type { PullRequest, RunnerContext } from '../types/action-run.ts';
import type { Janitor, Progress } from '../types/run-services.ts';
import type { Warning } from '../types/units.ts';
import type { ActionInputs } from './request/inputs.ts';
import type { RuntimeVariables } from './secrets.ts';

export interface ActionSession {
	readonly inputs: ActionInputs;
	readonly runner: RunnerContext;
	readonly github: GitHub | null;
	/** Variables of the runner's services, removed from the environment. */
	readonly runtime: RuntimeVariables;
	/** Variables of the user removed from the environment, because they may hold secrets. */
	readonly withheld: readonly string[];
	readonly janitor: Janitor;
	readonly progress: Progress;
	readonly signal: AbortSignal;
	/** Shown once, with the report. They never change the gate. */
	readonly warnings: Warning[];
	readonly remember: (name: RememberedName, value: string) => void;
}

export interface Place {
	readonly headSha: string;
	readonly pullRequest: PullRequest | null;
	readonly title: string;
}

/** GitHub restricts Dependabot's runs like those of forks, also on branches of the repository. */
const DEPENDABOT = 'dependabot[bot]';

/**
 * Whether the token is read-only even if the workflow grants more: the head is in a fork, or Dependabot started the
 * run.
 */
export function isFork(
	{ runner }: Pick<ActionSession, 'runner'>,
	{ pullRequest }: Pick<Place, 'pullRequest'>,
): boolean {
	return pullRequest !== null && (runner.actor === DEPENDABOT || isFromFork(pullRequest, runner.repository));
}

/**
 * Returns the folder for packed subjects and installed servers: BENCHGATE_CACHE, else one that is deleted after the
 * job, because it would carry a pull request's files into trusted runs.
 */
export function cacheFolderOf({ runner }: Pick<ActionSession, 'runner'>): string {
	return process.env.BENCHGATE_CACHE || join(runner.tempFolder, 'benchgate-cache');
}

/** Values saved for the post step. The runner keeps strings only. */
export const REMEMBERED = ['check', 'comment', 'headSha', 'title', 'key', 'concluded'] as const;
export type RememberedName = (typeof REMEMBERED)[number];

/** The post step can look these up on GitHub. */
const FOUND_OTHERWISE: readonly RememberedName[] = ['check', 'concluded'];

/**
 * Saves a value for the post step and replaces an earlier one of the same name. Throws the system's error (such as a
 * full disk) unless the post step can look the value up.
 */
export function remember(name: RememberedName, value: string): void {
	try {
		saveState(name, value);
	} catch (error) {
		if (!FOUND_OTHERWISE.includes(name)) throw error;
	}
}

export function recall(): Readonly<Record<RememberedName, string>> {
	return Object.fromEntries(REMEMBERED.map((name) => [name, getState(name)])) as Record<RememberedName, string>;
}
