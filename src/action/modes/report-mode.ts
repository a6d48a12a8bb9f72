/** The report mode as a table of contents: whose run → what it left → say it where it belongs → sum up. */
import { findPullRequest } from '../../github/pull-request.ts';
import { renderComment } from '../../report/github/comment.ts';
import { renderSummary } from '../../report/github/comment-summary.ts';
import { outputsOf } from '../../report/github/conclusion-outputs.ts';
import { MESSAGE_LIMIT, plainText } from '../../text/escape.ts';
import type { ActionRequest, MeasuredRun } from '../../types/action-run.ts';
import { UserError } from '../../types/errors.ts';
import type { ActionSession } from '../action-session.ts';
import { fetchPublications } from '../receive/artifact-fetch.ts';
import {
	type PublishedReport,
	publishReport,
	type Report,
	type ReportPlace,
	type ReportSession,
} from '../receive/publish-received.ts';
import { describeMissing, reportsOf } from '../receive/received-reports.ts';

export type ReportRequest = Extract<ActionRequest, { kind: 'report' }>;

/** What a report run came to. */
export interface Reported {
	/** Markdown for the job summary. */
	readonly summary: string;
	/** Outputs of the first report by name of artifact; empty when nothing was published. */
	readonly outputs: Readonly<Record<string, string>>;
	readonly commentUrl: string | null;
	/** For the log: what was written where, or why nothing was, in whole sentences. */
	readonly notes: readonly string[];
	/**
	 * What somebody must mend, in whole sentences: the step fails for any. What was measured never fails it, that is what the
	 * check on the measured commit is for.
	 */
	readonly problems: readonly string[];
}

/** Events whose runs tell on which commit they measured: the commit their run belongs to. */
const EVENTS_WITH_COMMIT = ['pull_request', 'push', 'merge_group', 'schedule', 'workflow_dispatch'];

/**
 * Publishes what a finished run measured, without running or checking out anything of it. Identity comes from the event and
 * the API; the artifact gives the words and numbers of its own report, and nothing else.
 *
 * @throws UserError when there is no token, or when GitHub does not let us look (`missing-permission`, `github-unreachable`).
 */
export async function runReport(
	{ inputs, runner, github }: Pick<ActionSession, 'inputs' | 'runner' | 'github'>,
	{ measured }: ReportRequest,
): Promise<Reported> {
	if (github === null) throw noToken();
	const session = { inputs, runner, github };
	if (!EVENTS_WITH_COMMIT.includes(measured.event)) {
		return nothing(`a run on ${measured.event} does not tell which commit it measured: it publishes its own report`);
	}
	const found = await findPlace(session, measured);
	if ('reason' in found) return nothing(found.reason, found.problems);
	const deliveries = await fetchPublications(github, runner.repository, measured, inputs.artifactName);
	if (deliveries.length === 0 && measured.conclusion === 'success')
		return nothing(describeMissing(inputs.artifactName));
	const { reports, problems } = reportsOf(deliveries, measured, inputs);
	return sumUp(await publishAll(session, found, reports), problems);
}

type Found = ReportPlace | { readonly reason: string; readonly problems: readonly string[] };

async function findPlace({ github, runner }: ReportSession, measured: MeasuredRun): Promise<Found> {
	const { headSha, event, headBranch } = measured;
	if (event !== 'pull_request') {
		return { measured, headSha, pullRequest: null, title: headBranch === '' ? event : `${event} on ${headBranch}` };
	}
	const found = await findPullRequest(github, runner.repository, measured);
	const { pullRequest } = found;
	if (pullRequest) return { measured, headSha, pullRequest, title: `pull request #${pullRequest.number}` };
	return { reason: found.reason, problems: found.warning ? [found.warning.message] : [] };
}

async function publishAll(
	session: ReportSession,
	place: ReportPlace,
	reports: readonly Report[],
): Promise<readonly PublishedReport[]> {
	const published: PublishedReport[] = [];
	// One after the other: GitHub asks for no parallel writes.
	for (const report of reports) published.push(await publishReport(session, place, report));
	return published;
}

function sumUp(published: readonly PublishedReport[], problems: readonly string[]): Reported {
	const [first] = published;
	const [only] = published.length === 1 ? published : [];
	return {
		// Of several each takes a tenth of what a summary may have.
		summary: only
			? renderSummary(only.conclusion, only.context)
			: published
					.map(({ key, conclusion, context }) => `## ${key}\n\n${renderComment(conclusion, context)}`)
					.join('\n'),
		outputs: first ? { ...outputsOf(first.conclusion, first.consequence) } : {},
		commentUrl: published.find(({ commentUrl }) => commentUrl !== null)?.commentUrl ?? null,
		notes: published.flatMap(({ notes }) => notes),
		problems: [...new Set([...problems, ...published.flatMap((each) => each.problems)])],
	};
}

function nothing(reason: string, problems: readonly string[] = []): Reported {
	const line = plainText(reason, MESSAGE_LIMIT);
	// The reason may name a branch of a fork: in a block of code it stays text.
	const summary = `### Nothing was published\n\n    ${line}\n`;
	return { summary, outputs: {}, commentUrl: null, notes: [`Nothing was published: ${line}.`], problems };
}

function noToken(): UserError {
	return new UserError({
		code: 'no-token',
		where: 'input github-token',
		message: 'there is no token to publish with',
		remedy: "leave the input out: its default is the workflow's own token",
	});
}
