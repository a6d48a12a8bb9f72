/** Link and closure of a baseline after a release. */

import { answeredBy } from '../config/answered-scenarios.ts';
import { type Anchor, type BaselineCommit, type BaselineRecord, commitKey } from '../types/baseline.ts';
import type { Config, Scenario, ServerSpec } from '../types/config.ts';
import type { Cell, Plan } from '../types/plan.ts';
import type { Seconds } from '../types/units.ts';
import { usableLevels } from './choose-anchor.ts';
import { timingOfMeasure } from './ranking-pairs.ts';
import { estimateSeconds } from './timing.ts';

/** Rounds with solo windows for cells without figures from windows in turn with the reference. */
const SOLO_ROUNDS = 3;

/** A link may take this multiple of its estimated time. */
const SLACK = 1.5;

interface DuetNeeds {
	readonly rounds: number;
	readonly known: Pick<ReadonlyMap<string, unknown>, 'has'>;
}

/** At most this many runs of an era try a link or closure. */
const MOST_TRIES = 3;

export interface ExtraDuet {
	readonly purpose: 'link' | 'closure';
	/** `anchor`: the new anchor. `head`: the run's commit. */
	readonly commit: 'anchor' | 'head';
	readonly against: Anchor;
}

/**
 * Returns the duets besides the level of `head`: in the first run of an era, the link of `anchor` to the previous
 * anchor and, as a check, head against the previous anchor. Unfinished duets are repeated. Empty if `anchor` is not new
 * or has no predecessor.
 */
export function extraDuets(
	anchor: Anchor,
	head: BaselineCommit,
	earlier: readonly BaselineRecord[],
): readonly ExtraDuet[] {
	const levels = usableLevels(earlier);
	const before = levels.findLast((level) => commitKey(level.anchor) !== commitKey(anchor))?.anchor;
	if (before === undefined) return [];
	const anchorLevels = levels.filter((level) => commitKey(level.anchor) === commitKey(anchor));
	if (anchorLevels.length >= MOST_TRIES) return [];
	const measured = (purpose: ExtraDuet['purpose']) =>
		earlier.some(
			(record) =>
				record.purpose === purpose &&
				record.ended !== 'interrupted' &&
				commitKey(record.anchor) === commitKey(before) &&
				(purpose === 'closure' || commitKey(record.commit) === commitKey(anchor)),
		);
	// If head is the release, the closure would repeat the link.
	const isSame = commitKey(head) === commitKey(anchor) || commitKey(head) === commitKey(before);
	return [
		...(measured('link') ? [] : [{ purpose: 'link', commit: 'anchor', against: before } as const]),
		...(measured('closure') || isSame ? [] : [{ purpose: 'closure', commit: 'head', against: before } as const]),
	];
}

/** Returns the digest of the code last measured against `anchor`; null if interrupted or absent. */
export function measuredDigest(anchor: Anchor, earlier: readonly BaselineRecord[]): string | null {
	const last = usableLevels(earlier).findLast((level) => commitKey(level.anchor) === commitKey(anchor));
	return last === undefined || last.ended === 'interrupted' ? null : last.subjectDigest;
}

/**
 * Returns `plan` for a duet; `usual` is the minimum of a level. A link takes the time that it needs, because a small
 * budget must not leave every era unlinked.
 */
export function planDuet(plan: Plan, usual: number, { rounds, known }: DuetNeeds): Plan {
	const { cells, design, budgetSeconds } = plan;
	const isKnown = plan.timing.soloRounds === 0 || cells.every(({ id }) => known.has(id));
	const timing = { ...plan.timing, soloRounds: isKnown ? 0 : SOLO_ROUNDS };
	if (rounds <= usual) return { ...plan, timing };
	const needed = SLACK * estimateSeconds(cells, rounds, design, timing);
	return { ...plan, timing, budgetSeconds: Math.max(budgetSeconds, needed) };
}

type SharesConfig = Pick<
	Config,
	'servers' | 'scenarios' | 'threshold' | 'tolerance' | 'seed' | 'budgetSeconds' | 'warmupSeconds'
>;

/**
 * Rounds have fresh processes and differ by more than windows within a round, so each has only a seventh of a ranking's
 * windows. Even numbers are balanced (`planRound`).
 */
export const SHARE_ROUNDS = 4;
/** Counted load of each side in a round. */
const LOAD_SECONDS: Seconds = 0.3;

/**
 * Returns the plan for the cells of `installed` servers that the reference answers too; null without such cells. A
 * fixed rate or special start gives no share.
 */
export function planShares(config: SharesConfig, installed: readonly string[], reference: ServerSpec): Plan | null {
	const { scenarios, threshold, tolerance, seed, budgetSeconds, warmupSeconds } = config;
	const shared = answeredBy(reference, scenarios).filter(isPlain);
	const servers = config.servers.filter(({ name }) => name !== reference.name && installed.includes(name));
	const cells = servers.flatMap((server): Cell[] => {
		const answered = answeredBy(server, scenarios).filter((scenario) => shared.includes(scenario));
		return answered.map(({ name }) => ({
			...{ id: `${server.name}/${name}`, server: server.name, scenario: name },
			...{ threshold, tolerance },
		}));
	});
	if (cells.length === 0) return null;
	return {
		...{ seed, budgetSeconds, cells, oneSided: [], metrics: ['throughput'], looks: [] },
		design: 'alternating',
		timing: timingOfMeasure({ durationSeconds: LOAD_SECONDS, warmupSeconds }),
	};
}

function isPlain({ load, metrics, workers, inProcess }: Scenario): boolean {
	return load.rate === undefined && metrics === undefined && workers === undefined && !inProcess;
}
