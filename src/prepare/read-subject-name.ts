import { join } from 'node:path';
import { parseManifest, readManifest } from './package/manifest.ts';
import { fetchTarball } from './package/tarball.ts';
import type { Origin, Session } from './prepare-context.ts';
import { runGit } from './revision/git.ts';

/**
 * Returns the name of a side's package without running a line of its code: from the package.json of the commit or folder, or
 * of the tarball. Null when there is none, or it cannot be read; what prepares the side says why.
 */
export async function readSubjectName(session: Session, { side, source }: Origin): Promise<string | null> {
	const { subject } = session.config;
	switch (source.kind) {
		case 'git': {
			const path = join(subject, 'package.json');
			const blob = await runGit(session, source.repository, ['cat-file', 'blob', `${source.sha}:${path}`]);
			return blob.succeeded ? nameIn(blob.stdout) : null;
		}
		case 'dir':
			return (await readManifest(join(source.folder, subject), side).catch(() => null))?.name ?? null;
		case 'npm':
		case 'file':
			return (await fetchTarball(session, { side, source })).subject.name;
	}
}

function nameIn(text: string): string | null {
	try {
		return parseManifest(text, '').name ?? null;
	} catch {
		return null;
	}
}
