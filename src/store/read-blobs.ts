/** What is in the files of a branch that was fetched. */
import { STORED_LIMITS } from '../formats/baseline/read-stored.ts';
import type { Bytes } from '../types/units.ts';
import { type NotRead, type StoredText, TOO_LARGE } from './read-files.ts';
import type { PrivateRepository } from './store-git.ts';

/** Asked for at once: all of a large store in one piece would be longer than a text can be. */
const AT_ONCE: Bytes = 64 * 1024 * 1024;

/** A file of a branch that was fetched. */
type Listed = readonly [path: string, blob: string];

/** Returns the text of each file that may be read, of `most` bytes together. */
export async function readBlobs(
	repository: PrivateRepository,
	files: readonly Listed[],
	most: Bytes,
): Promise<(readonly [string, StoredText])[]> {
	const sizes = await sizesOf(repository, [...new Set(files.map(([, blob]) => blob))]);
	const refused = refuseLarge(files, sizes, most);
	const wanted = new Set(files.flatMap(([path, blob]) => (refused.has(path) ? [] : [blob])));
	const texts = new Map<string, string>();
	let group: string[] = [];
	let together = 0;
	for (const blob of wanted) {
		group.push(blob);
		together += sizes.get(blob) ?? 0;
		if (together < AT_ONCE) continue;
		await readGroup(repository, group, texts);
		group = [];
		together = 0;
	}
	await readGroup(repository, group, texts);
	return files.map(([path, blob]) => [path, refused.get(path) ?? texts.get(blob) ?? ''] as const);
}

/**
 * Returns which files are not read, and why: git packs gigabytes of the same words into a few kilobytes, and whoever reads them has no
 * memory left for the rest. The newest, whose names come last, are read first.
 */
function refuseLarge(
	files: readonly Listed[],
	sizes: ReadonlyMap<string, Bytes>,
	most: Bytes,
): ReadonlyMap<string, NotRead> {
	const refused = new Map<string, NotRead>();
	let left = most;
	for (const [path, blob] of files.toReversed()) {
		const size = sizes.get(blob) ?? 0;
		if (size > STORED_LIMITS.bytes) refused.set(path, TOO_LARGE);
		else if (size > left) refused.set(path, { why: `the store has more than ${most} bytes; prune it` });
		else left -= size;
	}
	return refused;
}

async function sizesOf(repository: PrivateRepository, blobs: readonly string[]): Promise<ReadonlyMap<string, Bytes>> {
	if (blobs.length === 0) return new Map();
	const told = await repository.must(['cat-file', '--batch-check=%(objectsize)'], { input: `${blobs.join('\n')}\n` });
	const sizes = told.trim().split('\n').map(Number);
	return new Map(blobs.map((blob, index) => [blob, sizes[index] || 0]));
}

/** One process for many: one for each would take minutes for ten thousand. Bytes are counted as git sends them. */
async function readGroup(
	repository: PrivateRepository,
	blobs: readonly string[],
	texts: Map<string, string>,
): Promise<void> {
	if (blobs.length === 0) return;
	const bytes = Buffer.from(await repository.bytes(['cat-file', '--batch'], { input: `${blobs.join('\n')}\n` }));
	let at = 0;
	for (const blob of blobs) {
		const end = bytes.indexOf(10, at);
		const size = Number(bytes.toString('latin1', at, end).split(' ')[2]);
		texts.set(blob, bytes.toString('utf8', end + 1, end + 1 + size));
		at = end + 1 + size + 1;
	}
}
