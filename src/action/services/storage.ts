/** GitHub's artifact and cache libraries: heavy, so loaded on demand as a separate bundle. */
import { DefaultArtifactClient } from '@actions/artifact';
import { restoreCache, saveCache } from '@actions/cache';

/** Uploads `files` of `folder` as one artifact; returns its id. Throws the service's errors. */
export async function uploadArtifact(name: string, files: readonly string[], folder: string): Promise<number | null> {
	const { id } = await new DefaultArtifactClient().uploadArtifact(name, [...files], folder);
	return id ?? null;
}

/** Returns the key of the restored entry; undefined if there was no match. */
export async function restore(
	paths: readonly string[],
	key: string,
	restoreKeys: readonly string[],
): Promise<string | undefined> {
	return restoreCache([...paths], key, [...restoreKeys]);
}

/** Saves `paths`; keeps an existing entry. */
export async function save(paths: readonly string[], key: string): Promise<void> {
	await saveCache([...paths], key);
}
