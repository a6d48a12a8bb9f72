import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ENTRIES } from '../../process/entries.ts';
import type { Failure } from '../../types/action-run.ts';

/**
 * Remembers the program files of benchgate itself: the runner starts one of them once more after the job's steps, with the token.
 * Returns a function to be called when the code under test has ended: it puts the files back as they were, and returns the failure
 * `own-files-touched` when somebody had changed one, else null.
 */
export function guardOwnFiles(folder = dirname(ENTRIES.watchdog)): () => Failure | null {
	const files = readdirSync(folder)
		.filter((name) => /\.(?:[cm]?js|json)$/.test(name))
		.map((name) => ({ name, path: join(folder, name), bytes: readFileSync(join(folder, name)) }));
	return () => {
		const touched = files.filter(({ path, bytes }) => !bytes.equals(readOrNothing(path)));
		for (const { path, bytes } of touched) {
			rmSync(path, { recursive: true, force: true });
			writeFileSync(path, bytes, { flag: 'wx' });
		}
		if (touched.length === 0) return null;
		const names = touched.map(({ name }) => name).join(', ');
		return {
			code: 'own-files-touched',
			side: null,
			message: `something changed benchgate's own files while code of this pull request could run: ${names}. They were put back`,
			where: null,
			remedy: 'look at what the build and the servers of head write; "isolation: users" keeps them out of these files',
			details: null,
			usage: false,
		};
	};
}

function readOrNothing(path: string): Buffer {
	try {
		return readFileSync(path);
	} catch {
		return Buffer.alloc(0);
	}
}
