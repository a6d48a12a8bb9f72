/** What talks to GitHub's artifact and cache services: heavy libraries, in a bundle of its own, loaded when first needed. */
import { DefaultArtifactClient } from '@actions/artifact';
import { restoreCache, saveCache } from '@actions/cache';

/** Uploads `files`, which lie in `folder`, as one artifact. Returns its id. Throws what the service says. */
export async function uploadArtifact(name: string, files: readonly string[], folder: string): Promise<number | null> {
	const { id } = await new DefaultArtifactClient().uploadArtifact(name, [...files], folder);
	return id ?? null;
}

/** Returns the key of the entry that was restored into `paths`; undefined when none matched. */
export async function restore(
	paths: readonly string[],
	key: string,
	restoreKeys: readonly string[],
): Promise<string | undefined> {
	return restoreCache([...paths], key, [...restoreKeys]);
}

/** Saves `paths` under `key`; an entry of that key that exists already is left as it is. */
export async function save(paths: readonly string[], key: string): Promise<void> {
	await saveCache([...paths], key);
}
