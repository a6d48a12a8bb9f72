import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import {
	type ArtifactFile,
	createDirectoryStore,
	findDirectoryStore,
} from '../../../src/action/publish/artifact-store.ts';
import { ARTIFACT_FILES, readArtifactZip } from '../../../src/action/receive/artifact-zip.ts';
import { readPublication, renderPublication } from '../../../src/formats/publication/publication-file.ts';
import { publicationCase } from '../../formats/publication-cases.ts';

const TEXT = renderPublication(publicationCase('one-cell'));

/** A folder with every file of an artifact, removed after the test. */
function reportFolder(t: TestContext): { readonly folder: string; readonly files: readonly ArtifactFile[] } {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-artifact-'));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const files = ARTIFACT_FILES.map((name) => ({ name, path: join(folder, name) }));
	for (const { name, path } of files) writeFileSync(path, name === 'publication.json' ? TEXT : `a ${name}`);
	return { folder, files };
}

test('the store in a folder writes a file that the reader reads, over an existing one', async (t) => {
	const { folder, files } = reportFolder(t);
	const store = createDirectoryStore(join(folder, 'not', 'there'));
	assert.deepEqual(await store.upload('benchgate', []), {});
	assert.deepEqual(await store.upload('benchgate', files), {});
	assert.deepEqual(readdirSync(join(folder, 'not', 'there')), ['benchgate.zip']);
	const read = await readArtifactZip(readFileSync(join(folder, 'not', 'there', 'benchgate.zip')));
	assert.deepEqual(readPublication(read.publication).headSha, publicationCase('one-cell').headSha);
});

test('a failed upload is a warning', async (t) => {
	const { folder, files } = reportFolder(t);
	const onFile = await createDirectoryStore(join(folder, 'report.md', 'x')).upload('benchgate', files);
	assert.ok('code' in onFile && onFile.code === 'artifact-not-uploaded');
	assert.match(onFile.message, /^Could not keep the artifact benchgate \(E/);
	const missing = [{ name: 'raw.json', path: join(folder, 'missing') }];
	assert.ok('code' in (await createDirectoryStore(folder).upload('benchgate', missing)));
	assert.ok(!readdirSync(folder).includes('benchgate.zip'));
});

test('a variable of the environment chooses the folder', async (t) => {
	const { folder, files } = reportFolder(t);
	assert.equal(findDirectoryStore({}), null);
	assert.equal(findDirectoryStore({ BENCHGATE_ARTIFACT_DIR: '' }), null);
	await findDirectoryStore({ BENCHGATE_ARTIFACT_DIR: folder })?.upload('benchgate-linux', files);
	assert.ok(readdirSync(folder).includes('benchgate-linux.zip'));
});

test("an upload of GitHub's own client is readable", async (t) => {
	const { files } = reportFolder(t);
	// That client's archiver, with the same options.
	const archiver = createRequire(import.meta.resolve('@actions/artifact'))('archiver');
	const zip = archiver.create('zip', { zlib: { level: 6 } });
	for (const { name, path } of files) zip.file(path, { name });
	zip.finalize();
	assert.equal((await readArtifactZip(await buffer(zip))).publication, TEXT);
});
