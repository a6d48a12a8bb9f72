import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import writeFileAtomic from 'write-file-atomic';
import { ZipFile } from 'yazl';
import { plainText } from '../../text/escape.ts';
import type { Warning } from '../../types/units.ts';

/** A file of an artifact. */
export interface ArtifactFile {
	/** In the archive: one of ARTIFACT_FILES. */
	readonly name: string;
	/** On disk. */
	readonly path: string;
}

/** Where artifacts go. What cannot be kept becomes a warning: the gate does not depend on it. */
export interface ArtifactStore {
	upload(name: string, files: readonly ArtifactFile[]): Promise<{ readonly id?: number } | Warning>;
}

/**
 * Folder that takes artifacts as `NAME.zip` in place of GitHub's service, when this variable is set: for tests, and for
 * runners without such a service (act, Gitea), where another step can carry them on.
 */
const ARTIFACT_FOLDER_VARIABLE = 'BENCHGATE_ARTIFACT_DIR';

/** Longest reason of the system that is quoted. */
const REASON_LIMIT = 200;

/** Returns the store the environment asks for; null when it asks for none, and GitHub's service is to be used. */
export function findDirectoryStore(environment: Readonly<NodeJS.ProcessEnv>): ArtifactStore | null {
	const folder = environment[ARTIFACT_FOLDER_VARIABLE];
	return folder ? createDirectoryStore(folder) : null;
}

/** Returns a store that writes each artifact as `<folder>/<name>.zip`, completely or not at all, over an earlier one. */
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

/** Returns the warning for an artifact that could not be kept. */
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
