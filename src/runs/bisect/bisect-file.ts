/** Stores a bisect, so that it can resume after a kill. */
import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import type { Progressed } from './bisect-loop.ts';

const BISECT_FILE_VERSION = 1;

export interface BisectIdentity {
	readonly good: string;
	readonly bad: string;
	readonly cell: string;
	readonly metric: string;
	/** Hash of everything else that affects a measurement. */
	readonly setup: string;
}

export interface BisectFile {
	readonly path: string;
	/** Null if nothing usable is stored. */
	read(): Promise<Progressed | null>;
	/** Writes atomically. */
	write(knowledge: Progressed): Promise<void>;
}

export function openBisectFile(folder: string, identity: BisectIdentity): BisectFile {
	const key = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 16);
	const path = join(folder, `${key}.json`);
	return {
		path,
		async read() {
			const text = await readFile(path, 'utf8').catch(() => null);
			return text === null ? null : parse(text, identity);
		},
		async write(knowledge) {
			await mkdir(dirname(path), { recursive: true });
			const content = { kind: 'benchgate-bisect', version: BISECT_FILE_VERSION, identity, known: knowledge };
			await writeFileAtomic(path, `${JSON.stringify(content)}\n`);
		},
	};
}

/** Ignores files of others or of other releases. */
function parse(text: string, identity: BisectIdentity): Progressed | null {
	try {
		const { kind, version, identity: fileIdentity, known } = JSON.parse(text);
		const fits = kind === 'benchgate-bisect' && version === BISECT_FILE_VERSION;
		return fits && JSON.stringify(fileIdentity) === JSON.stringify(identity) ? (known as Progressed) : null;
	} catch {
		return null;
	}
}
