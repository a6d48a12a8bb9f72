/** Commits of the repository around the user, and what is measured without being one. */
import { guessSubjectName } from '../../config/load-request.ts';
import { buildEnvironment } from '../../prepare/build/build-environment.ts';
import type { ChildContext } from '../../prepare/child.ts';
import { currentBranch, describeCommit, findReleaseTag, isOfBranch } from '../../prepare/revision/commit-facts.ts';
import { parseNpmSpec, parseRevision } from '../../prepare/revision/parse-revision.ts';
import { findCommit } from '../../prepare/revision/resolve-ref.ts';
import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import type { Anchor, BaselineCommit } from '../../types/baseline.ts';
import { EXIT, UserError } from '../../types/errors.ts';
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
	/** Takes a commit for one of ours that somebody else has vouched for, such as the latest release. */
	vouch(sha: string): void;
	/**
	 * Returns an anchor as a commit to measure. Stored records name anchors, and its code will run: it must be of the repository's own
	 * branches and tags, a release of its own package, or have been typed. Throws a UserError `foreign-anchor`.
	 */
	findAnchor(anchor: Anchor): Promise<CommitToMeasure>;
}

/** Returns what can be found without asking anybody but git. Nothing is fetched. */
export function openLocalCommits({ cwd, node, janitor, signal, subject }: LocalOptions): LocalCommits {
	const context: ChildContext = { environment: buildEnvironment({ node, janitor }), janitor, signal };
	/** What was typed says more than its label. */
	const typed = new Map<string, string>();
	const vouched = new Set<string>();
	const names = new Set([guessSubjectName(cwd, 'HEAD', subject)]);
	const isOwnPackage = (label: string) => {
		const name = parseNpmSpec(label)?.name;
		return name !== undefined && names.has(name);
	};
	const remember = (revision: string, { sha, label }: BaselineCommit) => {
		typed.set(label, revision);
		names.add(guessSubjectName(cwd, revision, subject));
		if (sha !== null) vouched.add(sha);
	};
	const isOwn = async ({ sha, label }: Anchor) => {
		if (sha === null) return typed.has(label) || isOwnPackage(label);
		return vouched.has(sha) || isOfBranch(context, cwd, sha);
	};
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
			remember(revision, head.commit);
			const short = head.commit.sha?.slice(0, 7);
			if (short === undefined || (name === null && revision !== 'HEAD')) return head;
			return { ...head, commit: { ...head.commit, label: name === null ? short : `${name}@${short}` } };
		},
		async findGiven(revision) {
			const { commit } = await find(revision);
			remember(revision, commit);
			return { sha: commit.sha, label: commit.label, kind: 'given' };
		},
		async findRelease({ revision, commit }) {
			if (commit.sha === null) return null;
			const tag = await findReleaseTag(context, cwd, commit.sha, guessSubjectName(cwd, revision, subject));
			return tag && { sha: tag.sha, label: tag.tag, kind: 'release' };
		},
		vouch(sha) {
			vouched.add(sha);
		},
		async findAnchor(anchor) {
			const { sha, label } = anchor;
			if (!(await isOwn(anchor))) throw foreignAnchor(label);
			return sha === null ? find(typed.get(label) ?? `npm:${label}`, label) : find(`git:${sha}`, label);
		},
	};
}

function foreignAnchor(label: string): UserError {
	const name = plainText(label, NAME_LIMIT);
	return new UserError({
		code: 'foreign-anchor',
		where: `base (${name})`,
		message: `the stored baselines name ${name}, which is on no branch or tag of this repository and is no release of its package`,
		remedy: 'see who wrote that baseline (docs/store.md), or name what to measure against with anchor',
		exitCode: EXIT.nothingMeasured,
	});
}

/** A package or a folder has no history. */
function withoutCommit(label: string): BaselineCommit {
	const committedAt = new Date().toISOString();
	return { sha: null, label, parent: null, position: null, committedAt, title: '', author: null };
}
