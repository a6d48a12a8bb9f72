import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, deflateRawSync } from 'node:zlib';
import { openBudget, RUN_LIMITS } from '../../../src/action/receive/artifact-budget.ts';
import { ARTIFACT_FILES, readArtifactZip } from '../../../src/action/receive/artifact-zip.ts';
import { PUBLICATION_LIMITS } from '../../../src/formats/publication/publication-schema.ts';
import { isUserError, type UserError } from '../../../src/types/errors.ts';
import { type ForgedEntry, forgeZip, zipOf } from './artifact-archives.ts';

const PUBLICATION = '{"kind":"benchgate-publication"}';
const GOOD: ForgedEntry = { name: 'publication.json', content: PUBLICATION };
const OTHER: ForgedEntry = { name: 'raw.json', content: '{"kind":"benchgate-raw"}'.repeat(20) };
const SIZE = PUBLICATION.length;
/** The Info-ZIP field with another name of the entry. */
const OTHER_NAME = Buffer.concat([
	Buffer.from([0x75, 0x70, 5 + 9, 0, 1]),
	uint32(crc32('publication.json')),
	Buffer.from('other.exe'),
]);

function uint32(value: number): Buffer {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32LE(value);
	return bytes;
}

async function refusalOf(archive: Uint8Array): Promise<UserError> {
	const error = await readArtifactZip(archive).then(
		() => assert.fail('the archive was accepted'),
		(reason: unknown) => reason,
	);
	if (!isUserError(error)) throw error;
	assert.equal(error.code, 'bad-artifact');
	assert.match(`${error.message} ${error.where} ${error.remedy}`, /^[\w .,:;()'-]+$/);
	return error;
}

test('an archive of our own store is read', async () => {
	const others = ARTIFACT_FILES.map((name, index) => [name, 'ä'.repeat(index)]);
	const files = { ...Object.fromEntries(others), 'publication.json': PUBLICATION, 'raw.json': 'ü' };
	assert.deepEqual(await readArtifactZip(await zipOf(files)), { publication: PUBLICATION, raw: files['raw.json'] });
});

test('a forged archive with true headers is read, stored or deflated', async () => {
	assert.deepEqual(await readArtifactZip(forgeZip([OTHER, GOOD])), { publication: PUBLICATION, raw: OTHER.content });
	assert.deepEqual(await readArtifactZip(forgeZip([{ ...GOOD, stored: true }])), {
		publication: PUBLICATION,
		raw: null,
	});
});

test('sizes may follow the data, as in streamed archives', async () => {
	const flags = 0x0808;
	const entry = { ...GOOD, flags, local: { crc: 0, compressedSize: 0, uncompressedSize: 0 } };
	assert.deepEqual(await readArtifactZip(forgeZip([entry])), { publication: PUBLICATION, raw: null });
});

test('a part of a larger buffer is read within its bounds', async () => {
	const archive = forgeZip([GOOD]);
	const larger = Buffer.concat([Buffer.from('PK\u0005\u0006 before'), archive, Buffer.from('after')]);
	const view = larger.subarray(larger.length - archive.length - 5, larger.length - 5);
	assert.deepEqual(await readArtifactZip(new Uint8Array(view)), { publication: PUBLICATION, raw: null });
});

const NAMES = [
	...['../publication.json', '/publication.json', 'C:publication.json', 'C:\\publication.json', '..\\publication.json'],
	...[
		'a/publication.json',
		'./publication.json',
		'publication.json/',
		'PUBLICATION.JSON',
		'publication.json\u0000.exe',
	],
	...[
		'',
		'.',
		'..',
		'package.json',
		'.git/hooks/post-checkout',
		'publication.json ',
		`${'x'.repeat(60_000)}`,
		'\u202ejson',
	],
	...['__proto__', 'constructor', '<script>alert(1)</script>', '::error::x'],
];

for (const name of NAMES) {
	test(`an entry called ${JSON.stringify(name).slice(0, 40)} is refused`, async () => {
		await refusalOf(forgeZip([GOOD, { ...OTHER, name }]));
		await refusalOf(forgeZip([{ ...GOOD, name }]));
	});
}

const LIES: Readonly<Record<string, readonly [readonly ForgedEntry[], RegExp]>> = {
	'no publication': [[OTHER], /there is no publication\.json in it/],
	'no entries': [[], /there is no publication\.json in it/],
	'the same name twice': [[GOOD, OTHER, GOOD], /the file is in it twice/],
	'a symbolic link': [[{ ...GOOD, mode: 0o120777 }], /a link or something else/],
	'a device': [[{ ...GOOD, mode: 0o060644 }], /a link or something else/],
	'a folder': [[{ ...OTHER, mode: 0o040755 }, GOOD], /a link or something else/],
	encryption: [[{ ...GOOD, flags: 0x0801 }], /encrypted/],
	'strong encryption': [[{ ...GOOD, flags: 0x0841 }], /no whole zip archive/],
	'masked headers': [[{ ...GOOD, flags: 0x2800 }], /encrypted/],
	'another packing': [[{ ...GOOD, method: 14 }], /unknown way/],
	'a name in an extra field': [[{ ...GOOD, extra: OTHER_NAME }], /does not write/],
	'our name in an extra field': [[{ ...GOOD, name: 'x', extra: OTHER_NAME }], /does not write/],
	'a header of another name': [
		[{ ...GOOD, local: { name: 'publication.html' } }],
		/its header differs from the directory/,
	],
	'a header of another packing': [[{ ...GOOD, local: { method: 0 } }], /its header differs from the directory/],
	'a header of another size': [[{ ...GOOD, local: { uncompressedSize: 3 } }], /its header differs from the directory/],
	'a header with other flags': [[{ ...GOOD, local: { flags: 0x0801 } }], /its header differs from the directory/],
	'one byte more than announced': [[lying({ uncompressedSize: SIZE - 1 })], /cannot be unpacked to the size/],
	'one byte less than announced': [[lying({ uncompressedSize: SIZE + 1 })], /its length is not the one/],
	'nothing announced': [[lying({ uncompressedSize: 0 })], /cannot be unpacked|its length/],
	'a wrong checksum': [[lying({ crc: 1 })], /checksum/],
	'data that are no deflate': [[{ ...GOOD, packed: Buffer.alloc(40, 0xff) }], /cannot be unpacked/],
	'deflate that is cut off': [[{ ...GOOD, packed: deflateRawSync(PUBLICATION).subarray(0, 9) }], /cannot be unpacked/],
	'packed data beyond the end': [[lying({ compressedSize: 100_000 })], /no whole zip archive/],
	'stored data of another size': [[{ ...GOOD, stored: true, uncompressedSize: 5 }], /no whole zip archive/],
	'a header beyond the end': [[{ ...GOOD, offset: 1_000_000 }], /no whole zip archive/],
	'two entries at one place': [[GOOD, { ...OTHER, offset: 0 }], /its header differs from the directory/],
	'text that is no UTF-8': [[{ ...GOOD, ...contentOf(Buffer.from([0x7b, 0xff, 0x7d])) }], /not UTF-8/],
	'a publication announced too large': [
		[lying({ uncompressedSize: PUBLICATION_LIMITS.bytes + 1 })],
		/more than 20000000 bytes/,
	],
	'a bomb, announced': [[{ ...GOOD, ...contentOf(Buffer.alloc(10_000_000, 0x20)) }], /200 times the size/],
	'a bomb, not announced': [
		[{ ...GOOD, ...contentOf(Buffer.alloc(10_000_000, 0x20)), ...announcing(60_000) }],
		/unpacked/,
	],
	'a bomb in an unread file': [
		[GOOD, { ...OTHER, name: 'report.html', ...announcing(4_000_000_000) }],
		/200 times the size/,
	],
	'more entries than anybody writes': [Array(21).fill(GOOD), /more than 20 files/],
};

/** The publication with the same false field in both headers. */
function lying(lie: Partial<ForgedEntry>): ForgedEntry {
	return { ...GOOD, ...lie };
}

function contentOf(data: Buffer): Partial<ForgedEntry> {
	return { packed: deflateRawSync(data), uncompressedSize: data.length, crc: crc32(data) };
}

function announcing(uncompressedSize: number): Partial<ForgedEntry> {
	return { uncompressedSize };
}

for (const [name, [entries, words]] of Object.entries(LIES)) {
	test(`an archive with ${name} is refused`, async () => {
		assert.match((await refusalOf(forgeZip(entries))).message, words);
	});
}

test('entries that share bytes are refused', async () => {
	const inner = forgeZip([OTHER]);
	const outer: ForgedEntry = {
		...GOOD,
		stored: true,
		content: inner.toString('latin1'),
		packed: inner,
		crc: crc32(inner),
	};
	// The second entry's header and data lie inside the first one's data.
	const archive = forgeZip([
		{ ...outer, uncompressedSize: inner.length },
		{ ...OTHER, offset: 30 + 'publication.json'.length },
	]);
	assert.match((await refusalOf(archive)).message, /shares bytes/);
});

test('a wrong number of entries in the end record is refused', async () => {
	await refusalOf(forgeZip([GOOD], 2));
	await refusalOf(forgeZip([GOOD], 0));
	await refusalOf(forgeZip([GOOD], 0xffff));
});

test('an archive cut off anywhere is refused', async () => {
	const archive = await zipOf({ 'publication.json': PUBLICATION, 'raw.json': '[]' });
	for (let length = 0; length < archive.length; length++) await refusalOf(archive.subarray(0, length));
	await refusalOf(Buffer.concat([archive, Buffer.from('tail')]));
});

test('bytes that are no archive are refused', async () => {
	for (const text of ['', 'PK', '<!doctype html>', '{}', 'PK\u0005\u0006']) await refusalOf(Buffer.from(text));
	await refusalOf(Buffer.alloc(1_000_000));
});

test('all archives of a run share one budget, which is charged before unpacking', async () => {
	const budget = openBudget();
	budget.take('readBytes', RUN_LIMITS.readBytes - SIZE);
	const archive = forgeZip([GOOD]);
	assert.equal((await readArtifactZip(archive, budget)).publication, PUBLICATION);
	await assert.rejects(
		readArtifactZip(archive, budget),
		(error) => isUserError(error) && error.code === 'artifact-too-large',
	);
});
