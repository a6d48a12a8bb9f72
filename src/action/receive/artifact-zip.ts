import { constants } from 'node:fs';
import { crc32, inflateRawSync } from 'node:zlib';
import { type Entry, fromBufferPromise, type LocalFileHeader, type ZipFile } from 'yauzl';
import { badArtifact } from '../../formats/publication/publication-file.ts';
import { FORMATS } from '../../report/formats.ts';
import { isUserError } from '../../types/errors.ts';
import { PUBLICATION_FILE } from '../../types/shared-names.ts';
import { PLAN_FILE } from '../shards/part-files.ts';
import { type Budget, FILE_LIMITS, openBudget, RAW_FILE } from './artifact-budget.ts';

const FILES = Object.values(FORMATS);

export const ARTIFACT_FILES: readonly string[] = [...FILES.map(({ file }) => file), PLAN_FILE];

/** benchgate writes each format at most once. */
export const MOST_ENTRIES = 20;

/** Our files shrink 5 to 30 times, a zip bomb 1,000 times. */
const MOST_RATIO = 200;

/** The ratio means nothing for smaller files. */
const SMALL_BYTES = 64 * 1024;

const ENCRYPTED = 0x0001;

const SIZES_FOLLOW = 0x0008;

const STRONGLY_ENCRYPTED = 0x0040;

const HEADER_MASKED = 0x2000;

/** Stands in a field whose real value is in the zip64 field. */
const IN_ZIP64 = 0xffffffff;

interface Located {
	readonly entry: Entry;
	readonly header: LocalFileHeader;
}

const STORED = 0;

export interface ArtifactTexts {
	readonly publication: string;
	readonly raw: string | null;
}

/** Returns publication and raw data. Throws like `readZipTexts`, and if there is no publication. */
export async function readArtifactZip(bytes: Uint8Array, budget: Budget = openBudget()): Promise<ArtifactTexts> {
	const texts = await readZipTexts(bytes, [PUBLICATION_FILE, RAW_FILE], budget);
	return { publication: publicationIn(texts), raw: texts.get(RAW_FILE) ?? null };
}

export async function readPublicationZip(bytes: Uint8Array, budget: Budget): Promise<string> {
	return publicationIn(await readZipTexts(bytes, [PUBLICATION_FILE], budget));
}

function publicationIn(texts: ReadonlyMap<string, string>): string {
	const publication = texts.get(PUBLICATION_FILE);
	if (publication === undefined) throw badArtifact('artifact', `there is no ${PUBLICATION_FILE} in it`);
	return publication;
}

/**
 * Returns files of a hostile archive. Checks all entries first. Unpacks only requested files, in memory.
 *
 * @throws UserError `bad-artifact` for anything `benchgate` does not write, `artifact-too-large` beyond the budget;
 * messages do not quote the archive.
 */
export async function readZipTexts(
	bytes: Uint8Array,
	names: readonly string[],
	budget: Budget,
): Promise<ReadonlyMap<string, string>> {
	const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	try {
		const zip = await fromBufferPromise(archive, { strictFileNames: true, validateEntrySizes: true });
		const located = await locateEntries(zip, await listEntries(zip));
		checkHeaders(located);
		const namedEntries = located.filter(({ entry }) => names.includes(entry.fileName));
		budget.take(
			'readBytes',
			namedEntries.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0),
		);
		return new Map(namedEntries.map((one) => [one.entry.fileName, read(archive, one)]));
	} catch (error) {
		if (isUserError(error)) throw error;
		// The library's messages quote the archive.
		throw badArtifact('artifact', 'it is no whole zip archive');
	}
}

async function listEntries(zip: ZipFile): Promise<readonly Entry[]> {
	if (zip.entryCount > MOST_ENTRIES) throw badArtifact('artifact', `it holds more than ${MOST_ENTRIES} files`);
	const entries: Entry[] = [];
	for await (const entry of zip.eachEntry()) {
		checkEntry(entry, entries);
		entries.push(entry);
	}
	return entries;
}

