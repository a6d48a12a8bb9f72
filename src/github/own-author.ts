import { statusOf } from './api-failure.ts';
import type { GitHub } from './github-client.ts';

/** Who wrote something, as the API tells it. */
export interface Authored {
	readonly author: { readonly login: string; readonly type: string } | null;
	/** Slug of the app whose token wrote it; null when it was none's. */
	readonly appSlug: string | null;
}

/** The account behind every workflow's own token. Nobody can sign up under this name. */
export const ACTIONS_LOGIN = 'github-actions[bot]';

/**
 * Returns those of `comments` that the owner of our token wrote, in the same order.
 *
 * A workflow's token may not ask who it is (403), but what it writes is by `github-actions[bot]`, which nobody can sign up
 * as. For personal tokens the account is asked for. For an app's own token it cannot be known: then, and only when no
 * comment is by Actions, those of the app that wrote the first of them count; a person cannot write as an app.
 * Throws failed calls.
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

/** Apps acting for themselves; an app acting for a person writes as that person. */
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
