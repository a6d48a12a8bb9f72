import { buffer } from 'node:stream/consumers';
import { crc32, deflateRawSync } from 'node:zlib';
import { ZipFile } from 'yazl';

/** Returns an archive as our own store writes it. */
export async function zipOf(files: Readonly<Record<string, string | Uint8Array>>, mode = 0o100644): Promise<Buffer> {
	const zip = new ZipFile();
	for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name, { mode });
	zip.end();
	return buffer(zip.outputStream);
}

/** An entry with forged headers; omitted fields are true. */
export interface ForgedEntry {
	readonly name: string;
	readonly content?: string;
	readonly stored?: boolean;
	readonly packed?: Uint8Array;
	readonly method?: number;
	readonly flags?: number;
	readonly crc?: number;
	readonly compressedSize?: number;
	readonly uncompressedSize?: number;
	/** Upper half of the external attributes. */
	readonly mode?: number;
	readonly extra?: Uint8Array;
	/** Fields of the header in front of the data. */
	readonly local?: Partial<Omit<ForgedEntry, 'local' | 'offset'>>;
	/** Position of that header according to the directory. */
	readonly offset?: number;
}

/** Returns an archive with these headers. `count` goes into the end record. */
export function forgeZip(entries: readonly ForgedEntry[], count = entries.length): Buffer {
	const parts: Buffer[] = [];
	const directory: Buffer[] = [];
	let offset = 0;
	for (const entry of entries) {
		const filled = fill(entry);
		const data = Buffer.from(filled.packed);
		const local = Buffer.concat([headerOf({ ...filled, ...entry.local }, null), data]);
		directory.push(headerOf(filled, entry.offset ?? offset));
		parts.push(local);
		offset += local.length;
	}
	const listed = Buffer.concat(directory);
	const end = Buffer.alloc(22);
	end.writeUInt32LE(0x06054b50, 0);
	end.writeUInt16LE(count, 8);
	end.writeUInt16LE(count, 10);
	end.writeUInt32LE(listed.length, 12);
	end.writeUInt32LE(offset, 16);
	return Buffer.concat([...parts, listed, end]);
}

type Filled = Required<Omit<ForgedEntry, 'local' | 'offset' | 'content' | 'stored'>>;

function fill(entry: ForgedEntry): Filled {
	const content = Buffer.from(entry.content ?? '{}');
	const { stored = false, packed = stored ? content : deflateRawSync(content) } = entry;
	return {
		name: entry.name,
		packed,
		method: entry.method ?? (stored ? 0 : 8),
		flags: entry.flags ?? 0x0800,
		crc: entry.crc ?? crc32(content),
		compressedSize: entry.compressedSize ?? packed.length,
		uncompressedSize: entry.uncompressedSize ?? content.length,
		mode: entry.mode ?? 0o100644,
		extra: entry.extra ?? new Uint8Array(),
	};
}

/** The header of the directory, or with `offset` null the one in front of the data. */
function headerOf(entry: Filled, offset: number | null): Buffer {
	const central = offset !== null;
	const name = Buffer.from(entry.name);
	const head = Buffer.alloc(central ? 46 : 30);
	const at = central ? 2 : 0;
	head.writeUInt32LE(central ? 0x02014b50 : 0x04034b50, 0);
	if (central) head.writeUInt16LE((3 << 8) | 20, 4);
	head.writeUInt16LE(20, 4 + at);
	head.writeUInt16LE(entry.flags, 6 + at);
	head.writeUInt16LE(entry.method, 8 + at);
	head.writeUInt32LE(entry.crc, 14 + at);
	head.writeUInt32LE(entry.compressedSize, 18 + at);
	head.writeUInt32LE(entry.uncompressedSize, 22 + at);
	head.writeUInt16LE(name.length, 26 + at);
	head.writeUInt16LE(entry.extra.length, 28 + at);
	if (central) head.writeUInt32LE(entry.mode * 0x10000, 38);
	if (offset !== null) head.writeUInt32LE(offset, 42);
	return Buffer.concat([head, name, entry.extra]);
}
