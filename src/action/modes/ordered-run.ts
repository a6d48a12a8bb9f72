import { warningOf } from '../../github/api-failure.ts';
import { changeAnswer, type FoundOrder, findOrder, formatOrder } from '../../github/command.ts';
import type { GitHub } from '../../github/github-client.ts';
import { renderCommandAnswer } from '../../report/github/command-answer.ts';
import type { BenchCommand, CompareRequest, PullRequest, Repository, RunIdentity } from '../../types/action-run.ts';
import type { Warning } from '../../types/units.ts';
import type { ActionSession } from '../action-session.ts';
import { commandKeyOf, formatCommand, parseCommand } from '../request/bench-command.ts';
import type { ModeOutcome } from './mode-outcome.ts';

type Run = (session: ActionSession, request: CompareRequest) => Promise<ModeOutcome>;

export async function asOrdered(session: ActionSession, request: CompareRequest, run: Run): Promise<ModeOutcome> {
	const ordered = await orderOf(session, request);
	return ordered === null ? run(session, request) : answerCommand(session, request, ordered, run);
}

export function orderOf(session: ActionSession, { pullRequest }: CompareRequest): Promise<OrderedCommand | null> {
	const { repository, eventName, run } = session.runner;
	return findOrderedCommand(session.github, { repository, eventName, pullRequest, run }, session.warnings);
}

/**
 * Uses a separate key, so the gate's result stays. The job ends like the previous attempt, so a narrow
 * command cannot turn it green.
 */
async function answerCommand(
	session: ActionSession,
	request: CompareRequest,
	ordered: OrderedCommand,
	run: Run,
): Promise<ModeOutcome> {
	const { command, after } = ordered;
	const commentKey = commandKeyOf(session.inputs.commentKey);
	session.remember('key', commentKey);
	const commandSession = { ...session, inputs: { ...session.inputs, commentKey, gate: 'advisory' as const } };
	const outcome = await run(commandSession, { ...request, command, title: `command on ${request.title}` });
	const { github, runner, warnings } = session;
	const reportUrl = outcome.outputs['comment-url'] ?? '';
	if (github !== null && reportUrl !== '') {
		const warning = await concludeAnswer(github, runner.repository, ordered, { run: runner.run, reportUrl });
		if (warning !== null) warnings.push(warning);
	}
	const again = runner.workflow ? `run ${runner.workflow} again` : 'run the workflow again';
	const stays = `This attempt measured only ${formatCommand(command)}. The attempt before it ended with ${after}, and that stands: ${again} to measure everything.`;
	return { ...outcome, notices: [...outcome.notices, stays], fail: after === 'success' ? [] : [stays] };
}

/**
 * Links a command's report (null: no comment) in the comment with its order, which stays, because the attempt may be
 * reported again. Returns a warning on failure.
 */
export function concludeAnswer(
	github: GitHub,
	repository: Repository,
	{ order }: OrderedCommand,
	{ run, reportUrl }: { readonly run: RunIdentity; readonly reportUrl: string | null },
): Promise<Warning | null> {
	const { command, commentId } = order;
	const answer = { kind: 'ended', command, runUrl: run.url, attempt: run.attempt, reportUrl } as const;
	return changeAnswer(github, repository, commentId, `${formatOrder(order)}\n${renderCommandAnswer(answer)}`);
}

export interface OrderedCommand {
	readonly command: BenchCommand;
	readonly order: FoundOrder;
	/** Conclusion of the previous attempt: `success`, `failure`, … */
	readonly after: string;
}

interface OrderedAttempt {
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
		const what = 'see whether a /benchgate comment requested this attempt, so everything is measured';
		warnings.push(warningOf(error, { what, needs: { 'pull-requests': 'read' } }));
		return null;
	}
}
