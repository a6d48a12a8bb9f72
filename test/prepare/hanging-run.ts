/** A run in its own process, for tests that kill it: CWD CACHE TOOL. */
import { realpathSync } from 'node:fs';
import { prepareSides } from '../../src/prepare/prepare-sides.ts';
import { startJanitor } from '../../src/process/janitor.ts';
import { configOf } from './support.ts';

const [cwd = '', cacheFolder = '', toolRoot = ''] = process.argv.slice(2);
const controller = new AbortController();
process.on('SIGTERM', () => controller.abort(new Error('SIGTERM')));
const janitor = await startJanitor();
try {
	await prepareSides(
		configOf(['tiny']),
		{ base: 'v1', head: 'v1' },
		{
			cwd,
			cacheFolder,
			toolRoot,
			node: realpathSync(process.execPath),
			janitor,
			progress: { step: () => {}, status: () => {} },
			signal: controller.signal,
		},
	);
} catch {
	process.exitCode = 130;
} finally {
	await janitor.close();
}
