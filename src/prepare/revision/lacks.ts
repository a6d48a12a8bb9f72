import { lstat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { EXIT, UserError } from '../../types/errors.ts';
import type { Warning } from '../../types/units.ts';
import { readPlainText } from '../content/plain-file.ts';
import { untouchedServers } from '../content/reads.ts';
import { nameOrigin, type Origin, type Session } from '../prepare-context.ts';
import { runGit } from './git.ts';
import { isUnfilled, type Submodules, type Unfilled } from './submodules.ts';

/** Unfilled submodules and unresolved Git LFS pointers of a checkout. */
export interface Lacks {
	readonly submodules: readonly Unfilled[];
	readonly pointers: readonly string[];
}

const NAMED = 3;
/** No pointer is larger (bytes; Git LFS specification, "The Pointer"). */
const POINTER_LIMIT = 1024;
const POINTER = /^version https:\/\/(?:git-lfs|hawser)\.github\.com\/spec\/v1\r?\n/;
const BY_LFS = ':(attr:filter=lfs)';

export async function findPointers(
	session: Session,
	{ source }: Origin,
	checkout: string,
	{ filled }: Submodules,
): Promise<string[]> {
	if (source.kind === 'npm' || source.kind === 'file') return [];
	const attributes =
		source.kind === 'git' ? [] : source.files.filter(({ path }) => posix.basename(path) === '.gitattributes');
	const folders =
		source.kind === 'git'
			? ['.', ...filled].map((path) => ({ path, at: join(checkout, path) }))
			: [
					...attributes.map(({ path }) => posix.dirname(path)).map((path) => ({ path, at: join(source.folder, path) })),
					...filled.map((path) => ({ path, at: join(checkout, path) })),
				];
	const paths = new Set<string>();
	for (const { path, at } of folders) {
		const { stdout } = await runGit(session, at, ['ls-files', '-z', '--', BY_LFS]);
		for (const name of stdout.split('\0').filter((part) => part !== '')) paths.add(posix.join(path, name));
	}
	return filterPointers(checkout, [...paths]);
}

async function filterPointers(checkout: string, paths: readonly string[]): Promise<string[]> {
	const pointers: string[] = [];
	for (const path of paths) {
		const stats = await lstat(join(checkout, path)).catch(() => null);
		if (!stats?.isFile() || stats.size >= POINTER_LIMIT) continue;
		if (POINTER.test(await readPlainText(join(checkout, path)).catch(() => ''))) pointers.push(path);
	}
	return pointers;
}

/** Returns the contents still missing after the build. */
export async function findLeft(checkout: string, { submodules, pointers }: Lacks): Promise<Lacks> {
	const unfilledSubmodules: Unfilled[] = [];
	for (const one of submodules) if (await isUnfilled(checkout, one.path)) unfilledSubmodules.push(one);
	return { submodules: unfilledSubmodules, pointers: await filterPointers(checkout, pointers) };
}

export function isWhole({ submodules, pointers }: Lacks): boolean {
	return submodules.length + pointers.length === 0;
}

/**
 * Returns the missing contents that, according to `reads`, a server may read. If both sides lacked the same content,
 * they would answer alike, and a slower head could pass.
 */
export function neededOf({ config }: Pick<Session, 'config'>, { submodules, pointers }: Lacks): Lacks {
	// `.git` represents the submodule's files, which are unknown.
	const mayBeRead = (path: string) => untouchedServers(config, [path]).length < config.servers.length;
	return {
		submodules: submodules.filter(({ path }) => mayBeRead(posix.join(path, '.git'))),
		pointers: pointers.filter(mayBeRead),
	};
}

/** `cause` is a build error that the missing contents may explain. */
export function lackError(origin: Origin, lacks: Lacks, cause?: UserError): UserError {
	return new UserError({
		code: 'checkout-incomplete',
		where: nameOrigin(origin),
		message: `${describeLacks(lacks)}${cause === undefined ? '' : `; and ${cause.message}`}`,
		remedy: remedyOf(lacks),
		...(cause === undefined ? {} : { cause, ...(cause.details !== undefined && { details: cause.details }) }),
		exitCode: EXIT.nothingMeasured,
	});
}

export function lackWarning(origin: Origin, lacks: Lacks): Warning {
	const message = `${nameOrigin(origin)}: ${describeLacks(lacks)}. By the config no server reads that.`;
	return { code: 'checkout-incomplete', message, side: origin.side };
}

function describeLacks({ submodules, pointers }: Lacks): string {
	const parts: string[] = [];
	if (submodules.length > 0) {
		const each = submodules.map(({ path, commit, why }) => `${JSON.stringify(path)} at ${commit.slice(0, 7)} (${why})`);
		parts.push(`${submodules.length === 1 ? 'the submodule' : 'submodules'} ${listed(each)} could not be filled`);
	}
	if (pointers.length > 0) {
		const files = listed(pointers.map((path) => JSON.stringify(path)));
		const [are, contents] =
			pointers.length === 1 ? ['is a pointer', 'its content'] : ['are pointers', 'their contents'];
		parts.push(`${files} ${are} of Git LFS instead of ${contents}`);
	}
	return parts.join('; ');
}

function listed(names: readonly string[]): string {
	const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
	return `${names.slice(0, NAMED).join(', ')}${more}`;
}

function remedyOf({ submodules, pointers }: Lacks): string {
	const ways: string[] = [];
	if (submodules.length > 0) {
		ways.push(
			'run git submodule update --init --recursive before (in a workflow: submodules: recursive on actions/checkout)',
		);
	}
	if (pointers.length > 0) {
		ways.push('install Git LFS and run git lfs install before (in a workflow: lfs: true on actions/checkout)');
	}
	return `${ways.join('; ')}; if no server reads it, list in benchgate.yml under reads what they do read`;
}
