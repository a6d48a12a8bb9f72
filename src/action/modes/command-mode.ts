/**
 * Runs a `/benchgate` comment. The job may write, so it checks out and measures nothing and uses no cache. The pull
 * request's code runs in another job.
 */
import {
	answerCommand,
	changeAnswer,
	findMeasuringRun,
	formatOrder,
	mayRunAgain,
	type PullRequestRun,
	reactToCommand,
	runAgain,
} from '../../github/command.ts';
import type { GitHub } from '../../github/github-client.ts';
import { hasWriteAccess } from '../../github/permissions.ts';
import { getPullRequest } from '../../github/pull-request.ts';
import { type CommandAnswer, renderCommandAnswer } from '../../report/github/command-answer.ts';
import type { BenchCommand, RequestOf } from '../../types/action-run.ts';
import { isUserError, UserError } from '../../types/errors.ts';
import type { ActionSession } from '../action-session.ts';
import { formatCommand, hasWords } from '../request/bench-command.ts';
import { type ModeOutcome, SILENT } from './mode-outcome.ts';

type CommandSession = Pick<ActionSession, 'inputs' | 'runner' | 'github' | 'warnings'>;
type CommandRequest = RequestOf<'command'>;

/**
 * Checks write access, then re-runs the run that measured the head, or replies why it cannot. Fails if a maintainer gets
 * neither.
 *
 * @throws UserError without a token (`no-token`), or when GitHub does not find the run.
 */
export async function runCommandMode(session: CommandSession, request: CommandRequest): Promise<ModeOutcome> {
	const { github, runner, inputs } = session;
	if (github === null) throw noToken();
	const access = await hasWriteAccess(github, runner.repository, request.user);
	const isRead = access === true && !('problem' in request.command);
	await react(session, github, request, isRead ? 'eyes' : 'confused');
	if (access !== true) {
		const why =
			access === 'unknown' ? 'GitHub did not report whether they have write access' : 'they have no write access';
		return nothing(`${request.user} wrote the command, and ${why}`);
	}
	const { command } = request;
	if ('problem' in command) return answer(session, github, request, { kind: 'misread', ...command });
	const pullRequest = await getPullRequest(github, runner.repository, request.pullRequestNumber);
	const measuringRun = await findMeasuringRun(github, runner.repository, inputs.workflow, pullRequest);
	const refusal = refusalOf(measuringRun, inputs.workflow, pullRequest.headSha);
	if (refusal !== null) return answer(session, github, request, refusal);
	return start(session, github, { ...request, command }, measuringRun as PullRequestRun);
}

function refusalOf(
	measuringRun: Awaited<ReturnType<typeof findMeasuringRun>>,
	workflow: string,
	headSha: string,
): CommandAnswer | null {
	if (measuringRun === 'no-workflow') return { kind: 'no-workflow', workflow };
	if (measuringRun === null) return { kind: 'no-run', workflow, headSha };
	if (mayRunAgain(measuringRun)) return null;
	const { url: runUrl, conclusion } = measuringRun;
	return measuringRun.status === 'completed'
		? { kind: 'never-started', runUrl, conclusion: conclusion ?? '' }
		: { kind: 'running', runUrl };
}

/** Writes the order first, because the new attempt may read it at once. */
async function start(
	session: CommandSession,
	github: GitHub,
	request: CommandRequest & { readonly command: BenchCommand },
	run: PullRequestRun,
): Promise<ModeOutcome> {
	const { repository } = session.runner;
	const order = hasWords(request.command) ? orderOf(request.command, run) : null;
	const written = order && (await answerCommand(github, repository, request.pullRequestNumber, order));
	if (written && 'warning' in written) return { ...SILENT, fail: [written.warning.message] };
	try {
		await runAgain(github, repository, run);
	} catch (error) {
		if (!isUserError(error)) throw error;
		const refused = { kind: 'refused', reason: `${error.message} ${error.remedy ?? ''}`.trim() } as const;
		if (!written) return answer(session, github, request, refused);
		const warning = await changeAnswer(github, repository, written.id, renderCommandAnswer(refused));
		return told(refused, warning === null ? undefined : `${warning.message} ${describeStale(written.url)}`);
	}
	return { ...SILENT, log: `Started ${run.url} again.` };
}

function orderOf(command: BenchCommand, { id, attempt, url, conclusion }: PullRequestRun): string {
	const next = { id, attempt: attempt + 1 };
	const text = formatCommand(command);
	const line = formatOrder({ run: next, after: conclusion ?? 'unknown', command: text });
	return `${line}\n${renderCommandAnswer({ kind: 'started', command: text, runUrl: url, attempt: next.attempt })}`;
}

/** The attempt that a stale order names would obey it, even if started by hand. */
function describeStale(url: string): string {
	return `Delete the comment ${url}: nothing was started, and the next attempt of the run would measure only what it lists.`;
}

async function answer(
	{ runner }: CommandSession,
	github: GitHub,
	{ pullRequestNumber }: CommandRequest,
	what: CommandAnswer,
): Promise<ModeOutcome> {
	const written = await answerCommand(github, runner.repository, pullRequestNumber, renderCommandAnswer(what));
	return told(what, 'warning' in written ? written.warning.message : undefined);
}

/** The step fails only if the reply was not written. */
function told(what: CommandAnswer, problem: string | undefined): ModeOutcome {
	const summary = renderCommandAnswer(what);
	return { ...SILENT, summary, log: summary, fail: problem === undefined ? [] : [problem] };
}

async function react(
	{ runner, warnings }: CommandSession,
	github: GitHub,
	{ commentId }: CommandRequest,
	reaction: 'eyes' | 'confused',
): Promise<void> {
	const warning = await reactToCommand(github, runner.repository, commentId, reaction);
	if (warning !== null) warnings.push(warning);
}

function nothing(reason: string): ModeOutcome {
	return { ...SILENT, log: `Nothing to do: ${reason}.` };
}

function noToken(): UserError {
	return new UserError({
		code: 'no-token',
		where: 'input github-token',
		message: 'without a token benchgate cannot ask GitHub whether the author of the command may start a run',
		remedy: 'leave the input out: it defaults to the token of the workflow',
	});
}
