import { constants } from 'node:fs';
import type { Entry, LocalFileHeader } from 'yauzl';
import { badArtifact } from '../../formats/publication/publication-file.ts';
import { FORMATS } from '../../report/formats.ts';
import { PLAN_FILE } from '../shards/part-files.ts';
import { FILE_LIMITS } from './artifact-budget.ts';

const FILES = Object.values(FORMATS);
/** Files an artifact of ours may hold. */
export const ARTIFACT_FILES: readonly string[] = [...FILES.map(({ file }) => file), PLAN_FILE];
/** Entries an archive may have: ours has one of each format at most. */
export const MOST_ENTRIES = 20;
/** Deflated JSON and HTML of ours take 5 to 30 times less room; a bomb takes 1,000 times less. */
const MOST_RATIO = 200;
/** Below this the ratio says nothing. */
const SMALL_BYTES = 64 * 1024;

/** Bits of the flags word. */
const ENCRYPTED = 0x0001;
const SIZES_FOLLOW = 0x0008;
const STRONGLY_ENCRYPTED = 0x0040;
const HEADER_MASKED = 0x2000;

/** A header field that says "look in the zip64 field". */
const IN_ZIP64 = 0xffffffff;

/** Throws UserError `bad-artifact` unless the entry of the directory is one of our files, once, and of a plausible size. */
export function checkEntry(entry: Entry, earlier: readonly Entry[]): void {
	const name = ARTIFACT_FILES.find((known) => known === entry.fileName);
	// A field may give another name than the header does, and readers differ in which they take.
	if (name === undefined || entry.fileNameRaw.toString('latin1') !== name) {
		throw badArtifact('artifact', 'it holds a file that benchgate does not write');
	}
	if (earlier.some(({ fileName }) => fileName === name)) throw badArtifact(name, 'the file is in it twice');
	if ((entry.generalPurposeBitFlag & (ENCRYPTED | STRONGLY_ENCRYPTED | HEADER_MASKED)) !== 0) {
		throw badArtifact(name, 'the file is encrypted');
	}
	if (!entry.canDecodeFileData()) throw badArtifact(name, 'the file is packed in an unknown way');
	// In the upper half of the external attributes; 0 where the writer had none to say.
	const kind = (entry.externalFileAttributes >>> 16) & constants.S_IFMT;
	if (kind !== 0 && kind !== constants.S_IFREG)
		throw badArtifact(name, 'it is a link or something else that is no file');
	checkSizes(name, entry);
}

function checkSizes(name: string, { compressedSize, uncompressedSize }: Entry): void {
	const most = FILE_LIMITS[name];
	if (most !== undefined && uncompressedSize > most) {
		throw badArtifact(name, `it says it has more than ${most} bytes`);
	}
	if (uncompressedSize > SMALL_BYTES && uncompressedSize > MOST_RATIO * compressedSize) {
		throw badArtifact(name, `it says it takes ${MOST_RATIO} times more room than its packed form`);
	}
}

/** An entry with the header in front of its data. */
export interface Located {
	readonly entry: Entry;
	readonly header: LocalFileHeader;
}

/**
 * Throws UserError `bad-artifact` when a header in front of data says something else than the directory, or when two entries
 * share bytes.
 */
export function checkHeaders(located: readonly Located[]): void {
	for (const { entry, header } of located) {
		if (!saysTheSame(entry, header)) {
			throw badArtifact(entry.fileName, 'its header says something else than the directory');
		}
	}
	const inOrder = located.toSorted((a, b) => startOf(a) - startOf(b));
	for (const [index, { entry, header }] of inOrder.entries()) {
		const next = inOrder[index + 1];
		if (next && header.fileDataStart + entry.compressedSize > startOf(next)) {
			throw badArtifact(entry.fileName, 'it shares bytes with another file');
		}
	}
}

function startOf({ entry }: Located): number {
	return entry.relativeOffsetOfLocalHeader;
}

function saysTheSame(entry: Entry, header: LocalFileHeader): boolean {
	if (!header.fileName.equals(entry.fileNameRaw)) return false;
	if (header.compressionMethod !== entry.compressionMethod) return false;
	if (header.generalPurposeBitFlag !== entry.generalPurposeBitFlag) return false;
	const sizesFollow = (header.generalPurposeBitFlag & SIZES_FOLLOW) !== 0;
	const same = (said: number, known: number): boolean =>
		said === known || said === IN_ZIP64 || (sizesFollow && said === 0);
	return (
		same(header.compressedSize, entry.compressedSize) &&
		same(header.uncompressedSize, entry.uncompressedSize) &&
		same(header.crc32, entry.crc32)
	);
}
