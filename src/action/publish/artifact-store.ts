import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import writeFileAtomic from 'write-file-atomic';
import { ZipFile } from 'yazl';
import { plainText } from '../../text/escape.ts';
import type { Warning } from '../../types/units.ts';

export interface ArtifactFile {
	/** One of ARTIFACT_FILES. */
	readonly name: string;
	readonly path: string;
}

/** Failures are warnings: the gate does not depend on artifacts. */
export interface ArtifactStore {
	upload(name: string, files: readonly ArtifactFile[]): Promise<{ readonly id?: number } | Warning>;
}

/**
 * Folder for artifacts in place of GitHub's service: for tests, and for runners without it (act, Gitea), where another
 * step can pass them on.
 */
const ARTIFACT_FOLDER_VARIABLE = 'BENCHGATE_ARTIFACT_DIR';

const REASON_LIMIT = 200;

/** Returns the store of BENCHGATE_ARTIFACT_DIR, or null. */
export function findDirectoryStore(environment: Readonly<NodeJS.ProcessEnv>): ArtifactStore | null {
	const folder = environment[ARTIFACT_FOLDER_VARIABLE];
	return folder ? createDirectoryStore(folder) : null;
}

/** Returns a store that writes `<folder>/<name>.zip` atomically. */
export function createDirectoryStore(folder: string): ArtifactStore {
	return {
		async upload(name, files) {
			try {
				await mkdir(folder, { recursive: true });
				await writeFileAtomic(join(folder, `${name}.zip`), await pack(files));
				return {};
			} catch (error) {
				return describeUploadFailure(name, error);
			}
		},
	};
}

/** Returns the warning for a failed upload. */
export function describeUploadFailure(name: string, error: unknown): Warning {
	const reason = plainText(error instanceof Error ? error.message : String(error), REASON_LIMIT);
	return {
		code: 'artifact-not-uploaded',
		message: `Could not keep the artifact ${plainText(name, REASON_LIMIT)} (${reason}): the raw data are lost with this job, and a reporting workflow has nothing to publish.`,
	};
}

async function pack(files: readonly ArtifactFile[]): Promise<Buffer> {
	const zip = new ZipFile();
	for (const { name, path } of files) zip.addBuffer(await readFile(path), name);
	zip.end();
	return buffer(zip.outputStream);
}
