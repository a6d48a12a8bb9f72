/** GitHub's artifact and cache libraries. They are large, so this separate bundle is loaded on demand. */
import { DefaultArtifactClient } from '@actions/artifact';
import { restoreCache, saveCache } from '@actions/cache';

/** Uploads `files` of `folder` as one artifact. Throws the service's errors. */
export async function uploadArtifact(name: string, files: readonly string[], folder: string): Promise<number | null> {
	const { id } = await new DefaultArtifactClient().uploadArtifact(name, [...files], folder);
	return id ?? null;
}

export async function restore(
	paths: readonly string[],
	key: string,
	restoreKeys: readonly string[],
): Promise<string | undefined> {
	return restoreCache([...paths], key, [...restoreKeys]);
}

/** Does not replace an existing entry. */
export async function save(paths: readonly string[], key: string): Promise<void> {
	await saveCache([...paths], key);
}
