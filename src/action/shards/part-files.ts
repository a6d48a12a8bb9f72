import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { renderPublication } from '../../formats/publication/publication-file.ts';
import { writeOutput } from '../../output/write-files.ts';
import { type Conclusion, PUBLICATION_SCHEMA_VERSION } from '../../types/action-run.ts';
import type { ActionSession } from '../action-session.ts';
import type { ArtifactFile, ArtifactStore } from '../publish/artifact-store.ts';

export const PLAN_FILE = 'plan.json';

/** Uploads `texts` as the artifact `name`; returns whether later jobs can read it. A failure becomes a warning. */
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

/** Renders a conclusion without plan or rounds as a publication. */
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
