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

/** Which servers run the subject. */
export interface Placement {
	/** Names of the servers it is installed into. */
	readonly users: ReadonlySet<string>;
	readonly warnings: readonly Warning[];
}

/** A server that is selected to be installed with the subject. */
export interface Selected extends Installable {
	/** Path of its package.json in the harness; absent for a built-in server. */
	readonly harness?: string;
}

/** Servers of the same comparison that other machines prepare. */
export interface Elsewhere {
	/** Those that the packed subject may be installed into. */
	readonly installables: readonly Selected[];
	/** Whether any other of them runs in the checkout. */
	readonly hasCustom: boolean;
}

/**
 * Returns which of the selected servers base's subject goes into, with a warning `subject-unused` for each that does
 * not run it. Nothing of head is asked, so that base can be installed before head's code runs.
 *
 * @throws UserError when nothing that is compared runs the subject, here or on another machine.
 */
export function placeSubject(
	base: MadeSide,
	selected: readonly Selected[],
	known: readonly LoadedServer[],
	hasCustom: boolean,
	elsewhere: Elsewhere,
): Placement {
	if (base.packed === null) return { users: new Set(), warnings: [] };
	const { name } = base.packed.subject;
	const users = selected.filter((server) => usesPackage(server, name));
	const all = [...selected, ...elsewhere.installables];
	if (!hasCustom && !elsewhere.hasCustom && !all.some((server) => usesPackage(server, name))) {
		throw subjectUnused(name, all, known);
	}
	const warnings = selected
		.filter((server) => !users.includes(server))
		.map((server) => ({
			code: 'subject-unused',
			message: `Server ${server.name} does not use ${name}: its base and head are the same program, so it says nothing about the change.`,
		}));
	return { users: new Set(users.map((server) => server.name)), warnings };
}

/** Throws UserError `different-subjects` when both names are known and differ. */
export function checkSameSubject({ base, head }: Sides<string | null>): void {
	if (base !== null && head !== null && base !== head) throw differentSubjects(base, head);
}

/** Returns the names of the packages that come from the revisions themselves. */
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

function subjectUnused(name: string, selected: readonly Selected[], known: readonly LoadedServer[]): UserError {
	const would = known
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
 * Returns the name of a side's package without running a line of its code: from the package.json of the commit or folder, or
 * of the tarball. Null when there is none, or it cannot be read; what prepares the side says why.
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
