/** What a baseline measures besides the level: after a release its link and closure. */
import { type Anchor, type BaselineCommit, type BaselineRecord, commitKey } from '../../types/baseline.ts';
import { usableLevels } from './choose-anchor.ts';

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
