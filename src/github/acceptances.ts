import { EVERY_CELL, WHAT_FORM } from '../text/accepted-words.ts';
import type { Repository } from '../types/action-run.ts';
import type { Warning } from '../types/units.ts';
import type { Acceptance, AcceptedRows } from '../types/verdict.ts';
import {
	type AcceptanceLine,
	holdsFor,
	mayAccept,
	REASON_LIMIT,
	type ReadLine,
	readAcceptanceLines,
} from './acceptance-line.ts';
import { statusOf, warningOf } from './api-failure.ts';
import type { GitHub } from './github-client.ts';
import { ignored, nameOf, refusalOf } from './permissions.ts';

interface LabelEvents {
	/** Latest addition of the label. */
	readonly last: {
		readonly id: number;
		readonly at: string;
		readonly by: string | null;
		readonly viaApp: boolean;
	} | null;
	/** Latest event after which the head may be an older commit. */
	readonly changedAt: string | null;
}

/** Events after which the head may be an earlier commit, or compared with another branch. */
const CHANGES = ['head_ref_force_pushed', 'head_ref_restored', 'reopened', 'base_ref_changed'];

const ELSEWHERE =
	'The label was not read here, because the token of this job cannot see runs. The reporting workflow reads it, and its check counts.';
const AGAIN = 'Take the label off and on again to accept what is red now.';

interface Said {
	readonly by: string | null;
	readonly viaApp: boolean;
	readonly via: 'body' | 'comment';
	readonly text: string;
}

/** People whose access is queried, latest first. */
const MOST_PEOPLE = 20;

/** Texts read of a person without access, who may write slow ones. */
const MOST_REFUSED = 3;

const PLACES = { body: 'The line in the description', comment: 'The line in a comment' } as const;

export interface AcceptancePlace {
	readonly repository: Repository;
	readonly number: number;
	readonly headSha: string;
	readonly label: string;
	/** Another workflow decides the check. */
	readonly decidedElsewhere?: boolean;
}

export interface FoundAcceptances {
	/** In order of preference. */
	readonly acceptances: readonly Acceptance[];
	/** Why other acceptances do not count. */
	readonly warnings: readonly Warning[];
}

export interface PullState {
	readonly body: string;
	readonly author: string | null;
	readonly labels: readonly string[];
	readonly createdAt: string;
	readonly headRef: string;
	/** `owner/name`; null for a deleted repository. */
	readonly headRepository: string | null;
}

/**
 * Returns acceptances of a head commit by people with write access: lines first, because they have a reason, then the
 * label. A failed call is a warning.
 */
export async function findAcceptances(github: GitHub, place: AcceptancePlace): Promise<FoundAcceptances> {
	const { repository, number, headSha } = place;
	const acceptances: Acceptance[] = [];
	const warnings: Warning[] = [];
	try {
		const { data } = await github.rest.pulls.get({ ...repository, pull_number: number });
		if (data.head.sha !== headSha) {
			const message = `Acceptances were not checked, because #${number} has moved on to commit ${data.head.sha.slice(0, 10)}.`;
			return { acceptances, warnings: [ignored(message)] };
		}
		const pull: PullState = {
			body: data.body ?? '',
			author: data.user?.login ?? null,
			labels: data.labels.map(({ name }) => name),
			createdAt: data.created_at,
			headRef: data.head.ref,
			headRepository: data.head.repo?.full_name ?? null,
		};
		for (const find of [findInLines, findLabel]) {
			const outcome = await find(github, place, pull);
			acceptances.push(...outcome.acceptances);
			warnings.push(...outcome.warnings);
		}
	} catch (error) {
		const what = `find acceptances of red rows on #${number}`;
		warnings.push(warningOf(error, { what, needs: { 'pull-requests': 'read' } }));
	}
	return { acceptances, warnings };
}

/**
 * Reads the description, as its author's text, and comments. Returns one per person, latest first. Throws failed calls.
 */
async function findInLines(
	github: GitHub,
	place: AcceptancePlace,
	{ body, author }: Pick<PullState, 'body' | 'author'>,
): Promise<FoundAcceptances> {
	const comments = await listComments(github, place);
	// The author counts: any other editor of the description has write access too.
	const description: Said = { by: author, viaApp: false, via: 'body', text: body };
	const statements = [...comments.toReversed(), description].filter(({ text }) => mayAccept(text));
	const people = [...Map.groupBy(statements, ({ by, viaApp }) => `${viaApp} ${by}`).values()].slice(0, MOST_PEOPLE);
	const outcomes: FoundAcceptances[] = [];
	for (const personStatements of people) outcomes.push(await findOfPerson(github, place, personStatements));
	return {
		acceptances: outcomes.flatMap(({ acceptances }) => acceptances),
		warnings: outcomes.flatMap(({ warnings }) => warnings),
	};
}

