import envPaths from 'env-paths';

/** Returns the cache folder: BENCHGATE_CACHE, else the user's. */
export function findCacheFolder(): string {
	return process.env.BENCHGATE_CACHE || envPaths('benchgate', { suffix: '' }).cache;
}
