import type { CompareRequest } from '../../types/action-run.ts';
import type { ActionSession } from '../action-session.ts';
import { concludeAnswer } from '../publish/conclude-answer.ts';
import { commandKeyOf, formatCommand } from '../request/bench-command.ts';
import { findOrderedCommand, type OrderedCommand } from '../request/ordered-command.ts';
import type { ModeOutcome } from './mode-outcome.ts';

type Run = (session: ActionSession, request: CompareRequest) => Promise<ModeOutcome>;

export async function asOrdered(session: ActionSession, request: CompareRequest, run: Run): Promise<ModeOutcome> {
	const ordered = await findOrder(session, request);
	return ordered === null ? run(session, request) : answerCommand(session, request, ordered, run);
}

export function findOrder(session: ActionSession, { pullRequest }: CompareRequest): Promise<OrderedCommand | null> {
	const { repository, eventName, run } = session.runner;
	return findOrderedCommand(session.github, { repository, eventName, pullRequest, run }, session.warnings);
}

/**
 * Uses a separate key, so that the gate's result stays. The job ends like the previous attempt, so that a narrow
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