async function listComments(github: GitHub, { repository, number }: AcceptancePlace): Promise<readonly Said[]> {
	const request = { ...repository, issue_number: number, per_page: 100 };
	const comments = await github.paginate(github.rest.issues.listComments, request);
	return comments.map(({ body, user, performed_via_github_app: app }) => {
		return { by: user?.login ?? null, viaApp: Boolean(app), via: 'comment', text: body ?? '' };
	});
}

/** `statements` are one person's, newest first. */
async function findOfPerson(
	github: GitHub,
	{ repository, headSha }: AcceptancePlace,
	statements: readonly Said[],
): Promise<FoundAcceptances> {
	const { by, viaApp } = statements[0] as Said;
	const refusal = await refusalOf(github, repository, by, viaApp);
	if (by === null || refusal) {
		const refusedStatement = statements.slice(0, MOST_REFUSED).find(({ text }) => readAcceptanceLines(text).length > 0);
		const warnings = refusedStatement ? [ignored(`${PLACES[refusedStatement.via]}, by ${nameOf(by)}, ${refusal}`)] : [];
		return { acceptances: [], warnings };
	}
	const read = statements.flatMap(({ via, text }) => readAcceptanceLines(text).map((line) => ({ via, line })));
	const warnings = read.flatMap(({ via, line }) => {
		const why = whyNot(line, headSha);
		return why === null ? [] : [ignored(`${PLACES[via]}, by ${nameOf(by)}, does not count: ${why}`)];
	});
	const good = read.flatMap(({ via, line }) => (isGood(line, headSha) ? [{ via, line }] : []));
	return { acceptances: good.length === 0 ? [] : [acceptanceOf(by, headSha, good)], warnings };
}

function acceptanceOf(
	by: string,
	headSha: string,
	good: readonly { readonly via: Said['via']; readonly line: AcceptanceLine }[],
): Acceptance {
	const named = good.flatMap(({ line }): AcceptedRows[] => (line.rows ? [line.rows] : []));
	const everything = named.length < good.length;
	return {
		by,
		via: good.some(({ via }) => via === 'comment') ? 'comment' : 'body',
		reason: [...new Set(good.map(({ line }) => line.reason))].join('; '),
		headSha,
		...(!everything && { rows: named }),
	};
}

function isGood(line: ReadLine, headSha: string): line is AcceptanceLine {
	return 'reason' in line && holdsFor(line, headSha);
}

/** Null for a valid line. */
function whyNot(line: ReadLine, headSha: string): string | null {
	if (!('problem' in line)) {
		return holdsFor(line, headSha)
			? null
			: `it is for commit ${line.commit?.slice(0, 10)}, and head is another one now.`;
	}
	const instead = `benchgate: accepted ${headSha} REASON`;
	switch (line.problem) {
		case 'no-reason':
			return 'it gives no reason. Write why at the end of the line.';
		case 'too-long':
			return `its reason is longer than ${REASON_LIMIT} characters.`;
		case 'short-commit':
			return `it gives too few digits of the commit. To accept all that is red now, write "${instead}".`;
		case 'no-commit':
			return `it must name the commit, because it sets no limit. To accept all that is red now, write "${instead}".`;
		case 'no-kind':
			return `it begins like a row or a size, and is not written as one. Write server/scenario or ${EVERY_CELL}, then ${WHAT_FORM}.`;
	}
}

/**
 * Accepts everything red in the head commit for which the label was added. The label must be newer than this commit's
 * first run and any force push. Throws failed calls.
 */
async function findLabel(github: GitHub, place: AcceptancePlace, pull: PullState): Promise<FoundAcceptances> {
	if (!pull.labels.some((name) => isSameLabel(name, place.label))) return { acceptances: [], warnings: [] };
	const { last, changedAt } = await readEvents(github, place);
	const by = last?.by ?? null;
	const refusal = await refusalOf(github, place.repository, by, last?.viaApp);
	const refuse = (warning: Warning): FoundAcceptances => ({ acceptances: [], warnings: [warning] });
	if (last === null || by === null || refusal) return refuse(ignored(`The label, put on by ${nameOf(by)}, ${refusal}`));
	const shown = await firstRunOf(github, place, pull);
	if (shown !== null && typeof shown !== 'string') return refuse(shown);
	const outdated = whyOutdated(last.at, shown, changedAt, place.headSha);
	if (outdated) return refuse(ignored(`The label, put on by ${nameOf(by)}, does not count: ${outdated} ${AGAIN}`));
	return { acceptances: [{ by, via: 'label', reason: null, headSha: place.headSha }], warnings: [] };
}

