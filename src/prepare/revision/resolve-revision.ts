import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../../types/config.ts';
import { UserError } from '../../types/errors.ts';
import type { PlannedSide, PlannedSides } from '../../types/shards.ts';
import type { Side, Sides } from '../../types/units.ts';
import { hashFiles, listFiles } from '../content/list-files.ts';
import { isFetched } from '../package/tarball.ts';
import type { PrepareContext, Session } from '../prepare-context.ts';
import { inSession } from '../prepare-session.ts';
import { findRepository } from './git.ts';
import { type NpmSpec, parseNpmSpec, parseRevision } from './parse-revision.ts';
import { lookUpVersion, type Refused, refusalError } from './registry.ts';
import { explainMissingRef, findCommit, nearestRef } from './resolve-ref.ts';
import type { DirSource, FileSource, GitSource, NpmSource, Source } from './source.ts';

/** Resolves both revisions concurrently. If both fail, throws base's error. */
export async function resolveRevisions(session: Session, revisions: Sides<string>): Promise<Sides<Source>> {
	const [base, head] = await Promise.allSettled([
		resolveRevision(session, 'base', revisions.base),
		resolveRevision(session, 'head', revisions.head),
	]);
	if (base.status === 'rejected') throw base.reason;
	if (head.status === 'rejected') throw head.reason;
	return { base: base.value, head: head.value };
}

/**
 * Finds a revision's code (docs/revisions.md). Without a prefix: a folder, else a git ref of the repository at `cwd`,
 * else NAME@VERSION of an npm package. Throws UserError with the attempts and the nearest name.
 */
export async function resolveRevision(session: Session, side: Side, revision: string): Promise<Source> {
	const { kind, value } = parseRevision(revision, `--${side}`);
	switch (kind) {
		case 'git':
			return resolveGit(session, side, revision, value);
		case 'dir':
			return resolveDir(session, side, revision, value);
		case 'npm':
			return resolveNpm(session, side, revision, value);
		case 'file':
			return resolveFile(session, side, revision, value);
		case null:
			return guess(session, side, revision);
	}
}

async function guess(session: Session, side: Side, revision: string): Promise<Source> {
	if (await isFolder(resolve(session.cwd, revision))) return resolveDir(session, side, revision, revision);
	const repository = await findRepository(session, session.cwd);
	if (repository !== null) {
		const commit = await findCommit(session, repository, revision);
		if (commit !== null) return { kind: 'git', revision, repository, ...commit };
		const missing = await explainMissingRef(session, side, repository, revision);
		if (missing !== null) throw missing;
	}
	const spec = parseNpmSpec(revision);
	// Without a version, a mistyped ref would run whatever package has its name.
	if (spec !== null && isVersioned(revision)) {
		const lookup = await findPackage(session, revision, spec);
		if ('kind' in lookup) return lookup;
		if (lookup.refusal !== 'no-package') throw await refusalError(session, side, spec, lookup);
	}
	throw await nothingFound(session, side, revision, repository, spec);
}

const isVersioned = (revision: string): boolean => revision.slice(1).includes('@');

async function findPackage(session: Session, revision: string, spec: NpmSpec): Promise<NpmSource | Refused> {
	if (spec.exact && (await isFetched(session, spec.name, spec.range)))
		return npmSource(revision, spec.name, spec.range);
	const lookup = await lookUpVersion(session, spec);
	return 'version' in lookup ? npmSource(revision, spec.name, lookup.version) : lookup;
}

async function nothingFound(
	session: Session,
	side: Side,
	revision: string,
	repository: string | null,
	spec: NpmSpec | null,
): Promise<UserError> {
	const nearest = repository === null ? undefined : await nearestRef(session, repository, revision);
	const tried = [
		`a folder (none at ${resolve(session.cwd, revision)})`,
		repository === null ? `a git ref (${session.cwd} is not in a git repository)` : `a git ref (none in ${repository})`,
		spec === null
			? 'an npm package (that is no package name)'
			: `an npm package (${isVersioned(revision) ? 'the registry has none' : 'it has no version'})`,
	];
	const isFile = await stat(resolve(session.cwd, revision)).then(
		(stats) => stats.isFile(),
		() => false,
	);
	const hasCommits = repository !== null && (await findCommit(session, repository, 'HEAD')) !== null;
	const prefixes =
		!hasCommits && (spec === null || !isVersioned(revision))
			? `commit the folder first, because both sides are revisions: ${repository === null ? 'git init && ' : ''}git add --all && git commit -m "First commit"`
			: spec === null || isVersioned(revision)
				? 'name the kind: git:REF, dir:PATH, npm:NAME@VERSION or file:PATH.tgz'
				: `write a git ref that exists, or a package with its version: ${revision}@latest`;
	return new UserError({
		code: 'unknown-revision',
		where: `--${side}`,
		message: `"${revision}" is not a revision. Tried: ${tried.join(', ')}`,
		remedy: isFile
			? `for a tarball write file:${revision}`
			: nearest === undefined
				? prefixes
				: `did you mean the git ref "${nearest}"? Otherwise ${prefixes}`,
	});
}

