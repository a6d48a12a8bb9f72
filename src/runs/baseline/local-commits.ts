/** Commits of the repository around the user, and what is measured without being one. */
import { guessSubjectName } from '../../config/load-request.ts';
import { buildEnvironment } from '../../prepare/build-environment.ts';
import type { ChildContext } from '../../prepare/child.ts';
import { currentBranch, describeCommit, findReleaseTag } from '../../prepare/revision/commit-facts.ts';
import { parseRevision } from '../../prepare/revision/parse-revision.ts';
import { findCommit } from '../../prepare/revision/resolve-ref.ts';
import type { Anchor, BaselineCommit } from '../../types/baseline.ts';
import type { Janitor } from '../../types/run-services.ts';
import type { CommitToMeasure } from './run-baseline.ts';

export interface LocalOptions {
	readonly cwd: string;
	readonly node: string;
	readonly janitor: Janitor;
	readonly signal: AbortSignal;
	/** Folder of the package under test, whose name release tags may begin with. */
	readonly subject: string;
}

export interface LocalCommits {
	/** Returns what `--head` names. `branch`: the one it is on; the one that is checked out for `HEAD` when absent. */
	findHead(revision: string, branch?: string | null): Promise<CommitToMeasure>;
	/** Returns what `--anchor` names as an anchor. */
	findGiven(revision: string): Promise<Anchor>;
	/** Returns the latest release in the history of a commit; null when there is none, or it has no history. */
	findRelease(head: CommitToMeasure): Promise<Anchor | null>;
	/** Returns an anchor as a commit to measure. */
	findAnchor(anchor: Anchor): Promise<CommitToMeasure>;
}

/** Returns what can be found without asking anybody but git. Nothing is fetched. */
export function openLocalCommits({ cwd, node, janitor, signal, subject }: LocalOptions): LocalCommits {
	const context: ChildContext = { environment: buildEnvironment({ node, janitor }), janitor, signal };
	/** What was typed for an anchor says more than its label. */
	const typed = new Map<string, string>();
	const find = async (revision: string, label?: string): Promise<CommitToMeasure> => {
		const { kind, value } = parseRevision(revision, '--head');
		const found = kind === null || kind === 'git' ? await findCommit(context, cwd, value) : null;
		const commit = found && (await describeCommit(context, cwd, found.sha, label ?? found.label));
		return commit === null
			? { revision, commit: withoutCommit(label ?? value) }
			: { revision: `git:${commit.sha}`, commit };
	};
	return {
		async findHead(revision, branch) {
			const name = branch ?? (revision === 'HEAD' ? await currentBranch(context, cwd) : null);
			const head = await find(revision);
			const short = head.commit.sha?.slice(0, 7);
			if (short === undefined || (name === null && revision !== 'HEAD')) return head;
			return { ...head, commit: { ...head.commit, label: name === null ? short : `${name}@${short}` } };
		},
		async findGiven(revision) {
			const { commit } = await find(revision);
			typed.set(commit.label, revision);
			return { sha: commit.sha, label: commit.label, kind: 'given' };
		},
		async findRelease({ revision, commit }) {
			if (commit.sha === null) return null;
			const tag = await findReleaseTag(context, cwd, commit.sha, guessSubjectName(cwd, revision, subject));
			return tag && { sha: tag.sha, label: tag.tag, kind: 'release' };
		},
		async findAnchor({ sha, label }) {
			return sha === null ? find(typed.get(label) ?? `npm:${label}`, label) : find(`git:${sha}`, label);
		},
	};
}

/** A package or a folder has no history. */
function withoutCommit(label: string): BaselineCommit {
	const committedAt = new Date().toISOString();
	return { sha: null, label, parent: null, position: null, committedAt, title: '', author: null };
}
