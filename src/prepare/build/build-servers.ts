/** Builds packages that custom servers load. */
import { stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { Config, CustomServer } from '../../types/config.ts';
import { isUserError } from '../../types/errors.ts';
import type { BuildNote } from '../../types/result.ts';
import { type Manifest, readManifest } from '../package/manifest.ts';
import { foldersUpTo } from '../package/package-manager.ts';
import { orderForBuild } from '../package/siblings.ts';
import { nameOrigin, type Session } from '../prepare-context.ts';
import type { Checkout } from '../revision/checkout.ts';
import { findBuilds, findUnbuilt, runBuilds, suggestPrepare } from './find-build.ts';

/** Commands that start Node or a package script. Other programs do not load files named in package.json. */
const NODE = /(?:^|[\s/])(?:node|npm|npx|pnpm|yarn|bun|bunx|tsx|ts-node)\s/;
const SCRIPT = /^(?:npm|pnpm|yarn|bun)\s+(?:run\s+|run-script\s+)?([\w:.-]+)\s*$/;
/** Options of Node whose value is the next word. */
const VALUED =
	/^(?:-r|-C|--(?:require|import|loader|experimental-loader|env-file|env-file-if-exists|conditions|title))$/;
const NO_FILE = /^(?:-|-e|-p|-pe|--eval|--print)$/;

interface Lack {
	/** Absolute folder of the package that lacks the file. */
	readonly folder: string;
	readonly file: string;
	readonly package: string;
	/** Whether the server cannot start without the file. */
	readonly needed: boolean;
}

/**
 * Returns the subject's folder, relative to the checkout, if custom servers may load the subject from outside their own
 * package: if the config names it or has bench servers.
 */
export function loadedSubject({ subject, harness = [] }: Config): string | null {
	return subject !== '.' || harness.length > 0 ? subject : null;
}

/**
 * Builds files that custom servers or their packages name and lack. Returns the commands, or null. A failed build is an
 * error only if a server cannot start without the file.
 */
export async function buildServers(
	session: Session,
	checkout: Checkout,
	servers: readonly CustomServer[],
): Promise<BuildNote | null> {
	if (session.config.prepare !== undefined) return null;
	const lacks: Lack[] = [];
	const nodeServers = servers.filter(({ command }) => NODE.test(`${command} `));
	const subject = loadedSubject(session.config);
	for (const server of nodeServers) lacks.push(...(await findLacks(checkout, server, subject)));
	const [first] = lacks.toSorted((a, b) => Number(b.needed) - Number(a.needed));
	if (first === undefined) return null;
	const folders = [...new Set(lacks.map(({ folder }) => folder))];
	const stages = await findBuilds(checkout, folders);
	if (stages.length === 0) {
		const origin = nameOrigin(checkout.origin);
		const remedy = await suggestPrepare(session, checkout, first.folder);
		// Many packages name a main file that they never had, so without a likely script this is no news.
		if (remedy !== null) {
			session.warnings.push({
				code: 'not-built',
				message: `${origin}: ${first.package} names ${first.file}, which is not there, and has no script "build" to make it. If a server loads it, add to the config: ${remedy}`,
				side: checkout.origin.side,
			});
		}
		return null;
	}
	session.progress.step(`${nameOrigin(checkout.origin)}: building, because ${first.package} names ${first.file}`);
	const commands: string[] = [];
	for (const [at, stage] of stages.entries()) {
		try {
			commands.push(...(await runBuilds(session, checkout, stage)));
		} catch (error) {
			if (!isUserError(error) || error.code !== 'build-failed') throw error;
			if (at < stages.length - 1) continue;
			if (lacks.some(({ needed }) => needed)) throw error;
			session.warnings.push({
				code: 'build-failed',
				message: `${nameOrigin(checkout.origin)}: ${error.message}. It was run because ${first.package} names ${first.file}, which is not there; a server that loads it will not start.`,
				side: checkout.origin.side,
			});
		}
		if (!(await stillLacks(checkout, nodeServers, subject))) break;
	}
	return commands.length === 0 ? null : { command: commands.join(' && '), file: first.file, package: first.package };
}

async function stillLacks(
	checkout: Checkout,
	servers: readonly CustomServer[],
	subject: string | null,
): Promise<boolean> {
	for (const server of servers) if ((await findLacks(checkout, server, subject)).length > 0) return true;
	return false;
}

async function findLacks(checkout: Checkout, server: CustomServer, subject: string | null): Promise<Lack[]> {
	const cwd = resolve(checkout.folder, server.cwd);
	const owner = await findOwner(checkout.folder, cwd);
	const lacks: Lack[] = [];
	const program = owner && programOf(server.command, (await readManifest(cwd, cwd)) ?? owner.manifest);
	if (owner !== null && program !== null && !(await isProgram(join(cwd, program)))) {
		const file = relative(owner.folder, join(cwd, program));
		lacks.push({ folder: owner.folder, file, package: nameOf(owner.manifest, server.name), needed: true });
	}
	const loaded = [owner?.folder, subject === null ? undefined : resolve(checkout.folder, subject)];
	const folders = [...new Set(loaded.filter((folder) => folder !== undefined))];
	for (const folder of await orderForBuild(checkout.folder, folders)) {
		const manifest = await readManifest(folder, folder);
		const [first] = manifest === null ? [] : await findUnbuilt(folder, manifest);
		if (manifest === null || first === undefined) continue;
		lacks.push({
			folder,
			file: first.path,
			package: nameOf(manifest, relative(checkout.folder, folder)),
			needed: false,
		});
	}
	return lacks;
}

async function findOwner(root: string, cwd: string): Promise<{ folder: string; manifest: Manifest } | null> {
	for (const folder of foldersUpTo(cwd, root)) {
		const manifest = await readManifest(folder, folder);
		if (manifest !== null) return { folder, manifest };
	}
	return null;
}

/** Null unless the command, or the package script it runs, plainly starts a file with Node. */
function programOf(command: string, { scripts = {} }: Manifest): string | null {
	const script = SCRIPT.exec(command.trim())?.[1];
	const typed = script === undefined ? command : (scripts[script] ?? '');
	const [program, ...words] = typed.trim().split(/\s+/);
	if (program !== 'node' || words.some((word) => NO_FILE.test(word))) return null;
	const file = words.find((word, at) => !word.startsWith('-') && !VALUED.test(words[at - 1] ?? ''));
	return file !== undefined && /^[\w./@-]+$/.test(file) ? file : null;
}

async function isProgram(path: string): Promise<boolean> {
	for (const ending of ['', '.js', '.cjs', '.mjs', '/index.js']) {
		const stats = await stat(path + ending).catch(() => null);
		if (stats?.isFile()) return true;
	}
	return false;
}

function nameOf({ name }: Manifest, otherwise: string): string {
	return name ?? otherwise;
}
