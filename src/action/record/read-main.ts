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
 * Returns the default branch's standing by its baselines, for a change into `target`; empty for other targets. Reads
 * with the job's token from a branch that only writers can push to, never a folder: the checkout is the change's own.
 */
export async function readMain(session: Session, target: string | null): Promise<MainReading> {
	return readMainRows(() => openMain(session, target), session.signal);
}

/** Returns these baselines as records; empty, and logged, if unreadable. Throws only when aborted. */
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
	// After the merge, the default branch has them.
	if (place.kind === 'pull-request') return openRecordStore(request);
	// Most repositories have no baselines; saves a call of git.
	const branch = await findBranch(github, runner.repository, place.branch);
	return branch === null ? null : openRecordStore(request);
}

/** Returns the target branch of this run's event. */
export function targetOf({ payload }: Pick<RunnerContext, 'payload'>): string | null {
	const ref = peek(payload, 'pull_request.base.ref') ?? peek(payload, 'merge_group.base_ref');
	const name = typeof ref === 'string' ? ref.replace(/^refs\/heads\//, '') : null;
	return REF.accepts(name) ? name : null;
}
