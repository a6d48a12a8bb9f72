/** What a baseline measures besides the level: after a release its link and closure. */
import { type Anchor, type BaselineCommit, type BaselineRecord, commitKey } from '../types/baseline.ts';
import type { Plan } from '../types/plan.ts';
import { usableLevels } from './choose-anchor.ts';
import { estimateSeconds } from './timing.ts';

/** Rounds in which head is also loaded alone, where it has no figures of windows in turn with the reference. */
const SOLO_ROUNDS = 3;

/** What a link may take of the time that its rounds are expected to need. */
const SLACK = 1.5;

interface DuetNeeds {
	/** The fewest that it must have. */
	readonly rounds: number;
	/** Cells whose absolute figures are known. */
	readonly known: Pick<ReadonlyMap<string, unknown>, 'has'>;
}

/** Runs of an era after which a link or closure that could not be measured is no longer tried. */
const MOST_TRIES = 3;

/** Two revisions to measure against each other besides the level, and why. */
export interface ExtraDuet {
	readonly purpose: 'link' | 'closure';
	/** `anchor`: the new anchor itself. `head`: the commit of this run. */
	readonly commit: 'anchor' | 'head';
	/** The anchor of the era before. */
	readonly against: Anchor;
}

/**
 * Returns what a run against `anchor` has to measure besides the level of `head`: in the first run of an era the link from the
 * anchor before, and the head against that one too, to check the link. What an earlier run could not finish is tried again, but
 * not for ever. Nothing where the anchor is that of the records, or has none before it.
 */
export function extraDuets(
	anchor: Anchor,
	head: BaselineCommit,
	earlier: readonly BaselineRecord[],
): readonly ExtraDuet[] {
	const levels = usableLevels(earlier);
	const before = levels.findLast((level) => commitKey(level.anchor) !== commitKey(anchor))?.anchor;
	if (before === undefined) return [];
	const own = levels.filter((level) => commitKey(level.anchor) === commitKey(anchor));
	if (own.length >= MOST_TRIES) return [];
	const measured = (purpose: ExtraDuet['purpose']) =>
		earlier.some(
			(record) =>
				record.purpose === purpose &&
				record.ended !== 'interrupted' &&
				commitKey(record.anchor) === commitKey(before) &&
				(purpose === 'closure' || commitKey(record.commit) === commitKey(anchor)),
		);
	// A release that is also the head is against the anchor before what the link says.
	const isSame = commitKey(head) === commitKey(anchor) || commitKey(head) === commitKey(before);
	return [
		...(measured('link') ? [] : [{ purpose: 'link', commit: 'anchor', against: before } as const]),
		...(measured('closure') || isSame ? [] : [{ purpose: 'closure', commit: 'head', against: before } as const]),
	];
}

/** Returns the digest of the code that was last measured against `anchor`; null when there is none that would do for another run. */
export function measuredDigest(anchor: Anchor, earlier: readonly BaselineRecord[]): string | null {
	const last = usableLevels(earlier).findLast((level) => commitKey(level.anchor) === commitKey(anchor));
	return last === undefined || last.ended === 'interrupted' ? null : last.subjectDigest;
}

// What the plan of a baseline's duet has that other plans do not: figures of the commit alone, and time for a link.

/**
 * Returns `plan` for a duet of a baseline; `usual` is how many rounds a level has at least. A budget that is too small for the fewest
 * rounds of a link would leave every era with a loose end, so a link takes the time it needs.
 */
export function planDuet(plan: Plan, usual: number, { rounds, known }: DuetNeeds): Plan {
	const { cells, design, budgetSeconds } = plan;
	const isKnown = plan.timing.soloRounds === 0 || cells.every(({ id }) => known.has(id));
	const timing = { ...plan.timing, soloRounds: isKnown ? 0 : SOLO_ROUNDS };
	if (rounds <= usual) return { ...plan, timing };
	const needed = SLACK * estimateSeconds(cells, rounds, design, timing);
	return { ...plan, timing, budgetSeconds: Math.max(budgetSeconds, needed) };
}
