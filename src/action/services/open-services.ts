import type { ActionSession } from '../action-session.ts';
import { type ArtifactStore, describeUploadFailure, findDirectoryStore } from '../publish/artifact-store.ts';
import { withRuntimeVariables } from '../secrets.ts';
import { endForeignCode } from './foreign-code.ts';
import type { CacheStore } from './install-cache.ts';

/** Services of a runner that may be absent. */
export interface Services {
	readonly store: ArtifactStore;
	/** Null without a cache service. */
	readonly cache: CacheStore | null;
}

/** The bundle of the storage libraries; Node runs the sources when there is no bundle. */
const loadStorage = () => import('./storage.ts');

/** Returns the artifact and cache services of this runner. */
export function openServices(session: ActionSession): Services {
	return {
		store: findDirectoryStore(process.env) ?? createGithubStore(session),
		cache: createGithubCache(session),
	};
}

/** Their libraries start programs that inherit the token, so that nothing of the code under test may live meanwhile. */
async function withToken<T>(session: ActionSession, use: () => Promise<T>): Promise<T> {
	await endForeignCode(session);
	return withRuntimeVariables(session.runtime, use);
}

/** GitHub's artifact service. What it refuses is a warning: the report is in the summary as well. */
function createGithubStore(session: ActionSession): ArtifactStore {
	const { runtime } = session;
	return {
		async upload(name, files) {
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

/** GitHub's cache service; null where there is none. */
function createGithubCache(session: ActionSession): Services['cache'] {
	const { runtime } = session;
	// As @actions/cache decides it, which is not loaded to be asked. Runners without accounts need no token.
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
