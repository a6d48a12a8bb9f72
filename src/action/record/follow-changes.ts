/** Tracks proven slowdowns of main in issues. */
import { createHash } from 'node:crypto';
import { warningOf } from '../../github/api-failure.ts';
import {
	type ChangeIssue,
	findChangeAcceptance,
	getChangeIssue,
	listChangeIssues,
	openChangeIssue,
	sharesKey,
	updateChangeIssue,
} from '../../github/change-issues.ts';
import type { GitHub } from '../../github/github-client.ts';
import { refusalOf } from '../../github/permissions.ts';
import {
	type IssueEnd,
	type IssueFacts,
	renderChangeIssue,
	renderChangeLine,
	renderIssueEnd,
} from '../../report/github/change-issue.ts';
import { groupChanges, isSameStep, type RowChange } from '../../trend/group-changes.ts';
import type { Repository } from '../../types/action-run.ts';
import type { ChangeNote, ChangePoint, ChangeState, Trend } from '../../types/trend.ts';
import type { Warning } from '../../types/units.ts';

/** New issues per run, to spare readers. Later runs open the rest. */
const MOST_NEW = 5;

export interface FollowRequest {
	readonly trend: Trend;
	/** If null, proven changes are only listed. */
	readonly github: GitHub | null;
	readonly repository: Repository;
	/** `https://github.com/o/r`. */
	readonly page: string;
	/** ISO 8601, UTC. */
	readonly now: string;
	readonly warn: (warning: Warning) => void;
}

export interface Followed {
	/** Notes to store, with the issue and state of each change. */
	readonly notes: readonly ChangeNote[];
	/** Markdown, one line each. */
	readonly lines: readonly string[];
}

interface Story {
	readonly issue: ChangeIssue;
	readonly changes: readonly RowChange[];
	/** Changes that no note has linked to the issue yet. */
	readonly joined: readonly RowChange[];
}

/**
 * Opens, updates and closes issues for proven slowdowns; never reopens one. A failed call becomes a warning; the
 * effects of earlier calls stay.
 */
export async function followChanges(request: FollowRequest): Promise<Followed> {
	const { trend, github, repository, warn } = request;
	const issueChanges = changesByIssue(trend);
	const fresh = groupChanges(trend, isNew).map(({ changes }) => changes);
	const notes: ChangeNote[] = [];
	const lines: string[] = [];
	if (issueChanges.size + fresh.length === 0) return { notes, lines };
	const session: Session = { ...request, notes, lines };
	const untold = [...fresh];
	try {
		if (github !== null) await follow({ ...session, github }, issueChanges, untold);
	} catch (error) {
		// Permissions may be missing, because only the caller of a reusable workflow can grant them.
		const what = `follow the slowdowns of main in issues of ${repository.owner}/${repository.repo}`;
		warn(warningOf(error, { what, needs: { contents: 'write', issues: 'write' } }));
	}
	for (const changes of untold) lines.push(`${lineOf(request, changes)}: proven, and without an issue yet`);
	return { notes, lines };
}

interface Session extends Omit<FollowRequest, 'github'> {
	readonly notes: ChangeNote[];
	readonly lines: string[];
}
type Connected = Session & { readonly github: GitHub };

async function follow(
	session: Connected,
	issueChanges: ReadonlyMap<number, readonly RowChange[]>,
	untold: (readonly RowChange[])[],
): Promise<void> {
	const { github, repository } = session;
	for (const [number, changes] of issueChanges) {
		const issue = await getChangeIssue(github, repository, number);
		if (issue === null) continue;
		if (!issue.open) await noteRejection(session, issue, changes);
		else await update(session, { issue, changes, ...takeJoining(changes, untold) });
	}
	if (untold.length === 0) return;
	// If a run ended before it stored the issue's number, the issue is found by its keys.
	const listed = await listChangeIssues(github, repository);
	for (const changes of untold.slice(0, MOST_NEW)) {
		const issue = listed.find(({ keys }) => sharesKey(keys, keysOf(changes)));
		if (issue === undefined) await open(session, changes);
		else if (issue.open) await update(session, { issue, changes, joined: changes });
		else note(session, changes, issue.number, null, 'proof');
		untold.splice(untold.indexOf(changes), 1);
	}
}

