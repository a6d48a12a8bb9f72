import { findEnterpriseHost, ONE_JOB } from '../../init/workflows/enterprise-server.ts';
import type { ActionRequest, RunnerContext } from '../../types/action-run.ts';
import { UserError } from '../../types/errors.ts';
import type { Warning } from '../../types/units.ts';
import type { ActionSession } from '../action-session.ts';
import { type ArtifactStore, describeUploadFailure, findDirectoryStore } from '../publish/artifact-store.ts';
import { isReportedElsewhere } from '../publish/comment-context.ts';
import type { ActionInputs } from '../request/inputs.ts';
import { withRuntimeVariables } from '../secrets.ts';
import { endForeignCode } from './foreign-code.ts';
import type { CacheStore } from './install-cache.ts';

/** Optional services of a runner. */
export interface Services {
	readonly store: ArtifactStore;
	readonly cache: CacheStore | null;
}

/** Imports a bundle; without bundles, Node runs the source. */
const loadStorage = () => import('./storage.ts');

export function openServices(session: ActionSession): Services {
	return {
		store: findDirectoryStore(process.env) ?? createGithubStore(session),
		cache: createGithubCache(session),
	};
}

/** The libraries start programs that inherit the token, so code under test must be ended first. */
async function withToken<T>(session: ActionSession, use: () => Promise<T>): Promise<T> {
	await endForeignCode(session);
	return withRuntimeVariables(session.runtime, use);
}

/** Failures become warnings, because the summary has the report too. */
function createGithubStore(session: ActionSession): ArtifactStore {
	const { runtime } = session;
	return {
		async upload(name, files) {
			const host = findEnterpriseHost(session.runner.serverUrl);
			if (host !== null) {
				return describeUploadFailure(name, `${host} is GitHub Enterprise Server, to which benchgate cannot upload`);
			}
			if (runtime.ACTIONS_RUNTIME_TOKEN === undefined) {
				return describeUploadFailure(
					name,
					'this runner has no artifact service; BENCHGATE_ARTIFACT_DIR names a folder instead',
				);
			}
			const [first] = files;
			const folder = first === undefined ? '.' : first.path.slice(0, -first.name.length);
			try {
				const { uploadArtifact } = await loadStorage();
				const paths = files.map(({ path }) => path);
				const id = await withToken(session, () => uploadArtifact(name, paths, folder));
				return id === null ? {} : { id };
			} catch (error) {
				return describeUploadFailure(name, error);
			}
		},
	};
}

function createGithubCache(session: ActionSession): Services['cache'] {
	const { runtime } = session;
	// Same condition as in @actions/cache, which need not be loaded for it. Runners without accounts need no token.
	if (runtime.ACTIONS_RESULTS_URL === undefined && runtime.ACTIONS_CACHE_URL === undefined) return null;
	return {
		async restore(paths, key, restoreKeys) {
			const { restore } = await loadStorage();
			return withToken(session, () => restore(paths, key, restoreKeys));
		},
		async save(paths, key) {
			const { save } = await loadStorage();
			await withToken(session, () => save(paths, key));
		},
	};
}

const PARTS: readonly ActionRequest['kind'][] = ['plan', 'shard', 'gather'];

/** Returns what GitHub Enterprise Server will lose, if anything. Throws UserError `no-artifacts` if it is all. */
export function warnAboutServer(
	{ serverUrl }: Pick<RunnerContext, 'serverUrl'>,
	inputs: ActionInputs,
	{ kind }: Pick<ActionRequest, 'kind'>,
	hasOwnFolder: boolean,
): Warning | null {
	const host = findEnterpriseHost(serverUrl);
	if (host === null || hasOwnFolder) return null;
	const why = `${host} is GitHub Enterprise Server, to which benchgate cannot upload artifacts`;
	if (PARTS.includes(kind)) {
		throw new UserError({
			code: 'no-artifacts',
			where: 'input mode',
			message: `${why}, and the jobs of a comparison on several machines need them`,
			remedy: `measure on one machine: ${ONE_JOB}`,
		});
	}
	const lost =
		kind === 'baseline'
			? 'mode: record gets nothing to store'
			: kind === 'compare' && isReportedElsewhere({ inputs })
				? 'a reporting workflow gets nothing to publish'
				: null;
	return lost === null ? null : { code: 'no-artifacts', message: `${why}, so ${lost}. Instead, ${ONE_JOB}.` };
}
