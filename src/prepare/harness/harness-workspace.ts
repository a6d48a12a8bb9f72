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
 * Returns a server of a harness package, installed outside of any checkout with the side's subject (null: as its lockfile
 * says), the folder it runs from, and the number of packages installed. All harness folders lie in it as in the repository.
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
	// Packages run scripts when they are installed, those of head too, and servers of an earlier run may have written here.
	await restoreFiles(workspace, asInstalled(files, folder, packed));
	const cwd = join(workspace, plainFolder(server.cwd));
	return {
		prepared: { name: server.name, cwd, run: { shell: server.command }, env: server.env, versions },
		folder: workspace,
		installs,
	};
}

/** The files of the harness but the lockfile, which npm writes, with the package.json that names the subject. */
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