/** Null if the label from time `at` is for this head, by GitHub's times: commit times can be forged. */
function whyOutdated(at: string, shown: string | null, changedAt: string | null, headSha: string): string | null {
	const moment = Date.parse(at);
	const commit = headSha.slice(0, 10);
	if (shown === null) return `no run on a pull request shows whether it was put on for commit ${commit}.`;
	if (!(moment > Date.parse(shown)))
		return `it is older than the first run on commit ${commit}, so it was for an earlier one.`;
	if (changedAt !== null && !(moment > Date.parse(changedAt)))
		return 'the branch was force-pushed, or the pull request reopened or moved to another base, after that.';
	return null;
}

async function readEvents(github: GitHub, { repository, number, label }: AcceptancePlace): Promise<LabelEvents> {
	let last: LabelEvents['last'] = null;
	let changedAt: string | null = null;
	const request = { ...repository, issue_number: number, per_page: 100 };
	for await (const { data } of github.paginate.iterator(github.rest.issues.listEvents, request)) {
		for (const event of data) {
			const { id, created_at: at } = event;
			if (CHANGES.includes(event.event) && (changedAt === null || at > changedAt)) changedAt = at;
			if (event.event !== 'labeled' || !('label' in event) || !isSameLabel(event.label?.name ?? '', label)) continue;
			const viaApp = Boolean('performed_via_github_app' in event && event.performed_via_github_app);
			if (last === null || id > last.id) last = { id, at, by: event.actor?.login ?? null, viaApp };
		}
	}
	return { last, changedAt };
}

/**
 * The start of the first run on the head commit for this pull request. A warning when the token cannot see
 * runs.
 */
async function firstRunOf(github: GitHub, place: AcceptancePlace, pull: PullState): Promise<string | Warning | null> {
	const since = (moments: readonly string[]): string | null =>
		moments.filter((moment) => Date.parse(moment) >= Date.parse(pull.createdAt)).sort()[0] ?? null;
	const what = 'see which commit the label was put on for';
	try {
		return since(await listRuns(github, place, pull));
	} catch (error) {
		// Only people with write access push here, so this repository's check runs suffice.
		const ours = pull.headRepository?.toLowerCase() === nameOfRepository(place.repository).toLowerCase();
		if (!ours || ![403, 404].includes(statusOf(error) ?? 0)) {
			if (place.decidedElsewhere && statusOf(error) === 403) return ignored(ELSEWHERE);
			return warningOf(error, { what, needs: { actions: 'read' } });
		}
	}
	try {
		return since(await listChecks(github, place));
	} catch (error) {
		if (place.decidedElsewhere && [403, 404].includes(statusOf(error) ?? 0)) return ignored(ELSEWHERE);
		return warningOf(error, { what, needs: { actions: 'read' } });
	}
}

async function listRuns(
	github: GitHub,
	{ repository, headSha }: AcceptancePlace,
	pull: PullState,
): Promise<readonly string[]> {
	const runs = await github.paginate(github.rest.actions.listWorkflowRunsForRepo, {
		...repository,
		head_sha: headSha,
		event: 'pull_request',
		per_page: 100,
	});
	return runs
		.filter(({ event, head_sha }) => event === 'pull_request' && head_sha === headSha)
		.filter(({ head_branch, head_repository }) => {
			return (
				head_branch === pull.headRef && head_repository?.full_name?.toLowerCase() === pull.headRepository?.toLowerCase()
			);
		})
		.map(({ created_at }) => created_at);
}

async function listChecks(github: GitHub, { repository, headSha }: AcceptancePlace): Promise<readonly string[]> {
	const request = { ...repository, ref: headSha, filter: 'all', per_page: 100 } as const;
	const checks = await github.paginate(github.rest.checks.listForRef, request);
	return checks.flatMap(({ external_id: id, started_at: at }) => (id?.startsWith('benchgate:') && at ? [at] : []));
}

function nameOfRepository({ owner, repo }: Repository): string {
	return `${owner}/${repo}`;
}

/** GitHub compares label names without case. */
function isSameLabel(a: string, b: string): boolean {
	return a.toLowerCase() === b.toLowerCase();
}
