import { guessSubjectName } from '../../config/load-request.ts';
import { buildEnvironment } from '../../prepare/build/build-environment.ts';
import type { ChildContext } from '../../prepare/child.ts';
import { currentBranch, describeCommit, findReleaseTag, isOfBranch } from '../../prepare/revision/history.ts';
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
	/** Release tags may begin with the name of its package. */
	readonly subject: string;
}

export interface LocalCommits {
	/** For `HEAD`, `branch` defaults to the current branch. */
	findHead(revision: string, branch?: string | null): Promise<CommitToMeasure>;
	findGiven(revision: string): Promise<Anchor>;
	findRelease(head: CommitToMeasure): Promise<Anchor | null>;
	/** Trusts a commit, such as the latest release. */
	vouch(sha: string): void;
	/**
	 * Returns an anchor as a commit. Its code will run, so it must be on a branch or tag, a release of the package, or
	 * typed. Throws UserError `foreign-anchor`.
	 */
	findAnchor(anchor: Anchor): Promise<CommitToMeasure>;
}

/** Finds commits with git alone, without fetching. */
export function openLocalCommits({ cwd, node, janitor, signal, subject }: LocalOptions): LocalCommits {
	const context: ChildContext = { environment: buildEnvironment({ node, janitor }), janitor, signal };
	/** Label → revision as typed, which is more precise. */
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
		const gitCommit = kind === null || kind === 'git' ? await findCommit(context, cwd, value) : null;
		const commit = gitCommit && (await describeCommit(context, cwd, gitCommit.sha, label ?? gitCommit.label));
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

/** A package or folder has no history. */
function withoutCommit(label: string): BaselineCommit {
	const committedAt = new Date().toISOString();
	return { sha: null, label, parent: null, position: null, committedAt, title: '', author: null };
}
