import { PLAN_LIMITS } from '../../formats/plan/plan-file.ts';
import { PUBLICATION_LIMITS } from '../../formats/publication/publication-schema.ts';
import { RAW_LIMITS } from '../../formats/raw/raw-limits.ts';
import { UserError } from '../../types/errors.ts';
import { PUBLICATION_FILE } from '../../types/shared-names.ts';
import { PLAN_FILE } from '../shards/part-files.ts';

/** Name of the file in the artifact that has the raw windows. */
export const RAW_FILE = 'raw.json';

/** Most that is read of the artifacts of one run, all together. Everything is counted before anything is read. */
export const RUN_LIMITS = {
	artifacts: 10,
	/** Of plans and shards, those of earlier attempts among them. */
	parts: 1_000,
	/** Packed; pages and the rest of what nobody reads here are most of it. */
	packedBytes: 128 * 1024 * 1024,
	/** Unpacked, of the files that are read. */
	readBytes: 128 * 1024 * 1024,
	/** What judging them costs, as `countDecisions` counts. */
	decisions: RAW_LIMITS.decisions,
} as const;

/** What is counted. */
type Kind = 'packedBytes' | 'readBytes' | 'decisions';

/** Most bytes of each file that is read, unpacked. */
export const FILE_LIMITS: Readonly<Record<string, number>> = {
	[PUBLICATION_FILE]: PUBLICATION_LIMITS.bytes,
	[RAW_FILE]: RAW_LIMITS.bytes,
	[PLAN_FILE]: PLAN_LIMITS.bytes,
};

/** What is left of a run's limits. */
export interface Budget {
	/** Takes so much of one kind. Throws a UserError `artifact-too-large` when they are not left. */
	readonly take: (kind: Kind, amount: number) => void;
}

/** Returns the budget of one run, whole. */
export function openBudget(): Budget {
	const left: Record<Kind, number> = { ...RUN_LIMITS };
	return {
		take(kind, amount) {
			const rest = left[kind] - amount;
			if (!(rest >= 0)) throw tooLarge(kind);
			left[kind] = rest;
		},
	};
}

function tooLarge(kind: Kind): UserError {
	const what =
		kind === 'decisions' ? 'more rounds and rows than can be judged here' : `more than ${RUN_LIMITS[kind]} bytes`;
	return new UserError({
		code: 'artifact-too-large',
		message: `the artifacts of the measuring run have ${what}`,
		remedy: 'measure fewer rows in one run, or check what that run uploaded; the rest was not read',
	});
}
