import { cpus } from 'node:os';
import type { GitHub } from '../../github/github-client.ts';
import { listCommitFiles, readRepositoryFile } from '../../github/repository.ts';
import { findNode, nodeVersion } from '../../measure/machine.ts';
import type { MainReading } from '../../runs/baseline/read-main-rows.ts';
import {
	type CommitFiles,
	type DerivedImpact,
	deriveImpact,
	isSameCode,
	type Machine,
} from '../../runs/derive-impact.ts';
import { countOf } from '../../text/numbers.ts';
import type { CompareRequest, Repository } from '../../types/action-run.ts';
import type { BaselineRecord } from '../../types/baseline.ts';
import type { Config } from '../../types/config.ts';
import { isUserError } from '../../types/errors.ts';
import { isFullHash } from '../../types/shared-names.ts';
import { SIDES, type Sides } from '../../types/units.ts';
import type { ActionSession } from '../action-session.ts';
import type { Commits } from '../commits/find-commits.ts';

export interface DerivingContext {
	readonly github: GitHub;
	readonly repository: Repository;
	readonly config: Config;
	/** Baselines of the base branch. */
	readonly covered: readonly BaselineRecord[];
	readonly machines: readonly Machine[];
	readonly commits: Sides<string>;
}

/** Returns which rows a change affects, or why that is unknown, as a clause. */
export async function deriveRows(context: DerivingContext): Promise<DerivedImpact | string> {
	const { github, repository, config, covered, machines, commits } = context;
	const open = async (sha: string): Promise<CommitFiles | null> => {
		const entries = await listCommitFiles(github, repository, sha);
		return entries && { entries, read: (path) => readRepositoryFile(github, repository, sha, path) };
	};
	const none = `main keeps no coverage of commit ${commits.base.slice(0, 7)}`;
	if (covered.length === 0) return none;
	try {
		const [base, head] = await Promise.all(SIDES.map((side) => open(commits[side])));
		if (!base || !head) return 'the commits have more files than GitHub lists';
		const records = await findRecords(covered, commits.base, async (sha) => {
			const measured = await open(sha);
			return measured !== null && isSameCode(config, base, measured);
		});
		return records.length === 0 ? none : await deriveImpact(config, records, machines, { base, head });
	} catch (error) {
		if (!isUserError(error)) throw error;
		return error.message;
	}
}

const MOST_TRIED = 3;

/** Returns baselines of a commit, or else of the newest with the same code: pushes of documents are not measured. */
async function findRecords(
	covered: readonly BaselineRecord[],
	base: string,
	hasSameCode: (sha: string) => Promise<boolean>,
): Promise<readonly BaselineRecord[]> {
	const of = (wanted: string) => covered.filter(({ commit, purpose }) => commit.sha === wanted && purpose === 'level');
	if (of(base).length > 0) return of(base);
	const newest = covered.toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
	const shas = new Set(newest.flatMap(({ commit }) => commit.sha ?? []));
	for (const sha of [...shas].slice(0, MOST_TRIED)) if (await hasSameCode(sha)) return of(sha);
	return [];
}

interface OwnRun {
	readonly commits: Commits;
	readonly config: Config;
	readonly main: MainReading;
	readonly isOnly: boolean;
}

const NOTHING: DerivedImpact = {
	rows: new Map(),
	changes: [],
	changed: { changes: [], omitted: 0, notExercised: null },
	coverage: new Map(),
};

/**
 * Derives the rows of this job's own comparison; returns null if every row is to be measured, as for a command. Logs
 * the rows found. Warns if nothing else finds rows (`isOnly`).
 */
export async function deriveOwn(
	session: ActionSession,
	{ command }: Pick<CompareRequest, 'command'>,
	{ commits, config, main, isOnly }: OwnRun,
): Promise<DerivedImpact | null> {
	const { github, inputs, runner, progress } = session;
	if (command !== null || config.skipUnaffected === false) return null;
	const [base = '', head = ''] = SIDES.map((side) => commits.revisions[side].replace(/^git:/, ''));
	if (github === null || main.covered.length === 0 || !isFullHash(base) || !isFullHash(head)) return NOTHING;
	const { repository } = runner;
	const machines = [{ node: nodeVersion(findNode(inputs.options.node)), cpus: cpus().length }];
	const pair = { base, head };
	const derived = await deriveRows({ github, repository, config, covered: main.covered, machines, commits: pair });
	if (typeof derived === 'string') {
		progress.step(`The coverage that main keeps was not used: ${derived}`);
		if (isOnly) session.warnings.push({ code: 'rows-not-derived', message: `No row was skipped: ${derived}.` });
		return NOTHING;
	}
	const unaffected = unaffectedBy(derived).length;
	progress.step(
		`By the coverage that main keeps, ${countOf(unaffected, 'row')} of ${derived.rows.size} run no changed code`,
	);
	return derived;
}

export function unaffectedBy({ rows }: DerivedImpact): readonly string[] {
	return [...rows].flatMap(([id, reason]) => (reason === null ? [id] : []));
}
