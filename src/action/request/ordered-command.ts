import { warningOf } from '../../github/api-failure.ts';
import { type FoundOrder, findOrder } from '../../github/command.ts';
import type { GitHub } from '../../github/github-client.ts';
import type { BenchCommand, PullRequest, Repository, RunIdentity } from '../../types/action-run.ts';
import type { Warning } from '../../types/units.ts';
import { parseCommand } from './bench-command.ts';

export interface OrderedCommand {
	readonly command: BenchCommand;
	readonly order: FoundOrder;
	/** Conclusion of the previous attempt: `success`, `failure`, … */
	readonly after: string;
}

export interface OrderedAttempt {
	readonly repository: Repository;
	readonly eventName: string;
	readonly pullRequest: Pick<PullRequest, 'number'> | null;
	readonly run: Pick<RunIdentity, 'id' | 'attempt'>;
}

/**
 * Returns the `/benchgate` command that ordered this attempt, if it has words; else null. A failed call becomes a
 * warning.
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
		return order && command && !('problem' in command) ? { command, order, after: order.after } : null;
	} catch (error) {
		const what = 'see whether a /benchgate comment asked for this attempt, so everything is measured';
		warnings.push(warningOf(error, { what, needs: { 'pull-requests': 'read' } }));
		return null;
	}
}
