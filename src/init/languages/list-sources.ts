import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const DEPTH = 4;
const MOST_FILES = 200;
const READ = 64 * 1024;
const SKIPPED =
	/^(?:\.|_|node_modules$|vendor$|venv$|env$|site-packages$|tests?$|testdata$|docs$|examples?$|migrations$)/;
const IS_TEST = /^test_|_test\.|^conftest\./;

/** Returns the beginning of files with this ending, by relative path; top files first. */
export async function listSources(top: string, ending: string, deepest = DEPTH): Promise<ReadonlyMap<string, string>> {
	const sources = new Map<string, string>();
	let folders = [''];
	for (let depth = 0; depth <= deepest && folders.length > 0; depth++) {
		const below: string[] = [];
		for (const folder of folders) {
			const entries = await readdir(path.join(top, folder), { withFileTypes: true }).catch(() => []);
			for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
				const inside = path.posix.join(folder, entry.name);
				// Java names packages com.example.
				const isSkipped = SKIPPED.test(entry.name) && !inside.includes('src/main/');
				if (entry.isDirectory() && !isSkipped) below.push(inside);
				if (!entry.isFile() || !entry.name.endsWith(ending) || IS_TEST.test(entry.name)) continue;
				if (sources.size === MOST_FILES) return sources;
				const text = await readFile(path.join(top, inside), 'utf8').catch(() => '');
				sources.set(inside, text.slice(0, READ));
			}
		}
		folders = below;
	}
	return sources;
}