async function resolveGit(session: Session, side: Side, revision: string, ref: string): Promise<GitSource> {
	const repository = await findRepository(session, session.cwd);
	if (repository === null) {
		throw new UserError({
			code: 'no-repository',
			where: `--${side}`,
			message: `"${revision}" is a git revision, but ${session.cwd} is not in a git repository`,
			remedy: 'run benchgate inside the repository, or use dir:PATH, npm:NAME@VERSION or file:PATH.tgz',
		});
	}
	const commit = await findCommit(session, repository, ref);
	if (commit !== null) return { kind: 'git', revision, repository, ...commit };
	const missing = await explainMissingRef(session, side, repository, ref);
	if (missing !== null) throw missing;
	const nearest = await nearestRef(session, repository, ref);
	throw new UserError({
		code: 'unknown-ref',
		where: `--${side}`,
		message: `there is no git ref "${ref}" in ${repository}`,
		remedy:
			nearest === undefined ? 'list the branches and tags: git branch --all, git tag' : `did you mean "${nearest}"?`,
	});
}

async function resolveDir(session: Session, side: Side, revision: string, path: string): Promise<DirSource> {
	const folder = resolve(session.cwd, path);
	if (!(await isFolder(folder))) {
		throw new UserError({
			code: 'no-folder',
			where: `--${side}`,
			message: `there is no folder ${folder}`,
			remedy: 'give the path of a folder, relative to where benchgate runs',
		});
	}
	const files = await listFiles(session, folder);
	return { kind: 'dir', revision, label: basename(folder), content: await hashFiles(folder, files), folder, files };
}

async function resolveNpm(session: Session, side: Side, revision: string, value: string): Promise<NpmSource> {
	const spec = parseNpmSpec(value);
	if (spec === null) {
		throw new UserError({
			code: 'bad-revision',
			where: `--${side}`,
			message: `"${value}" is not NAME@VERSION of an npm package`,
			remedy: 'write for example npm:express@5.1.0; a path is dir:PATH, a tarball file:PATH.tgz',
		});
	}
	const lookup = await findPackage(session, revision, spec);
	if ('kind' in lookup) return lookup;
	throw await refusalError(session, side, spec, lookup);
}

async function resolveFile(session: Session, side: Side, revision: string, value: string): Promise<FileSource> {
	const path = resolve(session.cwd, value);
	const hash = createHash('sha256');
	try {
		await pipeline(createReadStream(path), hash);
	} catch (cause) {
		throw new UserError({
			code: 'no-file',
			where: `--${side}`,
			message: `the tarball ${path} cannot be read: ${(cause as Error).message}`,
			remedy: 'give the path of a tarball as npm pack writes it, e.g. file:./express-5.1.0.tgz',
			cause,
		});
	}
	return { kind: 'file', revision, label: basename(path), content: hash.digest('hex'), path };
}

function npmSource(revision: string, name: string, version: string): NpmSource {
	const label = `${name}@${version}`;
	return { kind: 'npm', revision, label, content: label, name, version };
}

function isFolder(path: string): Promise<boolean> {
	return stat(path).then(
		(stats) => stats.isDirectory(),
		() => false,
	);
}

export async function identifySides(
	config: Config,
	specs: Sides<string>,
	context: PrepareContext,
): Promise<PlannedSides> {
	return inSession(config, context, async (session) => {
		const { base, head } = await resolveRevisions(session, specs);
		return { base: identityOf(base, context.labels?.base), head: identityOf(head, context.labels?.head) };
	});
}

function identityOf(source: Source, label = source.label): PlannedSide {
	const { revision, kind, content } = source;
	return { revision, kind, label, content, ...(source.kind === 'git' && { sha: source.sha }) };
}
