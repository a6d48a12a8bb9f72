import { distance } from 'fastest-levenshtein';
import { UserError } from '../../types/errors.ts';
import type { RevisionInfo } from '../../types/result.ts';

export type RevisionKind = RevisionInfo['kind'];

const KINDS: readonly RevisionKind[] = ['git', 'dir', 'npm', 'file'];
const FORMS = 'git:REF, dir:PATH, npm:NAME@VERSION or file:PATH.tgz';
const NPM_SPEC = /^((?:@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~_][a-z0-9._~-]*)(?:@(.+))?$/i;
const NPM_RANGE = /^[\w.^~<>=|*+ -]+$/;
const EXACT_VERSION = /^\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$/;

/** A revision as typed; `kind` is null without a prefix. */
export interface ParsedRevision {
	readonly kind: RevisionKind | null;
	readonly value: string;
}

/**
 * Parses a revision (docs/revisions.md): `git:v1` → git, v1; `v1` → null, v1. Throws UserError `bad-revision` if it is
 * empty or has an unknown prefix.
 */
export function parseRevision(text: string, where: string): ParsedRevision {
	const prefix = /^([a-z][a-z0-9+.-]+):/i.exec(text)?.[1];
	const kind = KINDS.find((candidate) => candidate === prefix) ?? null;
	if (prefix !== undefined && kind === null) {
		const nearest = KINDS.find((candidate) => distance(candidate, prefix.toLowerCase()) <= 2);
		throw new UserError({
			code: 'bad-revision',
			where,
			message: `"${text}" begins with "${prefix}:", which is not a kind of revision`,
			remedy: nearest === undefined ? `use ${FORMS}` : `did you mean "${nearest}:${text.slice(prefix.length + 1)}"?`,
		});
	}
	const value = kind === null ? text : text.slice(kind.length + 1);
	if (value.trim() === '') {
		throw new UserError({ code: 'bad-revision', where, message: 'the revision is empty', remedy: `use ${FORMS}` });
	}
	return { kind, value };
}

/** `range` is an exact version, a range or a tag. */
export interface NpmSpec {
	readonly name: string;
	readonly range: string;
	/** One version, so no registry lookup is needed. */
	readonly exact: boolean;
}

/** Parses `express`, `express@5`, `@hono/node-server@latest`. Returns null for paths, URLs and the like. */
export function parseNpmSpec(value: string): NpmSpec | null {
	const match = NPM_SPEC.exec(value);
	const name = match?.[1];
	const range = match?.[2] ?? 'latest';
	if (name === undefined || !NPM_RANGE.test(range)) return null;
	return { name, range, exact: EXACT_VERSION.test(range) };
}
