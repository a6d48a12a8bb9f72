import type { CompareRequest } from '../../types/action-run.ts';
import type { ActionSession } from '../action-session.ts';
import { commandKeyOf, formatCommand } from '../request/bench-command.ts';
import { findOrderedCommand, type OrderedCommand } from '../request/ordered-command.ts';
import type { ModeOutcome } from './mode-outcome.ts';

/** What does a comparison, or its last part, and publishes it. */
type Run = (session: ActionSession, request: CompareRequest) => Promise<ModeOutcome>;

/** Returns what `run` comes to for this attempt: as the event asks, or as a comment asked of it. */
export async function asOrdered(session: ActionSession, request: CompareRequest, run: Run): Promise<ModeOutcome> {
	const ordered = await findOrder(session, request);
	return ordered === null ? run(session, request) : answerCommand(session, request, ordered, run);
}

/** Returns what a comment asked of this attempt; null when none did. */
export function findOrder(session: ActionSession, { pullRequest }: CompareRequest): Promise<OrderedCommand | null> {
	const { repository, eventName, run } = session.runner;
	return findOrderedCommand(session.github, { repository, eventName, pullRequest, run }, session.warnings);
}

/**
 * Measures what a comment asked for, beside the gate. Its result has a key of its own, so it replaces nothing that the gate said. Its
 * job ends as the attempt before it did, so a narrow question cannot turn a red job green.
 */
async function answerCommand(
	session: ActionSession,
	request: CompareRequest,
	{ command, after }: OrderedCommand,
	run: Run,
): Promise<ModeOutcome> {
	const commentKey = commandKeyOf(session.inputs.commentKey);
	session.remember('key', commentKey);
	const asked = { ...session, inputs: { ...session.inputs, commentKey, gate: 'advisory' as const } };
	const outcome = await run(asked, { ...request, command, title: `command on ${request.title}` });
	const stays = `This attempt measured only ${formatCommand(command)}. The attempt before it ended with ${after}, and that stands: run the workflow again to measure everything.`;
	return { ...outcome, notices: [...outcome.notices, stays], fail: after === 'success' ? [] : [stays] };
}
