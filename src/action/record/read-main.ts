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
 * Returns where the default branch stands by its baselines, for a change into `target`; empty for other targets. Never
 * reads a folder, because the checkout is the change's own.
 */
export async function readMain(session: Session, target: string | null): Promise<MainReading> {
	return readMainRows(() => openMain(session, target), session.signal);
}

/** Returns these baselines as records. If they are unreadable, logs that and returns none. Throws only when aborted. */
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
	// After the pull request is merged, the default branch has the baselines.
	if (place.kind === 'pull-request') return openRecordStore(request);
	// Most repositories have no baselines; this saves them a call of git.
	const branch = await findBranch(github, runner.repository, place.branch);
	return branch === null ? null : openRecordStore(request);
}

export function targetOf({ payload }: Pick<RunnerContext, 'payload'>): string | null {
	const ref = peek(payload, 'pull_request.base.ref') ?? peek(payload, 'merge_group.base_ref');
	const name = typeof ref === 'string' ? ref.replace(/^refs\/heads\//, '') : null;
	return REF.accepts(name) ? name : null;
}
