import { join } from 'node:path';
import type { CustomServer } from '../types/config.ts';
import { UserError } from '../types/errors.ts';
import type { PreparedServer } from '../types/prepared.ts';
import type { Sides } from '../types/units.ts';
import { folderOf, type MadeSide } from './make-side.ts';
import { readInstalledVersions, type Versions } from './package/installed-versions.ts';
import { readManifest } from './package/manifest.ts';
import { foldersUpTo } from './package/package-manager.ts';

/** Throws UserError `no-folder` if a `cwd` exists on neither side, unless `newServers` has the server. */
export function checkCustomServers(
	made: Sides<MadeSide>,
	custom: readonly CustomServer[],
	newServers: readonly string[] = [],
): void {
	for (const server of custom) {
		const { name, cwd } = server;
		if (has(made.base, name) || has(made.head, name) || newServers.includes(name)) continue;
		throw noFolder(server, `its cwd "${cwd}" exists neither in base nor in head`);
	}
}

export function noFolder({ name }: CustomServer, message: string): UserError {
	const remedy = 'cwd is relative to the top of the checkout; a folder that git ignores is in no checkout';
	return new UserError({ code: 'no-folder', where: `server ${name}`, message, remedy });
}

/** Returns null if the folder is missing. `subject` is the result of `loadedSubject`. */
export async function prepareCustomServer(
	made: MadeSide,
	server: CustomServer,
	subject: string | null,
): Promise<PreparedServer | null> {
	if (made.checkout === null || !has(made, server.name)) return null;
	const cwd = folderOf(made.checkout.folder, server);
	let versions: Versions = {};
	const direct: string[] = [];
	const root = made.checkout.folder;
	const loaded = subject === null ? [] : foldersUpTo(join(root, subject), root);
	for (const folder of new Set([...foldersUpTo(cwd, root), ...loaded])) {
		versions = { ...(await readInstalledVersions(folder)), ...versions };
		direct.push(...Object.keys((await readManifest(folder, folder).catch(() => null))?.dependencies ?? {}));
	}
	return { name: server.name, cwd, root, run: { shell: server.command }, env: server.env, versions, direct };
}

function has(made: MadeSide, name: string): boolean {
	return made.checkout?.note.present.includes(name) ?? false;
}
