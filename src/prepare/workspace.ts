import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shellWord } from '../text/shell-word.ts';
import type { PreparedServer } from '../types/prepared.ts';
import { type BuiltinFolder, replaceSubject } from './builtin-servers.ts';
import { type Entry, keyOf, useEntry } from './cache.ts';
import { copyFiles } from './content/list-files.ts';
import { runForeign } from './foreign-step.ts';
import { readInstalledVersions, type Versions } from './package/installed-versions.ts';
import type { PackedSubject } from './package/packed.ts';
import { nameOrigin, type Origin, type Session } from './prepare-context.ts';

/** The lockfile has to count whatever the user's npm settings say; the rest of them (registry, proxy) stay in force. */
const INSTALL = ['install', '--no-audit', '--no-fund', '--omit=dev', '--package-lock=true'];

/**
 * Returns a built-in server installed with its pinned dependencies and the side's subject (null: as released), and the
 * folder it runs from with what servers share, and the number of packages installed, 0 when it was in the cache.
 */
export async function prepareWorkspace(
	session: Session,
	origin: Origin,
	server: BuiltinFolder,
	packed: PackedSubject | null,
): Promise<{ readonly prepared: PreparedServer; readonly folder: string; readonly installs: number }> {
	const packages = packed === null ? [] : [packed.subject, ...packed.siblings];
	const key = keyOf({
		server: server.name,
		files: server.digest,
		packages: packages.map(({ name, digest }) => [name, digest]),
		platform: session.platform,
	});
	const { entry, note, built } = await useEntry(session, 'workspaces', key, async (made) => {
		await copyFiles(server.root, server.files, made.folder);
		const folder = folderIn(made, server);
		if (packed !== null) await addSubject(folder, server, packed);
		if (packed !== null || server.installed.size > 0 || server.manifest.dependencies !== undefined) {
			await install(session, origin, server, made);
		}
		if (packed !== null) await checkInstalled(folder, packed);
		return { versions: await readInstalledVersions(folder) };
	});
	const { versions }: { versions: Versions } = note;
	const run = { argv: [session.node, 'server.mjs'] };
	return {
		prepared: { name: server.name, cwd: folderIn(entry, server), run, env: {}, versions },
		folder: entry.folder,
		installs: built ? Object.keys(versions).length : 0,
	};
}

/** A workspace is a small copy of `servers/`: the server beside what it shares with others. */
function folderIn(entry: Entry, server: BuiltinFolder): string {
	return join(entry.folder, server.name);
}

async function addSubject(folder: string, server: BuiltinFolder, packed: PackedSubject): Promise<void> {
	for (const { file } of [packed.subject, ...packed.siblings]) {
		await copyFile(join(packed.folder, file), join(folder, file));
	}
	const manifest = replaceSubject(server.manifest, packed);
	await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, '\t')}\n`);
}

async function install(session: Session, origin: Origin, server: BuiltinFolder, entry: Entry): Promise<void> {
	session.progress.step(`${nameOrigin(origin)}: installing server ${server.name}`);
	const npm = session.npm ?? 'npm';
	const cwd = folderIn(entry, server);
	await runForeign(session, {
		origin,
		what: `npm install of server ${server.name}`,
		argv: [npm, ...INSTALL],
		folder: cwd,
		log: entry.log,
		writes: [entry.folder],
		repeat: `cd ${shellWord(cwd)} && npm ${INSTALL.join(' ')}`,
	});
}

/** A server that silently ran the released package would make every comparison `unchanged`. */
async function checkInstalled(folder: string, { subject, siblings }: PackedSubject): Promise<void> {
	const text = await readFile(join(folder, 'node_modules', '.package-lock.json'), 'utf8');
	const { packages } = JSON.parse(text) as { packages: Record<string, { resolved?: string }> };
	for (const { name, file } of [subject, ...siblings]) {
		const copies = Object.entries(packages).filter(([path]) => path.endsWith(`node_modules/${name}`));
		if (copies.length > 0 && copies.every(([, { resolved }]) => resolved === `file:${file}`)) continue;
		const found = copies.map(([path, { resolved }]) => `${path} from ${resolved ?? 'the registry'}`);
		throw new Error(
			`npm did not install ${name} from ${file} everywhere in ${folder}: ${found.join(', ') || 'nowhere'}`,
		);
	}
}
