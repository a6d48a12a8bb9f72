import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { STORED_LIMITS } from '../formats/baseline/read-stored.ts';
import { UserError } from '../types/errors.ts';
import {
	chooseNewest,
	isStored,
	readFiles,
	type Store,
	type StoredText,
	storedPath,
	storedText,
	TOO_LARGE,
} from './store.ts';

/** Records are written atomically. */
export function folderStore(folder: string): Store {
	const name = `folder ${folder}`;
	return {
		name,
		async read({ newest } = {}) {
			if (!existsSync(folder)) return { records: [], notes: [], unread: [] };
			const entries = await readdir(folder, { recursive: true, withFileTypes: true });
			// A symbolic link could lead anywhere.
			const plain = entries.filter((entry) => entry.isFile());
			const names = plain.map(({ parentPath, name: file }) => relative(folder, join(parentPath, file)));
			const paths = names.filter(isStored).sort();
			const { opened, ...counts } = newest === undefined ? { opened: paths } : chooseNewest(paths, newest);
			// Reads synchronously: awaiting ten thousand small files would take longer than reading them.
			const files = opened.map((path) => [path, readStored(join(folder, path))] as const);
			return { ...readFiles(files), ...counts };
		},
		async append(items) {
			const fresh = items.filter((item) => !existsSync(join(folder, storedPath(item))));
			for (const item of fresh) await write(join(folder, storedPath(item)), storedText(item));
			return { kind: 'stored', place: name, added: fresh.length, folded: 0, tries: 1, reason: null };
		},
		async remove(paths) {
			for (const path of paths) await rm(join(folder, path), { force: true });
		},
	};
}

function readStored(path: string): StoredText {
	return statSync(path).size > STORED_LIMITS.bytes ? TOO_LARGE : readFileSync(path, 'utf8');
}

async function write(path: string, text: string): Promise<void> {
	try {
		await mkdir(dirname(path), { recursive: true });
		await writeFileAtomic(path, text, { fsync: true });
	} catch (error) {
		const { code = 'unknown error' } = error as NodeJS.ErrnoException;
		throw new UserError({
			code: 'cannot-write',
			where: path,
			message: `the baseline cannot be written: ${code}; nothing was left half-written`,
			remedy: code === 'ENOSPC' ? 'free some space and store it again' : 'choose another folder with --store dir:PATH',
			cause: error,
		});
	}
}
