import { text } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';

/** Returns a zip's files as text, by name. */
export async function unzip(zip: Buffer): Promise<Record<string, string>> {
	const files: Record<string, string> = {};
	const archive = await fromBufferPromise(zip);
	for await (const entry of archive.eachEntry())
		files[entry.fileName] = await text(await archive.openReadStreamPromise(entry));
	return files;
}
