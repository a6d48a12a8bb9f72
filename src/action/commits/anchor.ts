import { isUserError } from '../../types/errors.ts';
import type { Warning } from '../../types/units.ts';
import { fetchCommits } from './fetch-commits.ts';
import { type FoundBase, fetchRevision } from './fetch-revision.ts';
import { ask, type GitAccess, listRemote } from './git-access.ts';

export interface LatestRelease {
	readonly tag: string;
	readonly sha: string;
}

/** Version of a release, prereleases left out. */
const RELEASE_TAG = /^v?\d+\.\d+\.\d+$/;

/**
 * Returns the fixed revision `main` is measured against: the latest release, else the newest version tag (in the head's
 * history, or on `origin` when none is here), else the head itself, an A/A run that shows the machine's noise.
 */
export async function findAnchor(
	head: string,
	access: GitAccess,
	latestRelease: (() => Promise<LatestRelease | null>) | null,
): Promise<FoundBase> {
	const warnings: Warning[] = [];
	for (const find of [() => askRelease(latestRelease, warnings, access), () => newestTag(access)]) {
		const release = await find();
		if (release === null) continue;
		await fetchCommits([{ sha: release.sha, side: 'base' }], access);
		return { revision: `git:${release.sha}`, label: release.tag, note: `base is release ${release.tag}`, warnings };
	}
	return {
		...(await fetchRevision(head, 'base', access)),
		note: 'there is no release and no version tag yet: head is compared with itself, which shows the noise of this machine',
		warnings,
	};
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

async function newestTag(access: GitAccess): Promise<LatestRelease | null> {
	const format = '%(refname:strip=2) %(objectname) %(*objectname)';
	const listed = await ask(access, 'for-each-ref', '--merged=HEAD', `--format=${format}`, 'refs/tags');
	const here = (listed ?? '').split('\n').flatMap((line): LatestRelease[] => {
		const [tag = '', sha = '', peeled = ''] = line.split(' ');
		return [{ tag, sha: peeled || sha }];
	});
	const newest = newestOf(here);
	if (newest !== null) return newest;
	const refs = await listRemote(access, ['refs/tags/*']);
	return newestOf([...refs].map(([name, sha]) => ({ tag: name.replace('refs/tags/', ''), sha })));
}

function newestOf(releases: readonly LatestRelease[]): LatestRelease | null {
	const versions = releases.filter(({ tag }) => RELEASE_TAG.test(tag));
	return versions.toSorted((one, other) => compareVersions(other.tag, one.tag))[0] ?? null;
}

function compareVersions(one: string, other: string): number {
	const [a, b] = [numbersOf(one), numbersOf(other)];
	const index = a.findIndex((number, at) => number !== b[at]);
	return index < 0 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}

function numbersOf(tag: string): number[] {
	return tag.replace(/^v/, '').split('.').map(Number);
}
