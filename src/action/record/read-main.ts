import { findBranch } from '../../github/repository-files.ts';
import { type MainReading, NO_BASELINES, readMainRows } from '../../runs/baseline/read-main-rows.ts';
import type { RunnerContext } from '../../types/action-run.ts';
import type { ActionSession } from '../action-session.ts';
import { peek, REF } from '../request/payload.ts';
import { openRecordStore } from './record-mode.ts';
import { storeRequestOf } from './store-request.ts';

type Session = Pick<ActionSession, 'inputs' | 'runner' | 'github' | 'janitor' | 'signal'>;

/**
 * Returns where the default branch stands by its baselines, for a change that is to be merged into `target`; nothing for a change of
 * another branch, which no baseline is of. They are read with the job's own token from a branch that only those can push to who may
 * write. A folder is not read: what is checked out is the change's own.
 */
export async function readMain(session: Session, target: string | null): Promise<MainReading> {
	const { github, runner } = session;
	if (github === null || target === null) return NO_BASELINES;
	return readMainRows(async () => {
		const request = storeRequestOf(session);
		const { place, defaultBranch } = request;
		if (target !== defaultBranch || place.kind === 'folder') return null;
		// Once their pull request is merged, the branch is gone and the default branch has them.
		if (place.kind === 'pull-request') return openRecordStore(request);
		// Most repositories have none: then git need not be asked.
		const branch = await findBranch(github, runner.repository, place.branch);
		return branch === null ? null : openRecordStore(request);
	}, session.signal);
}

/** Returns the branch that the change of this run's own event is to be merged into; null where there is none. */
export function targetOf({ payload }: Pick<RunnerContext, 'payload'>): string | null {
	const ref = peek(payload, 'pull_request.base.ref') ?? peek(payload, 'merge_group.base_ref');
	const name = typeof ref === 'string' ? ref.replace(/^refs\/heads\//, '') : null;
	return REF.accepts(name) ? name : null;
}
