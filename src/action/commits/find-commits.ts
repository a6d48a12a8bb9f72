import { findLatestRelease } from '../../github/latest-release.ts';
import { findMergeBase } from '../../github/remote-merge-base.ts';
import type { RequestOf } from '../../types/action-run.ts';
import { isFullHash } from '../../types/identifiers.ts';
import type { Sides } from '../../types/units.ts';
import type { ActionSession } from '../action-session.ts';
import { fetchCommits } from './fetch-commits.ts';
import { fetchRevision } from './fetch-revision.ts';
import { type BaseLookUps, findBase } from './find-base.ts';
import { type GitAccess, openGitAccess } from './git-access.ts';

/** Both revisions, present in the repository of the workspace. */
export interface Commits {
	readonly access: GitAccess;
	/** What `--base` and `--head` take. */
	readonly revisions: Sides<string>;
	/** What reports call them, where they have no name of their own. */
	readonly labels: Partial<Sides<string>>;
}

/** Returns both revisions a request asks for, fetched where they were missing. Throws UserError as the fetching does. */
export async function findCommits(session: ActionSession, request: RequestOf<'compare'>): Promise<Commits> {
	const { inputs, runner, janitor, progress, signal } = session;
	const access = openGitAccess({ runner, token: inputs.token, janitor, progress, signal });
	const head = await findHead(access, request);
	const base = await findBase(request.base, request.head, { access, github: lookUps(session) });
	if (base.note !== null) progress.step(base.note);
	session.warnings.push(...base.warnings);
	return {
		access,
		revisions: { base: base.revision, head: head.revision },
		labels: {
			...(base.label !== undefined && { base: base.label }),
			...(head.label !== undefined && { head: head.label }),
		},
	};
}

async function findHead(access: GitAccess, { head, pullRequest, checkSha }: RequestOf<'compare'>) {
	if (!isFullHash(head)) return fetchRevision(head, 'head', access);
	const number = pullRequest !== null && head === checkSha ? { pullRequest: pullRequest.number } : {};
	await fetchCommits([{ sha: head, side: 'head', ...number }], access);
	return { revision: `git:${head}`, label: undefined };
}

function lookUps({ github, runner }: ActionSession): BaseLookUps | null {
	if (github === null) return null;
	return {
		mergeBase: (base, head) => findMergeBase(github, runner.repository, base, head),
		latestRelease: () => findLatestRelease(github, runner.repository),
	};
}
