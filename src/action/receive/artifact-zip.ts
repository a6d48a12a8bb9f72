import { crc32, inflateRawSync } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { badArtifact } from '../../formats/publication/publication-file.ts';
import { PUBLICATION_FILE } from '../../types/action-run.ts';
import { isUserError } from '../../types/errors.ts';
import { checkEntry, checkHeaders, type Located, MOST_ENTRIES } from './artifact-entries.ts';

const STORED = 0;

/**
 * Returns the text of `publication.json` in an artifact's archive that may be made to harm: every entry is checked before a
 * byte is unpacked, only the publication is, into memory, and never more than its entry announced.
 *
 * @throws UserError `bad-artifact` for anything that `benchgate` does not write; it quotes nothing of the archive.
 */
export async function readArtifactZip(bytes: Uint8Array): Promise<{ readonly publication: string }> {
	const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	try {
		const zip = await fromBufferPromise(archive, { strictFileNames: true, validateEntrySizes: true });
		const located = await locateEntries(zip, await listEntries(zip));
		checkHeaders(located);
		const wanted = located.find(({ entry }) => entry.fileName === PUBLICATION_FILE);
		if (!wanted) throw badArtifact('artifact', `there is no ${PUBLICATION_FILE} in it`);
		return { publication: decode(unpack(archive, wanted)) };
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

/** In one go, because the library's streams cannot be told where to stop before they have inflated a chunk too many. */
function unpack(archive: Buffer, { entry, header }: Located): Buffer {
	const { compressedSize, uncompressedSize, compressionMethod } = entry;
	const packed = archive.subarray(header.fileDataStart, header.fileDataStart + compressedSize);
	const data = compressionMethod === STORED ? packed : inflate(packed, uncompressedSize);
	if (data.length !== uncompressedSize) throw badArtifact(PUBLICATION_FILE, 'it is not as long as it says');
	if (crc32(data) !== entry.crc32) throw badArtifact(PUBLICATION_FILE, 'its checksum is wrong');
	return data;
}

function inflate(packed: Buffer, announced: number): Buffer {
	try {
		return inflateRawSync(packed, { maxOutputLength: Math.max(1, announced) });
	} catch {
		throw badArtifact(PUBLICATION_FILE, 'it cannot be unpacked to the size it announces');
	}
}

function decode(data: Buffer): string {
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(data);
	} catch {
		throw badArtifact(PUBLICATION_FILE, 'it is not UTF-8 text');
	}
}
