/** Where the inputs want baselines and dashboard. */
import { readStorePlace } from '../../store/open-store.ts';
import { UserError } from '../../types/errors.ts';
import { type ActionSession, cacheFolderOf } from '../action-session.ts';
import { peek, REF } from '../request/payload.ts';
import { readSitePlace, type SitePlace } from './publish-site.ts';
import type { RecordRequest } from './record-mode.ts';

/** Where a workflow whose event does not say it has its default branch. */
const USUAL_BRANCH = 'main';

/** Returns which store the inputs name, and with whose token. Throws a UserError for a place that is none. */
export function storeRequestOf(
	session: Pick<ActionSession, 'inputs' | 'runner' | 'janitor' | 'signal'>,
): Omit<RecordRequest, 'folder' | 'warn' | 'github' | 'site'> {
	const { inputs, runner, janitor, signal } = session;
	const place = readStorePlace(inputs.store);
	if (place === null) {
		throw new UserError({
			code: 'bad-input',
			where: 'input store',
			message: `"${inputs.store}" is not a place for baselines`,
			remedy: 'use branch:NAME, pull-request or dir:PATH',
		});
	}
	const branch = peek(runner.payload, 'repository.default_branch');
	return {
		place,
		defaultBranch: REF.accepts(branch) ? branch : USUAL_BRANCH,
		runner,
		token: inputs.token,
		cacheFolder: cacheFolderOf(session),
		janitor,
		signal,
	};
}

/** Returns where the inputs want the dashboard. Throws a UserError for a place that is none. */
export function sitePlaceOf({ inputs }: Pick<ActionSession, 'inputs'>): SitePlace {
	const place = readSitePlace(inputs.site);
	if (place !== null) return place;
	throw new UserError({
		code: 'bad-input',
		where: 'input site',
		message: `"${inputs.site}" is not a place for the dashboard`,
		remedy: 'use branch:NAME, dir:PATH or none',
	});
}
