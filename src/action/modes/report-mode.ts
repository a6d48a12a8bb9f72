/** Publishes another run's result. */
import { findOpenChecks } from '../../github/check-run.ts';
import { compareRuns } from '../../github/comment-marker.ts';
import { findPullRequest } from '../../github/pull-request.ts';
import { listComments, putComment } from '../../github/sticky-comment.ts';
import { renderComment, renderSummary } from '../../report/github/comment.ts';
import { renderNotMeasured } from '../../report/github/comment-measuring.ts';
import { outputsOf } from '../../report/github/conclusion-outputs.ts';
import { NO_BASELINES } from '../../runs/baseline/read-main-rows.ts';
import { MESSAGE_LIMIT, plainText } from '../../text/escape.ts';
import type { MeasuredRun, RequestOf } from '../../types/action-run.ts';
import { UserError } from '../../types/errors.ts';
import type { Warning } from '../../types/units.ts';
import type { ActionSession } from '../action-session.ts';
import { fetchDeliveries } from '../receive/artifact-fetch.ts';
import {
	type PublishedReceived,
	publishReceived,
	type ReceivedReport,
	type ReportPlace,
	type ReportSession,
} from '../receive/publish-received.ts';
import { describeMissing, hasComparison, reportsOf } from '../receive/received-reports.ts';
import { readMain } from '../record/read-main.ts';
import { commandKeyOf } from '../request/bench-command.ts';
import { type FoundBase, readBaseBranch } from '../rules/base-branch.ts';
import { keysIn, rulesFor } from '../rules/base-rules.ts';
import { deriveRows } from '../rules/derive-rows.ts';
import { machinesOf } from '../rules/hold-to-rules.ts';
import { type ModeOutcome, SILENT } from './mode-outcome.ts';
import { concludeAnswer, findOrderedCommand, type OrderedCommand } from './ordered-run.ts';

/** For these events, GitHub lists a run under the commit that it measured. */
const EVENTS_WITH_COMMIT = ['pull_request', 'push', 'merge_group', 'schedule', 'workflow_dispatch'];

/**
 * Publishes a finished run without running its code. Identity comes from the event and the API, rules from the base
 * branch and our inputs. Fails only for problems of reporting.
 *
 * @throws UserError without a token, or without access (`missing-permission`, `github-unreachable`).
 */
export async function runReportMode(
	{
		inputs,
		runner,
		github,
		janitor,
		signal,
	}: Pick<ActionSession, 'inputs' | 'runner' | 'github' | 'janitor' | 'signal'>,
	{ measured }: RequestOf<'report'>,
): Promise<ModeOutcome> {
	if (github === null) throw noToken();
	const session = { inputs, runner, github };
	if (!EVENTS_WITH_COMMIT.includes(measured.event)) {
		return nothing(`a run on ${measured.event} does not name the commit it measured: it publishes its own report`);
	}
	const reportPlace = await findPlace(session, measured);
	if ('reason' in reportPlace) return nothing(reportPlace.reason, reportPlace.problems);
	const orderLookup = await findAnswered(session, reportPlace);
	if ('problem' in orderLookup) return nothing(orderLookup.problem, [orderLookup.problem]);
	const { ordered } = orderLookup;
	const base = await readBaseBranch(github, runner.repository, measured, reportPlace.pullRequest);
	// Again, because GitHub listed the newest head's changes, perhaps of a harmless head pushed for that moment.
	const still = reportPlace.pullRequest === null ? reportPlace : await findPlace(session, measured);
	if ('reason' in still) return nothing(still.reason, still.problems);
	const jobs = jobsByKey(inputs, base, ordered);
	const { artifactName } = inputs;
	const deliveries = await fetchDeliveries(github, runner.repository, measured, {
		artifactName,
		keys: keysTaken(jobs),
	});
	const openKeys = await findOpenChecks(github, runner.repository, { headSha: reportPlace.headSha, run: measured.run });
	const target = base !== 'none' && 'branch' in base ? base.branch.name : null;
	const main = hasComparison(deliveries) ? await readMain({ ...session, janitor, signal }, target) : NO_BASELINES;
	const receivedReports = await reportsOf(deliveries, {
		measured,
		main,
		staysRed: ordered !== null && ordered.after !== 'success',
		artifactName,
		ownKey: ordered === null ? inputs.commentKey : commandKeyOf(inputs.commentKey),
		rulesOf: (key) =>
			rulesFor(base, measured, inputs, { key: jobs.get(key) ?? key, command: ordered?.command ?? null }),
		changed: base !== 'none' && 'changed' in base ? base.changed : null,
		derive: async (config, raw) => {
			const sha = baseShaOf(base, measured);
			if (sha === null) return 'the base commit is unknown';
			const commits = { base: sha, head: measured.headSha };
			const { repository } = runner;
			return deriveRows({ github, repository, config, covered: main.covered, machines: machinesOf(raw), commits });
		},
		openKeys: openKeys.filter((key) => jobs.has(key)),
	});
	const problems = [
		...receivedReports.problems,
		...(base !== 'none' && 'unreadable' in base ? [describeUnreadable(base.unreadable)] : []),
	];
	if (receivedReports.reports.length === 0) {
		await concludeMarked(session, reportPlace);
		return nothing(receivedReports.notes[0] ?? describeMissing(artifactName), problems);
	}
	const place = ordered === null ? reportPlace : { ...reportPlace, title: `command on ${reportPlace.title}` };
	const published = await publishAll(session, place, receivedReports.reports);
	if (ordered !== null) {
		const reportUrl = published.find(({ commentUrl }) => commentUrl !== null)?.commentUrl ?? null;
		const warning = await concludeAnswer(github, runner.repository, ordered, { run: measured.run, reportUrl });
		if (warning !== null) problems.push(warning.message);
	}
	return sumUp(published, problems, receivedReports.notes);
}

