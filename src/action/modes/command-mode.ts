/**
 * A `/benchgate` comment: whether its author may → which run measured this head → run it again. The job may write, so it checks
 * out nothing, measures nothing and touches no cache: what runs the pull request's code is a job of the pull request.
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
 * Starts the run again that measured the head of the pull request, and answers where there is something to say. The step fails
 * when a maintainer asked and got neither a run nor an answer.
 *
 * @throws UserError when nobody can be asked (`no-token`), or GitHub does not tell which run it is.
 */
export async function runCommandMode(session: CommandSession, request: CommandRequest): Promise<ModeOutcome> {
	const { github, runner, inputs } = session;
	if (github === null) throw noToken();
	const access = await hasWriteAccess(github, runner.repository, request.user);
	await react(session, github, request, access === true ? 'eyes' : 'confused');
	if (access !== true) {
		const why =
			access === 'unknown' ? 'GitHub did not say whether they have write access' : 'they have no write access';
		return nothing(`${request.user} wrote the command, and ${why}`);
	}
	const pullRequest = await getPullRequest(github, runner.repository, request.pullRequestNumber);
	const found = await findMeasuringRun(github, runner.repository, inputs.workflow, pullRequest);
	const refusal = refusalOf(found, inputs.workflow, pullRequest.headSha);
	if (refusal !== null) return answer(session, github, request, refusal);
	return start(session, github, request, found as PullRequestRun);
}

/** Null when the run may be started again. */
function refusalOf(
	found: Awaited<ReturnType<typeof findMeasuringRun>>,
	workflow: string,
	headSha: string,
): CommandAnswer | null {
	if (found === 'no-workflow') return { kind: 'no-workflow', workflow };
	if (found === null) return { kind: 'no-run', workflow, headSha };
	if (mayRunAgain(found)) return null;
	const { url: runUrl, conclusion } = found;
	return found.status === 'completed'
		? { kind: 'never-started', runUrl, conclusion: conclusion ?? '' }
		: { kind: 'running', runUrl };
}

/** The order is written first: the attempt it is for may read it as soon as it begins. */
async function start(
	session: CommandSession,
	github: GitHub,
	request: CommandRequest,
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

/** An order that stays is obeyed by the attempt that it names, whoever starts that one. */
function describeStale(url: string): string {
	return `Delete the comment ${url}: nothing was started, and the next attempt of the run would measure only what it says.`;
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

/** Whoever asked reads the answer; only where it could not be written the step has to say it. */
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
