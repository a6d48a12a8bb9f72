import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import valid from 'semver/functions/valid.js';
import maxSatisfying from 'semver/ranges/max-satisfying.js';
import { EXIT, UserError } from '../types/errors.ts';
import { type AskedRuntime, RUNTIME_LABELS, type RuntimeInfo } from '../types/runtime.ts';
import { tailOf } from './build/build-failure.ts';
import type { Session } from './prepare-context.ts';
import { classifyRefusal, newestVersions, runNpm } from './revision/registry.ts';

export interface RuntimeQuestion {
	/** Place in messages: `base (node@22)`. */
	readonly where: string;
	readonly asked: AskedRuntime;
	readonly package: string;
	/** Platform and architecture of cached programs. */
	readonly machine: string;
}

type CachedRuntime = RuntimeInfo & { readonly machine?: string };

/**
 * Returns the exact version: the given one, else the newest that npm has, else (without npm) the newest in the cache.
 * Throws UserError with exit code 3 if there is none.
 */
export async function findVersion(session: Session, question: RuntimeQuestion): Promise<string> {
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

/** Returns an empty note for a file that a full disk or a crash cut off. The runtime is then installed again. */
async function readNote(path: string): Promise<Partial<CachedRuntime>> {
	try {
		return JSON.parse(await readFile(path, 'utf8')) as Partial<CachedRuntime>;
	} catch {
		return {};
	}
}