/** A merge group is built on the tip. */
function baseShaOf(base: FoundBase, { event }: MeasuredRun): string | null {
	if (base === 'none' || 'unreadable' in base) return null;
	return event === 'merge_group' ? base.branch.sha : base.mergeBase;
}

type Answered = { readonly ordered: OrderedCommand | null } | { readonly problem: string };

/** If GitHub does not answer, the result may be a command's, not the gate's. */
async function findAnswered(
	{ github, runner: { repository } }: ReportSession,
	{ measured: { event: eventName, run }, pullRequest }: ReportPlace,
): Promise<Answered> {
	const warnings: Warning[] = [];
	const ordered = await findOrderedCommand(github, { repository, eventName, pullRequest, run }, warnings);
	const [warning] = warnings;
	return warning ? { problem: warning.message } : { ordered };
}

/** Maps report keys to job keys, by our inputs or the base branch's workflow. Commands have separate keys. */
function jobsByKey(
	{ commentKey, commentKeys }: ActionSession['inputs'],
	base: FoundBase,
	ordered: OrderedCommand | null,
): ReadonlyMap<string, string> {
	const jobs = [commentKey, ...(commentKeys.length > 0 ? commentKeys : keysIn(base))];
	return new Map(jobs.map((key) => [ordered === null ? key : commandKeyOf(key), key]));
}

/** A job that could not see the order uses its own key. */
function keysTaken(jobs: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
	return new Map([...jobs].flatMap(([key, job]) => [job, key].map((claimed) => [claimed, key] as const)));
}

function describeUnreadable({ message, remedy }: UserError): string {
	return `${message} ${remedy ?? ''}`.trim();
}

type Found = ReportPlace | { readonly reason: string; readonly problems: readonly string[] };

async function findPlace({ github, runner }: ReportSession, measured: MeasuredRun): Promise<Found> {
	const { headSha, event, headBranch } = measured;
	if (event !== 'pull_request') {
		return { measured, headSha, pullRequest: null, title: headBranch === '' ? event : `${event} on ${headBranch}` };
	}
	const lookup = await findPullRequest(github, runner.repository, measured);
	const { pullRequest } = lookup;
	if (pullRequest) return { measured, headSha, pullRequest, title: `pull request #${pullRequest.number}` };
	return { reason: lookup.reason, problems: lookup.warning ? [lookup.warning.message] : [] };
}

async function publishAll(
	session: ReportSession,
	place: ReportPlace,
	reports: readonly ReceivedReport[],
): Promise<readonly PublishedReceived[]> {
	const published: PublishedReceived[] = [];
	// GitHub asks clients not to write in parallel.
	for (const report of reports) published.push(await publishReceived(session, place, report));
	return published;
}

function sumUp(
	published: readonly PublishedReceived[],
	problems: readonly string[],
	noted: readonly string[],
): ModeOutcome {
	const [first] = published;
	const [only] = published.length === 1 ? published : [];
	const commentUrl = published.find((each) => each.commentUrl !== null)?.commentUrl ?? '';
	return {
		...SILENT,
		// If there are several reports, each may use a tenth of a summary's length.
		summary: only
			? renderSummary(only.conclusion, only.context)
			: published
					.map(({ key, conclusion, context }) => `## ${key}\n\n${renderComment(conclusion, context)}`)
					.join('\n'),
		outputs: { ...(first && outputsOf(first.conclusion, first.consequence)), 'comment-url': commentUrl },
		notices: [...noted, ...published.flatMap(({ notes }) => notes)],
		fail: [...new Set([...problems, ...published.flatMap((each) => each.problems)])],
	};
}

function nothing(reason: string, problems: readonly string[] = []): ModeOutcome {
	const line = plainText(reason, MESSAGE_LIMIT);
	// A code block, because the reason may name a fork's branch.
	const summary = `### Nothing was published\n\n    ${line}\n`;
	return {
		...SILENT,
		summary,
		outputs: { 'comment-url': '' },
		notices: [`Nothing was published: ${line}.`],
		fail: problems,
	};
}

function noToken(): UserError {
	return new UserError({
		code: 'no-token',
		where: 'input github-token',
		message: 'there is no token to publish with',
		remedy: 'leave the input out: it defaults to the token of the workflow',
	});
}

/** Concludes the comments that a run without a report has marked. */
async function concludeMarked(
	{ github, inputs, runner }: ReportSession,
	{ pullRequest, headSha, measured }: ReportPlace,
): Promise<void> {
	if (pullRequest === null || inputs.comment === 'never') return;
	const place = { repository: runner.repository, issue: pullRequest.number };
	for (const { marker, text } of await listComments(github, place)) {
		if (marker.state !== 'measuring' || compareRuns(marker.run, measured.run) !== 0) continue;
		const body = renderNotMeasured(text, { headSha, runUrl: measured.run.url });
		await putComment(github, { ...place, key: marker.key, run: measured.run, headSha, body, final: true });
	}
}
