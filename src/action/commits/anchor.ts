import {
	isPrerelease,
	isTagOf,
	newestRelease,
	readTags,
	TAG_FORMAT,
	type Tag,
} from '../../prepare/revision/release-tags.ts';
import { isUserError } from '../../types/errors.ts';
import type { Warning } from '../../types/units.ts';
import { type FoundBase, fetchCommits, fetchRevision } from './fetch-commits.ts';
import { ask, type GitAccess, listRemote } from './git-access.ts';

export interface LatestRelease {
	readonly tag: string;
	readonly sha: string;
}

/**
 * Returns the anchor of `main`: the latest release, else the newest version tag (in head's history, else on `origin`),
 * else head itself.
 */
export async function findAnchor(
	head: string,
	access: GitAccess,
	latestRelease: (() => Promise<LatestRelease | null>) | null,
): Promise<FoundBase> {
	const { release, warnings } = await findRelease(access, latestRelease);
	if (release !== null) {
		await fetchCommits([{ sha: release.sha, side: 'base' }], access);
		return { revision: `git:${release.sha}`, label: release.tag, note: `base is release ${release.tag}`, warnings };
	}
	return {
		...(await fetchRevision(head, 'base', access)),
		note: 'there is no release and no version tag yet: head is compared with itself, which shows the noise of this machine',
		warnings,
	};
}

/**
 * Returns GitHub's latest release, else the newest version tag. `name` is the package, with which tags may begin;
 * another package's release does not count.
 */
export async function findRelease(
	access: GitAccess,
	latestRelease: (() => Promise<LatestRelease | null>) | null,
	name?: string,
): Promise<{ readonly release: LatestRelease | null; readonly warnings: readonly Warning[] }> {
	const warnings: Warning[] = [];
	const latest = await askRelease(latestRelease, warnings, access);
	if (latest !== null && isTagOf(latest.tag, name)) return { release: latest, warnings };
	return { release: await newestTag(access, name), warnings };
}

async function askRelease(
	latestRelease: (() => Promise<LatestRelease | null>) | null,
	warnings: Warning[],
	access: GitAccess,
): Promise<LatestRelease | null> {
	try {
		return (await latestRelease?.()) ?? null;
	} catch (error) {
		access.signal.throwIfAborted();
		const why = isUserError(error) ? error.message : `GitHub answered: ${(error as Error).message}`;
		warnings.push({
			code: 'release-unknown',
			message: `The latest release could not be looked up (${why}); the newest version tag is the base instead.`,
		});
		return null;
	}
}

async function newestTag(access: GitAccess, name: string | undefined): Promise<LatestRelease | null> {
	const listed = await ask(access, 'for-each-ref', '--merged=HEAD', `--format=${TAG_FORMAT}`, 'refs/tags');
	const newest = newestOf(readTags(listed ?? ''), name);
	if (newest !== null) return newest;
	const refs = await listRemote(access, ['refs/tags/*']);
	const remote = [...refs].map(([ref, sha]) => ({ tag: ref.replace('refs/tags/', ''), sha }));
	return newestOf(remote, name);
}

function newestOf(tags: readonly Tag[], name: string | undefined): LatestRelease | null {
	return newestRelease(
		tags.filter(({ tag }) => !isPrerelease(tag)),
		name,
	);
}
