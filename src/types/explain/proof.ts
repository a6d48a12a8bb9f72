/** Head without parts of the difference. Paths, names and versions are untrusted text. */
import {
	COUNT,
	described,
	enumOf,
	type Infer,
	listOf,
	NUMBER,
	NUMBER_OR_NULL,
	objectOf,
	orNull,
	ref,
	SECONDS,
	TEXT,
	TEXT_OR_NULL,
} from '../schema.ts';
import { INTERVAL } from '../verdict.ts';

const PIECE_KINDS = ['hunk', 'file', 'package', 'rest'] as const;

export type ProofPiece = Infer<typeof PROOF_PIECE>;
const PROOF_PIECE = objectOf({
	path: described(TEXT, 'of head, relative to the top of the repository; of base for a deleted file'),
	line: described(COUNT, 'first line in head, from 1; 0 for a whole file; the next line where head only lacks lines'),
	lines: described(COUNT, 'lines in head; 0 where it only lacks lines'),
	kind: enumOf(PIECE_KINDS),
	change: enumOf(['changed', 'added', 'deleted']),
	package: described(
		orNull(objectOf({ name: TEXT, base: TEXT_OR_NULL, head: TEXT_OR_NULL })),
		'the package whose version differs, null where a side lacks it',
	),
});

const STEP_OUTCOMES = ['restored', 'slower', 'between', 'same-code', 'not-built', 'other-answers'] as const;
export type StepOutcome = (typeof STEP_OUTCOMES)[number];

export type ProofStep = Infer<typeof PROOF_STEP>;
const PROOF_STEP = objectOf({
	kind: described(enumOf(['search', 'proof']), 'a proof uses fresh rounds after the choice'),
	without: described(COUNT, 'pieces that are as in base'),
	piece: described(orNull(PROOF_PIECE), 'the first of them, in the order of the search'),
	outcome: enumOf(STEP_OUTCOMES),
	detail: described(TEXT_OR_NULL, 'why it could not be measured; may contain text of the code under test'),
	change: described(NUMBER_OR_NULL, 'of head without them against base, a fraction'),
	rounds: COUNT,
	seconds: SECONDS,
});

export type Carrier = Infer<typeof CARRIER>;
const CARRIER = objectOf({
	pieces: listOf(PROOF_PIECE),
	companions: described(listOf(PROOF_PIECE), 'taken out with them, because head does not run otherwise'),
	share: described(NUMBER, 'of the loss, a fraction'),
	shareInterval: objectOf({ low: NUMBER_OR_NULL, high: NUMBER_OR_NULL }),
	without: described(
		orNull(objectOf({ change: NUMBER, interval: ref(INTERVAL), rounds: COUNT })),
		'head without it, and without earlier carriers, against base, from fresh rounds; null where that is base',
	),
});

export type Proof = Infer<typeof PROOF>;
export const PROOF = objectOf({
	pieces: described(COUNT, 'into which the difference was divided'),
	upgrades: described(COUNT, 'packages among them'),
	carriers: described(listOf(CARRIER), 'each with the share that it adds; empty if nothing was proven'),
	because: described(TEXT_OR_NULL, 'why nothing, or not the whole loss, was proven'),
	steps: listOf(PROOF_STEP),
	notes: listOf(TEXT),
	seconds: SECONDS,
});