async function locateEntries(zip: ZipFile, entries: readonly Entry[]): Promise<readonly Located[]> {
	const located: Located[] = [];
	for (const entry of entries) located.push({ entry, header: await zip.readLocalFileHeaderPromise(entry) });
	return located;
}

function read(archive: Buffer, located: Located): string {
	return decode(unpack(archive, located), located.entry.fileName);
}

/** Not streamed, because the library's streams inflate one chunk too many before they stop. */
function unpack(archive: Buffer, { entry, header }: Located): Buffer {
	const { compressedSize, uncompressedSize, compressionMethod, fileName } = entry;
	const packed = archive.subarray(header.fileDataStart, header.fileDataStart + compressedSize);
	const data = compressionMethod === STORED ? packed : inflate(packed, uncompressedSize, fileName);
	if (data.length !== uncompressedSize) throw badArtifact(fileName, 'its length is not the one in its header');
	if (crc32(data) !== entry.crc32) throw badArtifact(fileName, 'its checksum is wrong');
	return data;
}

function inflate(packed: Buffer, announced: number, name: string): Buffer {
	try {
		return inflateRawSync(packed, { maxOutputLength: Math.max(1, announced) });
	} catch {
		throw badArtifact(name, 'it cannot be unpacked to the size it announces');
	}
}

function decode(data: Buffer, name: string): string {
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(data);
	} catch {
		throw badArtifact(name, 'it is not UTF-8 text');
	}
}

function checkEntry(entry: Entry, earlier: readonly Entry[]): void {
	const name = ARTIFACT_FILES.find((file) => file === entry.fileName);
	// An extra field can give a name that differs from the header's, and zip readers differ in which name they use.
	if (name === undefined || entry.fileNameRaw.toString('latin1') !== name) {
		throw badArtifact('artifact', 'it holds a file that benchgate does not write');
	}
	if (earlier.some(({ fileName }) => fileName === name)) throw badArtifact(name, 'the file is in it twice');
	if ((entry.generalPurposeBitFlag & (ENCRYPTED | STRONGLY_ENCRYPTED | HEADER_MASKED)) !== 0) {
		throw badArtifact(name, 'the file is encrypted');
	}
	if (!entry.canDecodeFileData()) throw badArtifact(name, 'the file is packed in an unknown way');
	// The upper half of the external attributes has the file type, or 0 if unset.
	const kind = (entry.externalFileAttributes >>> 16) & constants.S_IFMT;
	if (kind !== 0 && kind !== constants.S_IFREG)
		throw badArtifact(name, 'it is a link or something else that is no file');
	checkSizes(name, entry);
}

function checkSizes(name: string, { compressedSize, uncompressedSize }: Entry): void {
	const most = FILE_LIMITS[name];
	if (most !== undefined && uncompressedSize > most) {
		throw badArtifact(name, `it declares more than ${most} bytes`);
	}
	if (uncompressedSize > SMALL_BYTES && uncompressedSize > MOST_RATIO * compressedSize) {
		throw badArtifact(name, `it declares more than ${MOST_RATIO} times the size of its packed form`);
	}
}

/** Refuses local headers that contradict the directory, and entries that share bytes. */
function checkHeaders(located: readonly Located[]): void {
	for (const { entry, header } of located) {
		if (!saysTheSame(entry, header)) {
			throw badArtifact(entry.fileName, 'its header differs from the directory');
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
	const same = (headerValue: number, entryValue: number): boolean =>
		headerValue === entryValue || headerValue === IN_ZIP64 || (sizesFollow && headerValue === 0);
	return (
		same(header.compressedSize, entry.compressedSize) &&
		same(header.uncompressedSize, entry.uncompressedSize) &&
		same(header.crc32, entry.crc32)
	);
}
