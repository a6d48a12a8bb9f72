import { warningOf } from '../../github/api-failure.ts';
import { findOrder } from '../../github/command.ts';
import type { GitHub } from '../../github/github-client.ts';
import type { BenchCommand, PullRequest, Repository, RunIdentity } from '../../types/action-run.ts';
import type { Warning } from '../../types/units.ts';
import { parseCommand } from './bench-command.ts';

/** What a comment asked of an attempt. */
export interface OrderedCommand {
	readonly command: BenchCommand;
	/** What the attempt before it came to: `success`, `failure`, … */
	readonly after: string;
}

/** Whose attempt it is, as event and runner tell. */
export interface OrderedAttempt {
	readonly repository: Repository;
	/** Event that started the run. */
	readonly eventName: string;
	readonly pullRequest: Pick<PullRequest, 'number'> | null;
	readonly run: Pick<RunIdentity, 'id' | 'attempt'>;
}

/**
 * Returns what a `/benchgate` comment with words asked of exactly this attempt, null when none did: then everything is measured.
 * The first attempt of a run is never asked for, and costs no question. A failed call is a warning.
 */
export async function findOrderedCommand(
	github: GitHub | null,
	{ repository, eventName, pullRequest, run }: OrderedAttempt,
	warnings: Warning[],
): Promise<OrderedCommand | null> {
	if (github === null || pullRequest === null || eventName !== 'pull_request' || run.attempt === 1) return null;
	try {
		const order = await findOrder(github, repository, pullRequest.number, run);
		const command = order && parseCommand(order.command);
		return command && !('problem' in command) ? { command, after: order.after } : null;
	} catch (error) {
		const what = 'see whether a /benchgate comment asked for this attempt, so everything is measured';
		warnings.push(warningOf(error, { what, needs: { 'pull-requests': 'read' } }));
		return null;
	}
}
