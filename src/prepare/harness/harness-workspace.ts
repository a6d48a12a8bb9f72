import { join, posix } from 'node:path';
import { plainFolder } from '../../config/file/check-harness.ts';
import type { CustomServer } from '../../types/config.ts';
import type { PreparedServer } from '../../types/prepared.ts';
import { type PackedSubject, packagesOf } from '../package/packed.ts';
import type { Origin, Session } from '../prepare-context.ts';
import { INSTALL, makeWorkspace, type WorkspaceSource, writeManifest } from '../workspace.ts';
import {
	digestFolders,
	type Harness,
	type HarnessFile,
	LOCKFILES,
	type PackageFolder,
	writeHarnessFile,
} from './harness.ts';
import { restoreFiles } from './lay-over.ts';

/**
 * Installs a harness server outside any checkout, with the side's subject (null: as its lockfile has it). The folder
 * contains all harness folders.
 */
export async function prepareHarnessServer(
	session: Session,
	origin: Origin,
	server: CustomServer,
	{ harness, folder, packed }: { harness: Harness; folder: PackageFolder; packed: PackedSubject | null },
): Promise<{ readonly prepared: PreparedServer; readonly folder: string; readonly installs: number }> {
	const files = harness.folders.flatMap((each) => each.files);
	const source: WorkspaceSource = {
		what: `the bench servers in ${folder.path}`,
		key: { harness: folder.path, files: digestFolders(harness.folders) },
		folder: folder.path,
		...folder.package,
		install: INSTALL,
		write: async (workspace) => {
			for (const file of files) await writeHarnessFile(workspace, file);
		},
	};
	const { folder: workspace, versions, installs } = await makeWorkspace(session, origin, source, packed);
	// Install scripts (head's too) and servers of earlier runs may have changed files.
	await restoreFiles(workspace, asInstalled(files, folder, packed));
	const cwd = join(workspace, plainFolder(server.cwd));
	return {
		prepared: { name: server.name, cwd, root: workspace, run: { shell: server.command }, env: server.env, versions },
		folder: workspace,
		installs,
	};
}

/** npm rewrites the lockfile, and package.json names the subject. */
function asInstalled(
	files: readonly HarnessFile[],
	{ path: top, package: { manifest } }: PackageFolder,
	packed: PackedSubject | null,
): HarnessFile[] {
	const kept = files.filter(({ path }) => !LOCKFILES.some((name) => path === posix.join(top, name)));
	if (packed === null) return kept;
	const content = Buffer.from(writeManifest(manifest, packagesOf(packed)));
	return kept.map((file) => (file.path === posix.join(top, 'package.json') ? { ...file, content } : file));
}
