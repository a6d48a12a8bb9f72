import envPaths from 'env-paths';

/** Returns the folder for packed subjects and installed workspaces: BENCHGATE_CACHE, else the user's cache folder. */
export function findCacheFolder(): string {
	return process.env.BENCHGATE_CACHE || envPaths('benchgate', { suffix: '' }).cache;
}
