import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readArtifactZip } from '../../../src/action/receive/artifact-zip.ts';
import { readPublication, renderPublication } from '../../../src/formats/publication/publication-file.ts';
import { isUserError } from '../../../src/types/errors.ts';
import { publicationCase } from '../../formats/publication-cases.ts';
import { forgeZip, zipOf } from './artifact-archives.ts';

const CASES = 4000;
const SEED = 20261121;

const TEXT = renderPublication(publicationCase('one-cell'));
const FILES = { 'publication.json': TEXT, 'result.json': '{}', 'raw.json': '[1,2,3]', 'report.md': '### Pass' };
const STREAMED = { flags: 0x0808, local: { crc: 0, compressedSize: 0, uncompressedSize: 0 } };
const ARCHIVES = [
	await zipOf(FILES),
	await zipOf({ 'publication.json': TEXT }),
	forgeZip([
		{ name: 'raw.json', content: '[]', stored: true },
		{ name: 'publication.json', content: TEXT, ...STREAMED },
	]),
	forgeZip([{ name: 'publication.json', content: TEXT, stored: true }]),
];

/** Bytes that describe other bytes; the rest is mostly packed data. */
const HEADERS = ARCHIVES.map((archive) =>
	[...archive.keys()].filter((at) => archive[at] === 0x50 && archive[at + 1] === 0x4b).flatMap((at) => range(at, 50)),
);

type Change = (archive: Buffer, spots: readonly number[]) => Buffer;

const byte = fc.oneof(fc.constantFrom(0, 1, 0x2e, 0x2f, 0x5c, 0x7f, 0x80, 0xff), fc.nat({ max: 255 }));

const changeHeader: fc.Arbitrary<Change> = fc.tuple(fc.nat(), fc.array(byte, { minLength: 1, maxLength: 4 })).map(
	([where, bytes]) =>
		(archive, spots) =>
			overwrite(archive, spots[where % spots.length] ?? 0, bytes),
);

const changeAnything: fc.Arbitrary<Change> = fc.tuple(fc.nat(), fc.array(byte, { minLength: 1, maxLength: 8 })).map(
	([where, bytes]) =>
		(archive) =>
			overwrite(archive, where % (archive.length + 1), bytes),
);

const cut: fc.Arbitrary<Change> = fc.tuple(fc.nat(), fc.nat({ max: 60 })).map(([where, length]) => (archive) => {
	const at = where % (archive.length + 1);
	return Buffer.concat([archive.subarray(0, at), archive.subarray(at + length)]);
});

const repeat: fc.Arbitrary<Change> = fc
	.tuple(fc.nat(), fc.nat(), fc.nat({ max: 400 }))
	.map(([from, to, length]) => (archive) => {
		const piece = archive.subarray(from % (archive.length + 1)).subarray(0, length);
		const at = to % (archive.length + 1);
		return Buffer.concat([archive.subarray(0, at), piece, archive.subarray(at)]);
	});

const hostileArchive = fc
	.tuple(
		fc.nat({ max: ARCHIVES.length - 1 }),
		fc.array(
			fc.oneof(
				{ arbitrary: changeHeader, weight: 6 },
				{ arbitrary: changeAnything, weight: 2 },
				{ arbitrary: cut, weight: 1 },
				{ arbitrary: repeat, weight: 1 },
			),
			{ minLength: 1, maxLength: 3 },
		),
	)
	.map(([which, changes]) => {
		const spots = HEADERS[which] ?? [];
		return changes.reduce((archive, change) => change(archive, spots), ARCHIVES[which] ?? Buffer.alloc(0));
	});

function range(start: number, length: number): number[] {
	return Array.from({ length }, (_, index) => start + index);
}

function overwrite(archive: Buffer, at: number, bytes: readonly number[]): Buffer {
	const changed = Buffer.from(archive);
	changed.set(bytes.slice(0, Math.max(0, changed.length - at)), Math.min(at, changed.length));
	return changed;
}

test('a mutated archive gives its publication or is refused with a message of ours', { timeout: 600_000 }, async () => {
	let read = 0;
	const property = fc.asyncProperty(hostileArchive, async (archive) => {
		try {
			const { publication } = await readArtifactZip(archive);
			// Other texts fail the checksum.
			assert.equal(publication, TEXT);
			read++;
		} catch (error) {
			if (!isUserError(error)) throw error;
			assert.equal(error.code, 'bad-artifact');
			assert.match(`${error.message} ${error.where} ${error.remedy}`, /^[\w .,:;()'-]+$/);
		}
	});
	await fc.assert(property, { numRuns: CASES, seed: SEED });
	assert.ok(read > CASES / 50, `only ${read} were read`);
	assert.ok(read < CASES / 2, `${read} were read`);
	assert.equal(readPublication(TEXT).headSha, publicationCase('one-cell').headSha);
});
