import { chmodSync, fchmodSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';

/** Makes the folder for all logs, which only we can enter, and returns its path. */
export function makeLogFolder(cacheFolder: string): string {
	const folder = join(cacheFolder, 'logs');
	mkdirSync(folder, { recursive: true });
	chmodSync(folder, 0o700);
	return folder;
}

/**
 * Opens a log in a folder that only we can enter, to append to and to read, and returns its descriptor. Whoever is handed that can open it
 * again, whatever user it is: what writes to /dev/stderr does.
 */
export function openLog(path: string): number {
	const log = openSync(path, 'a+');
	fchmodSync(log, 0o666);
	return log;
}
