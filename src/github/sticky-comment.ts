import type { Repository, RunIdentity } from '../types/action-run.ts';
import type { Warning } from '../types/units.ts';
import { type Attempt, statusOf, warningOf } from './api-failure.ts';
import { type CommentMarker, compareRuns, formatMarker, parseMarker } from './comment-marker.ts';
import type { GitHub } from './github-client.ts';
import { type Authored, keepOwn } from './own-author.ts';

export interface CommentPlace {
	readonly repository: Repository;
	readonly issue: number;
	readonly key: string;
	readonly fromFork?: boolean;
}

export interface CommentText extends CommentPlace {
	readonly run: RunIdentity;
	readonly headSha: string;
	/** Markdown without the marker. */
	readonly body: string;
	/** False while measuring. */
	readonly final: boolean;
}

export interface StickyComment {
	readonly id: number;
	readonly url: string;
	readonly marker: CommentMarker;
	/** Markdown below the marker. */
	readonly text: string;
}

export type PutComment =
	| { readonly id: number; readonly url: string }
	| { readonly skipped: 'newer-run' | 'already-final' }
	| { readonly warning: Warning };

/** GitHub's limit in characters, including the marker. */
export const COMMENT_LIMIT = 65_536;

/** Returns the oldest if a race created several; null when the call fails: the next write reports that. */
export async function findComment(github: GitHub, place: CommentPlace): Promise<StickyComment | null> {
	try {
		return (await listOwn(github, place))[0] ?? null;
	} catch (error) {
		warningOf(error, attemptOf(place));
		return null;
	}
}

/**
 * Updates our comment with this key, or creates it, unless a newer run wrote it, or `final` is false and this attempt's
 * final text exists. Deletes all but the oldest. A failed call is a warning; throws for an invalid key.
 */
export async function putComment(github: GitHub, text: CommentText): Promise<PutComment> {
	const { key, run, headSha } = text;
	const marker: CommentMarker = { key, run, headSha, state: text.final ? 'final' : 'measuring' };
	const body = `${formatMarker(marker)}\n${text.body}`;
	if (body.length > COMMENT_LIMIT) return { warning: tooLong(text.issue, body.length) };
	try {
		const ownComments = await listOwn(github, text);
		const skipped = reasonToSkip(ownComments, marker);
		if (skipped) return { skipped };
		return (
			(await updateOldest(github, text.repository, ownComments, body)) ?? (await create(github, text, marker, body))
		);
	} catch (error) {
		return { warning: warningOf(error, attemptOf(text)) };
	}
}

function attemptOf({ issue, fromFork = false }: Omit<CommentPlace, 'key'>): Attempt {
	return { what: `write the comment on #${issue}`, needs: { 'pull-requests': 'write' }, fromFork };
}

/** Oldest first; empty when the call fails. */
export async function listComments(
	github: GitHub,
	place: Pick<CommentPlace, 'repository' | 'issue'>,
): Promise<readonly StickyComment[]> {
	try {
		return await listOwn(github, place);
	} catch (error) {
		warningOf(error, attemptOf(place));
		return [];
	}
}

/** Oldest first; of all keys if none is named. */
async function listOwn(
	github: GitHub,
	{ repository, issue, key }: Omit<CommentPlace, 'key'> & { readonly key?: string },
): Promise<readonly StickyComment[]> {
	const marked: (StickyComment & Authored)[] = [];
	const pages = github.paginate.iterator(github.rest.issues.listComments, {
		...repository,
		issue_number: issue,
		per_page: 100,
	});
	for await (const { data } of pages) {
		for (const { id, html_url, body, user, performed_via_github_app } of data) {
			const marker = parseMarker(body ?? '');
			if (marker === null || marker.key !== (key ?? marker.key)) continue;
			const text = (body ?? '').slice((body ?? '').indexOf('\n') + 1);
			marked.push({ id, url: html_url, marker, text, author: user, appSlug: performed_via_github_app?.slug ?? null });
		}
	}
	return keepOwn(
		github,
		marked.sort((a, b) => a.id - b.id),
	);
}

function reasonToSkip(
	ownComments: readonly StickyComment[],
	marker: CommentMarker,
): 'newer-run' | 'already-final' | null {
	if (ownComments.some((comment) => compareRuns(comment.marker.run, marker.run) > 0)) return 'newer-run';
	const same = ownComments.filter((comment) => compareRuns(comment.marker.run, marker.run) === 0);
	if (marker.state === 'measuring' && same.some((comment) => comment.marker.state === 'final')) return 'already-final';
	return null;
}

/** Null if all were deleted meanwhile. */
async function updateOldest(
	github: GitHub,
	repository: Repository,
	ownComments: readonly StickyComment[],
	body: string,
): Promise<{ id: number; url: string } | null> {
	for (const [index, { id }] of ownComments.entries()) {
		try {
			const { data } = await github.rest.issues.updateComment({ ...repository, comment_id: id, body });
			await removeSpares(github, repository, ownComments.slice(index + 1));
			return { id, url: data.html_url };
		} catch (error) {
			if (statusOf(error) !== 404) throw error;
		}
	}
	return null;
}

async function removeSpares(github: GitHub, repository: Repository, spares: readonly StickyComment[]): Promise<void> {
	for (const { id } of spares) {
		try {
			await github.rest.issues.deleteComment({ ...repository, comment_id: id });
		} catch (error) {
			// The comment is written. The next run deletes again.
			if (statusOf(error) === null) throw error;
		}
	}
}

async function create(
	github: GitHub,
	place: CommentPlace,
	marker: CommentMarker,
	body: string,
): Promise<{ id: number; url: string }> {
	const post = async () => {
		const { data } = await github.rest.issues.createComment({ ...place.repository, issue_number: place.issue, body });
		return { id: data.id, url: data.html_url };
	};
	try {
		return await post();
	} catch (error) {
		// Perhaps only the answer was lost; a blind retry could leave two comments.
		if ((statusOf(error) ?? 0) < 500) throw error;
		const ownComments = await listOwn(github, place);
		const arrived = ownComments.find((comment) => compareRuns(comment.marker.run, marker.run) === 0);
		return arrived ? { id: arrived.id, url: arrived.url } : await post();
	}
}

function tooLong(issue: number, length: number): Warning {
	return {
		code: 'comment-too-long',
		message: `Could not write the comment on #${issue}: it has ${length} characters, GitHub takes ${COMMENT_LIMIT}. The report is in the job summary. This is a bug of benchgate, please report it.`,
	};
}