async function open(session: Connected, changes: readonly RowChange[]): Promise<void> {
	const text = renderChangeIssue(factsOf(session, changes));
	const { number, url } = await openChangeIssue(session.github, session.repository, { ...text, keys: keysOf(changes) });
	note(session, changes, number, null, 'proof');
	session.lines.push(`${lineOf(session, changes)}: [#${number}](${url}) opened`);
}

async function update(session: Connected, { issue, changes, joined }: Story): Promise<void> {
	const { github, repository, warn, lines } = session;
	const all = [...changes, ...joined.filter((one) => !changes.includes(one))];
	const facts = factsOf(session, all);
	const text = { ...renderChangeIssue(facts), keys: [...new Set([...issue.keys, ...keysOf(all)])] };
	const { acceptance, warnings } = await findChangeAcceptance(github, repository, issue.number);
	for (const warning of warnings) warn(warning);
	const isRepaired = all.every(({ change }) => change.state === 'repaired');
	if (acceptance !== null || isRepaired) {
		const end: IssueEnd = acceptance === null ? { kind: 'repaired' } : { kind: 'accepted', ...acceptance };
		const reason = end.kind === 'accepted' ? 'not_planned' : 'completed';
		await updateChangeIssue(github, repository, issue.number, text, { reason, comment: renderIssueEnd(facts, end) });
		note(session, all, issue.number, end.kind, acceptance?.by ?? 'proof');
		lines.push(`${lineOf(session, all)}: ${end.kind}, [#${issue.number}](${issue.url}) closed`);
		return;
	}
	// GitHub changes line ends.
	const isSame = issue.title === text.title && issue.text.replaceAll('\r\n', '\n').trim() === text.body.trim();
	if (!isSame) await updateChangeIssue(github, repository, issue.number, text);
	note(session, joined, issue.number, null, 'proof');
	lines.push(`${lineOf(session, all)}: [#${issue.number}](${issue.url})${isSame ? '' : ' brought up to date'}`);
}

/** Closing the issue as not planned, with write access, accepts the change. */
async function noteRejection(session: Connected, issue: ChangeIssue, changes: readonly RowChange[]): Promise<void> {
	const { rejectedBy, number } = issue;
	if (rejectedBy === null || (await refusalOf(session.github, session.repository, rejectedBy)) !== null) return;
	note(session, changes, number, 'accepted', rejectedBy);
}

/** The changes of unfinished issues, oldest issue first. */
function changesByIssue({ rows }: Trend): ReadonlyMap<number, readonly RowChange[]> {
	const changesWithIssue = rows.flatMap((row) =>
		row.changes.flatMap((change) => {
			const number = change.note?.issue ?? null;
			return number === null ? [] : [{ number, row, change }];
		}),
	);
	const byNumber = Map.groupBy(changesWithIssue, ({ number }) => number);
	const isAtRest = ({ change }: RowChange) => ['accepted', 'repaired'].includes(change.note?.state ?? '');
	return new Map(
		[...byNumber].filter(([, changes]) => !changes.every(isAtRest)).toSorted(([one], [other]) => one - other),
	);
}

function takeJoining(
	changes: readonly RowChange[],
	untold: (readonly RowChange[])[],
): { readonly joined: readonly RowChange[] } {
	const joining = untold.filter((group) => group.some((one) => changes.some((other) => isSameStep(one, other))));
	for (const group of joining) untold.splice(untold.indexOf(group), 1);
	return { joined: joining.flat() };
}

function isNew({ step, state, note: changeNote }: ChangePoint): boolean {
	return step < 0 && (state === 'confirmed' || state === 'bisected') && (changeNote?.issue ?? null) === null;
}

/** If `state` is null, each change keeps its own. */
function note(
	{ notes, now }: Session,
	changes: readonly RowChange[],
	issue: number,
	state: ChangeState | null,
	by: string,
): void {
	for (const { change } of changes) notes.push({ id: change.id, state: state ?? change.state, by, at: now, issue });
}

function factsOf({ trend, page }: Pick<FollowRequest, 'trend' | 'page'>, changes: readonly RowChange[]): IssueFacts {
	return { commits: trend.commits, changes, page };
}

function lineOf(request: Pick<FollowRequest, 'trend' | 'page'>, changes: readonly RowChange[]): string {
	return renderChangeLine(factsOf(request, changes));
}

/** Keys are hashes, so they contain no foreign text. */
function keysOf(changes: readonly RowChange[]): string[] {
	return changes.map(({ change }) => createHash('sha256').update(change.id).digest('hex').slice(0, 12));
}
