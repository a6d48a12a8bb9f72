import { UserError } from '../types/errors.ts';
import type { Sides, Warning } from '../types/units.ts';
import { type BuiltinFolder, usesPackage } from './builtin-servers.ts';
import type { MadeSide } from './make-side.ts';

/** Which servers run the subject. */
export interface Placement {
	/** Names of the built-in servers it is installed into. */
	readonly users: ReadonlySet<string>;
	/** Names of the packages that come from the revisions themselves. */
	readonly names: ReadonlySet<string>;
	readonly warnings: readonly Warning[];
}

/**
 * Returns which of the selected built-in servers the subject goes into, with a warning `subject-unused` for each that
 * does not run it.
 *
 * @throws UserError when the sides are packages of different names, or nothing selected runs the subject.
 */
export function placeSubject(
	made: Sides<MadeSide>,
	selected: readonly BuiltinFolder[],
	known: ReadonlyMap<string, BuiltinFolder>,
	hasCustom: boolean,
): Placement {
	const { base, head } = { base: made.base.packed, head: made.head.packed };
	if (base === null || head === null) return { users: new Set(), names: new Set(customSubjects(made)), warnings: [] };
	const name = base.subject.name;
	if (head.subject.name !== name) throw differentSubjects(name, head.subject.name);
	const users = selected.filter((server) => usesPackage(server, name));
	if (users.length === 0 && !hasCustom) throw subjectUnused(name, selected, known);
	const warnings = selected
		.filter((server) => !users.includes(server))
		.map((server) => ({
			code: 'subject-unused',
			message: `Server ${server.name} does not use ${name}: its base and head are the same program, so it says nothing about the change.`,
		}));
	const siblings = [...base.siblings, ...head.siblings].map((sibling) => sibling.name);
	return { users: new Set(users.map((server) => server.name)), names: new Set([name, ...siblings]), warnings };
}

function customSubjects(made: Sides<MadeSide>): string[] {
	return [made.base, made.head].flatMap(({ checkout }) => checkout?.note.subject?.name ?? []);
}

function differentSubjects(base: string, head: string): UserError {
	return new UserError({
		code: 'different-subjects',
		message: `base is the package ${base} and head is ${head}: benchgate compares two revisions of one package`,
		remedy: `give two revisions of the same package, e.g. npm:${base}@VERSION on both sides; servers of different frameworks are ranked on one revision, not compared as base and head`,
	});
}

function subjectUnused(
	name: string,
	selected: readonly BuiltinFolder[],
	known: ReadonlyMap<string, BuiltinFolder>,
): UserError {
	const would = [...known.values()].filter((server) => usesPackage(server, name)).map((server) => server.name);
	const chosen = selected.map((server) => server.name).join(', ');
	return new UserError({
		code: 'subject-unused',
		message: `none of the selected servers (${chosen}) uses ${name}, so base and head would be the same programs`,
		remedy:
			would.length > 0
				? `select a server that does: ${would.join(', ')}`
				: `no built-in server uses ${name}: add a server of your own (name and command) to benchgate.yml`,
	});
}
