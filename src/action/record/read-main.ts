import { findBranch } from '../../github/repository.ts';
import { type MainReading, readMainRows } from '../../runs/baseline/read-main-rows.ts';
import type { Store } from '../../store/store.ts';
import type { RunnerContext } from '../../types/action-run.ts';
import type { BaselineRecord } from '../../types/baseline.ts';
import type { ActionSession } from '../action-session.ts';
import { peek, REF } from '../request/payload.ts';
import { openRecordStore, storeRequestOf } from './record-mode.ts';

type Session = Pick<ActionSession, 'inputs' | 'runner' | 'github' | 'janitor' | 'signal'>;

/**
 * Returns where the default branch stands by its baselines, for a change that will be merged into `target`; nothing for a change of
 * another branch, which no baseline is of. They are read with the job's own token from a branch that only those can push to who may
 * write. A folder is not read: what is checked out is the change's own.
 */
export async function readMain(session: Session, target: string | null): Promise<MainReading> {
	return readMainRows(() => openMain(session, target), session.signal);
}

/**
 * Returns the baselines that `readMain` reads, for what they say beyond where a row stands; none where a store cannot be read, which is
 * told of in the log. Throws only when the session's signal has aborted.
 */
export async function readMainRecords(
	session: Session & Pick<ActionSession, 'progress'>,
	target: string | null,
): Promise<readonly BaselineRecord[]> {
	try {
		const store = await openMain(session, target);
		return store === null ? [] : (await store.read()).records;
	} catch (error) {
		session.signal.throwIfAborted();
		session.progress.step(`The baselines of the main branch could not be read: ${(error as Error).message}`);
		return [];
	}
}

async function openMain(session: Session, target: string | null): Promise<Store | null> {
	const { github, runner } = session;
	if (github === null || target === null) return null;
	const request = storeRequestOf(session);
	const { place, defaultBranch } = request;
	if (target !== defaultBranch || place.kind === 'folder') return null;
	// Once their pull request is merged, the branch is gone and the default branch has them.
	if (place.kind === 'pull-request') return openRecordStore(request);
	// Most repositories have none: then git need not be asked.
	const branch = await findBranch(github, runner.repository, place.branch);
	return branch === null ? null : openRecordStore(request);
}

/** Returns the branch that the change of this run's own event will be merged into; null where there is none. */
export function targetOf({ payload }: Pick<RunnerContext, 'payload'>): string | null {
	const ref = peek(payload, 'pull_request.base.ref') ?? peek(payload, 'merge_group.base_ref');
	const name = typeof ref === 'string' ? ref.replace(/^refs\/heads\//, '') : null;
	return REF.accepts(name) ? name : null;
}
