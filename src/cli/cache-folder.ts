import envPaths from 'env-paths';

export function findCacheFolder(): string {
	return process.env.BENCHGATE_CACHE || envPaths('benchgate', { suffix: '' }).cache;
}
