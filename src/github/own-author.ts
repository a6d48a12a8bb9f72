import { statusOf } from './api-failure.ts';
import type { GitHub } from './github-client.ts';

export interface Authored {
	readonly author: { readonly login: string; readonly type: string } | null;
	/** Slug of the app whose token wrote it. */
	readonly appSlug: string | null;
}

/** Account of every workflow's own token; GitHub reserves the name. */
export const ACTIONS_LOGIN = 'github-actions[bot]';

/**
 * Returns comments written with our token, in order. A workflow's token may not query its user (403), but writes as
 * `github-actions[bot]`; without such comments, those of the first comment's app count. Throws failed calls.
 */
export async function keepOwn<T extends Authored>(github: GitHub, comments: readonly T[]): Promise<readonly T[]> {
	const byActions = comments.filter(isByActions);
	if (byActions.length === comments.length) return comments;
	const login = await findLogin(github);
	if (login !== null) return comments.filter((comment) => isByActions(comment) || comment.author?.login === login);
	if (byActions.length > 0) return byActions;
	const app = comments.find(isByApp)?.appSlug ?? null;
	return comments.filter((comment) => isByApp(comment) && comment.appSlug === app);
}

function isByActions({ author }: Authored): boolean {
	return author?.type === 'Bot' && author.login === ACTIONS_LOGIN;
}

/** An app that acts for a person writes as that person. */
function isByApp({ author, appSlug }: Authored): boolean {
	return author?.type === 'Bot' && appSlug !== null && author.login === `${appSlug}[bot]`;
}

async function findLogin(github: GitHub): Promise<string | null> {
	try {
		return (await github.rest.users.getAuthenticated()).data.login;
	} catch (error) {
		if (statusOf(error) === 403 || statusOf(error) === 404) return null;
		throw error;
	}
}
