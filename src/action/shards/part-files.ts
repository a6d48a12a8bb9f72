import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { renderPublication } from '../../formats/publication/publication-file.ts';
import { writeOutput } from '../../output/write-files.ts';
import { type Conclusion, PUBLICATION_SCHEMA_VERSION } from '../../types/action-run.ts';
import type { ActionSession } from '../action-session.ts';
import type { ArtifactFile, ArtifactStore } from '../publish/artifact-store.ts';

/** Name of the file with the plan, in its artifact. */
export const PLAN_FILE = 'plan.json';

/**
 * Writes `texts`, by name of the file, and uploads them as the artifact `name`; returns whether the jobs after this one find them
 * there. What cannot be kept becomes a warning of the session.
 */
export async function handOn(
	session: ActionSession,
	store: ArtifactStore,
	name: string,
	texts: Readonly<Record<string, string>>,
): Promise<boolean> {
	const folder = join(session.runner.tempFolder, name);
	await mkdir(folder, { recursive: true });
	const files: ArtifactFile[] = [];
	for (const [file, content] of Object.entries(texts)) {
		const path = join(folder, file);
		await writeOutput({ flag: 'artifact', path, content });
		files.push({ name: file, path });
	}
	const uploaded = await store.upload(name, files);
	if (!('code' in uploaded)) return true;
	session.warnings.push(uploaded);
	return false;
}

/** Returns, as a publication, what a job came to that has no plan or no rounds to hand on. */
export function renderSaid(
	{ inputs, runner, warnings }: ActionSession,
	headSha: string,
	conclusion: Conclusion,
): string {
	const { id, attempt } = runner.run;
	return renderPublication({
		schemaVersion: PUBLICATION_SCHEMA_VERSION,
		kind: 'benchgate-publication',
		run: { id, attempt },
		headSha,
		commentKey: inputs.commentKey,
		gate: inputs.gate ?? 'enforce',
		onInconclusive: inputs.onInconclusive ?? 'pass',
		conclusion,
		warnings,
	});
}
