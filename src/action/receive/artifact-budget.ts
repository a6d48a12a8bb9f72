import { EXPLANATION_LIMITS } from '../../formats/explanation-schema.ts';
import { PLAN_LIMITS } from '../../formats/plan-file.ts';
import { PUBLICATION_LIMITS } from '../../formats/publication/publication-schema.ts';
import { RAW_LIMITS } from '../../formats/raw/raw-limits.ts';
import { FORMATS } from '../../report/formats.ts';
import { UserError } from '../../types/errors.ts';
import { PUBLICATION_FILE } from '../../types/shared-names.ts';
import { PLAN_FILE } from '../shards/part-files.ts';

export const RAW_FILE = 'raw.json';
export const EXPLANATION_FILE = FORMATS.explanation.file;

/** For all artifacts of a run together. */
export const RUN_LIMITS = {
	artifacts: 10,
	/** Plans and shards, of all attempts. */
	parts: 1_000,
	/** Packed; mostly HTML and other files that are not read. */
	packedBytes: 128 * 1024 * 1024,
	/** Unpacked, of the files that are read. */
	readBytes: 128 * 1024 * 1024,
	/** Cost of judging, as counted by `countDecisions`. */
	decisions: RAW_LIMITS.decisions,
} as const;

type Kind = 'packedBytes' | 'readBytes' | 'decisions';

/** Maximum unpacked size of each file. */
export const FILE_LIMITS: Readonly<Record<string, number>> = {
	[PUBLICATION_FILE]: PUBLICATION_LIMITS.bytes,
	[RAW_FILE]: RAW_LIMITS.bytes,
	[PLAN_FILE]: PLAN_LIMITS.bytes,
	[EXPLANATION_FILE]: EXPLANATION_LIMITS.bytes,
};

export interface Budget {
	/** Throws UserError `artifact-too-large` beyond the limit. */
	readonly take: (kind: Kind, amount: number) => void;
}

export function openBudget(): Budget {
	const balances: Record<Kind, number> = { ...RUN_LIMITS };
	return {
		take(kind, amount) {
			const balance = balances[kind] - amount;
			if (!(balance >= 0)) throw tooLarge(kind);
			balances[kind] = balance;
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
