/**
 * Runs the tests, two files at a time: `*.test.ts`, or with `--slow` the `*.slow.test.ts`. What waits for real servers begins
 * first, so that the last to end are short.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SLOW = '.slow.test.ts';
/** Servers under load share two CPUs: more at a time would measure each other. */
const FILES_AT_ONCE = 2;
/** Where the long files are; those that are named whole take longest. */
const FIRST = ['test/e2e/selftest', 'test/e2e/judge', 'test/act/', 'test/e2e/', 'test/prepare/', 'test/measure/'];

/** Returns the test files of one half in the order in which they begin, paths from the root. */
export function listTests(half: 'usual' | 'slow'): string[] {
	const files = globSync('test/**/*.test.ts', { cwd: ROOT }).sort();
	const placeOf = (file: string) => {
		const place = FIRST.findIndex((prefix) => file.startsWith(prefix));
		return place < 0 ? FIRST.length : place;
	};
	return files.filter((file) => file.endsWith(SLOW) === (half === 'slow')).sort((a, b) => placeOf(a) - placeOf(b));
}

if (import.meta.main) {
	const files = listTests(process.argv.includes('--slow') ? 'slow' : 'usual').map((file) => join(ROOT, file));
	// Until the summary says otherwise nothing has passed.
	process.exitCode = 1;
	run({ files, concurrency: FILES_AT_ONCE })
		.on('test:summary', ({ file, success }) => {
			if (file === undefined && success) process.exitCode = 0;
		})
		.compose(spec)
		.pipe(process.stdout);
}
