import { join } from 'node:path';
import type { LoadedServer } from '../config/load-catalogue.ts';
import { UserError } from '../types/errors.ts';
import type { Sides, Warning } from '../types/units.ts';
import { type Installable, usesPackage } from './builtin-servers.ts';
import type { MadeSide } from './make-side.ts';
import { parseManifest, readManifest } from './package/manifest.ts';
import { fetchTarball } from './package/tarball.ts';
import type { Origin, Session } from './prepare-context.ts';
import { runGit } from './revision/git.ts';

export interface Placement {
	/** Servers into which the subject is installed. */
	readonly users: ReadonlySet<string>;
	readonly warnings: readonly Warning[];
}

export interface Selected extends Installable {
	/** Path of its package.json in the harness. */
	readonly harness?: string;
}

/** Servers of the same comparison on other machines. */
export interface Elsewhere {
	readonly installables: readonly Selected[];
	/** Whether one of them runs in the checkout. */
	readonly hasCustom: boolean;
}

/**
 * Returns the servers that base's subject goes into, before head's code runs. Throws UserError if no compared server
 * uses it.
 */
export function placeSubject(
	base: MadeSide,
	selected: readonly Selected[],
	catalogue: readonly LoadedServer[],
	hasCustom: boolean,
	elsewhere: Elsewhere,
): Placement {
	if (base.packed === null) return { users: new Set(), warnings: [] };
	const { name } = base.packed.subject;
	const users = selected.filter((server) => usesPackage(server, name));
	const all = [...selected, ...elsewhere.installables];
	if (!hasCustom && !elsewhere.hasCustom && !all.some((server) => usesPackage(server, name))) {
		throw subjectUnused(name, all, catalogue);
	}
	const warnings = selected
		.filter((server) => !users.includes(server))
		.map((server) => ({
			code: 'subject-unused',
			message: `Server ${server.name} does not use ${name}: its base and head are the same program, so it cannot show an effect of the change.`,
		}));
	return { users: new Set(users.map((server) => server.name)), warnings };
}

export function checkSameSubject({ base, head }: Sides<string | null>): void {
	if (base !== null && head !== null && base !== head) throw differentSubjects(base, head);
}

/** Returns the names of packages from the revisions themselves. */
export function subjectNames(made: Sides<MadeSide>): ReadonlySet<string> {
	const sides = [made.base, made.head];
	const packed = sides.flatMap((side) => (side.packed === null ? [] : [side.packed.subject, ...side.packed.siblings]));
	if (packed.length > 0) return new Set(packed.map(({ name }) => name));
	return new Set(sides.flatMap(({ checkout }) => checkout?.note.subject?.name ?? []));
}

function differentSubjects(base: string, head: string): UserError {
	return new UserError({
		code: 'different-subjects',
		message: `base is the package ${base} and head is ${head}: benchgate compares two revisions of one package`,
		remedy: `give two revisions of the same package, e.g. npm:${base}@VERSION on both sides; servers of different frameworks are ranked on one revision, not compared as base and head`,
	});
}

function subjectUnused(name: string, selected: readonly Selected[], catalogue: readonly LoadedServer[]): UserError {
	const would = catalogue
		.filter((server) => usesPackage(server, name) && (server.about ?? [name]).includes(name))
		.map((server) => server.name);
	const chosen = selected.map((server) => server.name).join(', ');
	const manifest = selected.find(({ harness }) => harness !== undefined)?.harness;
	return new UserError({
		code: 'subject-unused',
		message: `none of the selected servers (${chosen}) uses ${name}, so base and head would be the same programs`,
		remedy:
			manifest !== undefined
				? `name ${name} in the dependencies of ${manifest}, and load it by that name`
				: would.length > 0
					? `select a server that does: ${would.join(', ')}`
					: `no built-in server uses ${name}: add a server of your own (name and command) to benchgate.yml`,
	});
}

/**
 * Returns a side's package name without running its code, from package.json of the commit, folder or tarball; null if
 * unreadable, which preparing reports.
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
