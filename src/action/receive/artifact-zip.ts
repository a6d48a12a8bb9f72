import { crc32, inflateRawSync } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { badArtifact } from '../../formats/publication/publication-file.ts';
import { PUBLICATION_FILE } from '../../types/action-run.ts';
import { isUserError } from '../../types/errors.ts';
import { type Budget, openBudget, RAW_FILE } from './artifact-budget.ts';
import { checkEntry, checkHeaders, type Located, MOST_ENTRIES } from './artifact-entries.ts';

const STORED = 0;

/** What is read of an artifact, as text. */
export interface ArtifactTexts {
	readonly publication: string;
	/** Null when the artifact has no raw data. */
	readonly raw: string | null;
}

/** Returns what an artifact says, as `readZipTexts` reads it; throws as well when it has no publication. */
export async function readArtifactZip(bytes: Uint8Array, budget: Budget = openBudget()): Promise<ArtifactTexts> {
	const texts = await readZipTexts(bytes, [PUBLICATION_FILE, RAW_FILE], budget);
	return { publication: publicationIn(texts), raw: texts.get(RAW_FILE) ?? null };
}

/** Returns the publication of an artifact and leaves its raw data packed; throws as `readArtifactZip` does. */
export async function readPublicationZip(bytes: Uint8Array, budget: Budget): Promise<string> {
	return publicationIn(await readZipTexts(bytes, [PUBLICATION_FILE], budget));
}

function publicationIn(texts: ReadonlyMap<string, string>): string {
	const publication = texts.get(PUBLICATION_FILE);
	if (publication === undefined) throw badArtifact('artifact', `there is no ${PUBLICATION_FILE} in it`);
	return publication;
}

/**
 * Returns the texts of those of `names` that an archive has, which may be made to harm: every entry is checked before a byte is
 * unpacked, only what is read is, into memory, never more than its entry announced, and never more than `budget` has left.
 *
 * @throws UserError `bad-artifact` for anything that `benchgate` does not write, `artifact-too-large` beyond the budget; they
 * quote nothing of the archive.
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
		const found = located.filter(({ entry }) => names.includes(entry.fileName));
		budget.take(
			'readBytes',
			found.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0),
		);
		return new Map(found.map((one) => [one.entry.fileName, read(archive, one)]));
	} catch (error) {
		if (isUserError(error)) throw error;
		// The library's messages quote names of the archive.
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

/** In one go, because the library's streams cannot be told where to stop before they have inflated a chunk too many. */
function unpack(archive: Buffer, { entry, header }: Located): Buffer {
	const { compressedSize, uncompressedSize, compressionMethod, fileName } = entry;
	const packed = archive.subarray(header.fileDataStart, header.fileDataStart + compressedSize);
	const data = compressionMethod === STORED ? packed : inflate(packed, uncompressedSize, fileName);
	if (data.length !== uncompressedSize) throw badArtifact(fileName, 'it is not as long as it says');
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
