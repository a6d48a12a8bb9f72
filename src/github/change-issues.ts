import type { Repository } from '../types/action-run.ts';
import type { Warning } from '../types/units.ts';
import { mayAccept, readPlainAcceptance } from './acceptance-line.ts';
import { statusOf } from './api-failure.ts';
import type { GitHub } from './github-client.ts';
import { type Authored, keepOwn } from './own-author.ts';
import { ignored, nameOf, refusalOf } from './permissions.ts';

/** Our issue on a change of main. Functions in this file throw failed calls. */
export interface ChangeIssue {
	readonly number: number;
	readonly url: string;
	readonly title: string;
	/** Markdown below the marker. */
	readonly text: string;
	readonly open: boolean;
	/** Ids of its changes, twelve hexadecimal digits each. */
	readonly keys: readonly string[];
	/** Login of the person who closed it as not planned. */
	readonly rejectedBy: string | null;
}

export interface ChangeIssueText {
	readonly title: string;
	/** Markdown without the marker. */
	readonly body: string;
	readonly keys: readonly string[];
}

export interface ChangeAcceptance {
	readonly by: string;
	readonly reason: string | null;
}

const MARKER = /^<!-- benchgate:change((?: [0-9a-f]{12}){1,50}) -->(?:\r?\n|$)/;
const MOST_KEYS = 50;
/** Pages of a hundred issues searched for a lost number. */
const PAGES = 3;
/** Limited, latest people first: their texts may be meant to be slow. */
const MOST_PEOPLE = 20;
const MOST_READ = 5;

type Listed = Awaited<ReturnType<GitHub['rest']['issues']['get']>>['data'];

/** Returns null if the issue is gone, foreign, or without marker. */
export async function getChangeIssue(
	github: GitHub,
	repository: Repository,
	number: number,
): Promise<ChangeIssue | null> {
	try {
		const { data } = await github.rest.issues.get({ ...repository, issue_number: number });
		return (await keepOurs(github, [data]))[0] ?? null;
	} catch (error) {
		if ([404, 410].includes(statusOf(error) ?? 0)) return null;
		throw error;
	}
}

/** Returns recent change issues, oldest first. */
export async function listChangeIssues(github: GitHub, repository: Repository): Promise<readonly ChangeIssue[]> {
	const issues: Listed[] = [];
	const request = { ...repository, state: 'all', sort: 'created', direction: 'desc', per_page: 100 } as const;
	let pages = 0;
	for await (const { data } of github.paginate.iterator(github.rest.issues.listForRepo, request)) {
		issues.push(...(data as Listed[]));
		pages++;
		if (pages === PAGES) break;
	}
	return (await keepOurs(github, issues)).toSorted((a, b) => a.number - b.number);
}

/** Opens an issue, or finds it if only the answer was lost. */
export async function openChangeIssue(
	github: GitHub,
	repository: Repository,
	text: ChangeIssueText,
): Promise<Pick<ChangeIssue, 'number' | 'url'>> {
	const post = async () => {
		const { data } = await github.rest.issues.create({ ...repository, title: text.title, body: bodyOf(text) });
		return { number: data.number, url: data.html_url };
	};
	try {
		return await post();
	} catch (error) {
		// A blind retry could leave two issues.
		if ((statusOf(error) ?? 0) < 500) throw error;
		const arrived = (await listChangeIssues(github, repository)).find(({ keys }) => sharesKey(keys, text.keys));
		return arrived ?? (await post());
	}
}

/** Replaces the text; `end` closes the issue, then comments. */
export async function updateChangeIssue(
	github: GitHub,
	repository: Repository,
	number: number,
	text: ChangeIssueText,
	end?: { readonly reason: 'completed' | 'not_planned'; readonly comment: string },
): Promise<void> {
	const place = { ...repository, issue_number: number };
	const closing = end === undefined ? {} : ({ state: 'closed', state_reason: end.reason } as const);
	await github.rest.issues.update({ ...place, title: text.title, body: bodyOf(text), ...closing });
	if (end !== undefined) await github.rest.issues.createComment({ ...place, body: end.comment });
}

/**
 * Returns the latest acceptance in a comment `benchgate: accepted REASON` by a person with write access. Warns of
 * others.
 */
export async function findChangeAcceptance(
	github: GitHub,
	repository: Repository,
	number: number,
): Promise<{ readonly acceptance: ChangeAcceptance | null; readonly warnings: readonly Warning[] }> {
	const request = { ...repository, issue_number: number, per_page: 100 };
	const comments = await github.paginate(github.rest.issues.listComments, request);
	const statements = comments.flatMap(({ body, user, performed_via_github_app: app }) =>
		mayAccept(body ?? '') ? [{ text: body ?? '', by: user?.login ?? null, viaApp: Boolean(app) }] : [],
	);
	const people = Map.groupBy(statements.reverse(), ({ by, viaApp }) => `${viaApp} ${by}`);
	const warnings: Warning[] = [];
	// Grouped by person, so others cannot crowd out an acceptance.
	for (const personStatements of [...people.values()].slice(0, MOST_PEOPLE)) {
		const [line] = personStatements.slice(0, MOST_READ).flatMap(({ text }) => readPlainAcceptance(text) ?? []);
		if (line === undefined) continue;
		const { by = null, viaApp = false } = personStatements[0] ?? {};
		const refusal = await refusalOf(github, repository, by, viaApp);
		if (by !== null && refusal === null) return { acceptance: { by, reason: line.reason }, warnings };
		warnings.push(ignored(`The comment on #${number}, by ${nameOf(by)}, ${refusal}`));
	}
	return { acceptance: null, warnings };
}

export function sharesKey(one: readonly string[], other: readonly string[]): boolean {
	return one.some((key) => other.includes(key));
}

function bodyOf({ body, keys }: ChangeIssueText): string {
	return `<!-- benchgate:change ${keys.slice(0, MOST_KEYS).join(' ')} -->\n${body}`;
}

/** Drops foreign issues, whatever their text. */
async function keepOurs(github: GitHub, issues: readonly Listed[]): Promise<readonly ChangeIssue[]> {
	const marked = issues.flatMap((issue): (ChangeIssue & Authored)[] => {
		const { number, html_url: url, title, body, state, state_reason: reason, closed_by: closer } = issue;
		const [marker = '', keys] = MARKER.exec(body ?? '') ?? [];
		if (issue.pull_request || keys === undefined) return [];
		const rejectedBy = state === 'closed' && reason === 'not_planned' ? (closer?.login ?? null) : null;
		const text = (body ?? '').slice(marker.length);
		const author = issue.user === null ? null : { login: issue.user.login, type: issue.user.type };
		const appSlug = issue.performed_via_github_app?.slug ?? null;
		const open = state === 'open';
		return [{ number, url, title, text, open, keys: keys.trim().split(' '), rejectedBy, author, appSlug }];
	});
	return keepOwn(github, marked);
}
