import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import writeFileAtomic from 'write-file-atomic';
import { ZipFile } from 'yazl';
import { plainText } from '../../text/escape.ts';
import type { Warning } from '../../types/units.ts';

export interface ArtifactFile {
	readonly name: string;
	readonly path: string;
}

/** Failures become warnings, because the gate does not depend on artifacts. */
export interface ArtifactStore {
	upload(name: string, files: readonly ArtifactFile[]): Promise<{ readonly id?: number } | Warning>;
}

/**
 * Folder that replaces GitHub's artifact service in tests and on runners that lack it (act, Gitea). Another step can
 * pass the files on.
 */
const ARTIFACT_FOLDER_VARIABLE = 'BENCHGATE_ARTIFACT_DIR';

const REASON_LIMIT = 200;

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

/** The explanation has an artifact of its own, because replacing one deletes it first, and with it the verdict. */
export function explanationName(artifactName: string, attempt: number): string {
	return `${artifactName}-explanation-attempt-${attempt}`;
}

export function isExplanationName(name: string): boolean {
	return /-explanation-attempt-[1-9]\d{0,3}$/.test(name);
}
