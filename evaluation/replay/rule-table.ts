import type { Design } from '../../src/types/config.ts';
import type { Fraction, Seconds } from '../../src/types/units.ts';
import { PLANTED, type RuleAt, type RuleResult } from '../results.ts';
import { PEERS } from '../rules/peers.ts';
import type { PeerRule } from '../rules/rule.ts';
import type { Series } from '../series.ts';
import { replayOurs } from './ours.ts';
import { plantDrop } from './plant.ts';
import { rotate, secondsOf } from './rounds.ts';
import { type CellRecord, cutRuns, designOf, independentRuns, processRuns, recordsOf } from './runs.ts';
import { shareOf, wallTimeOf } from './share.ts';

/** Fewest rounds of a cell for a replay: benchgate's first look, and more than the minimum of any other rule. */
const FEWEST_ROUNDS = 4;

/** The outcome of one replay of a rule. */
interface Outcome {
	readonly red: boolean;
	readonly undecided: boolean;
	readonly seconds: Seconds;
	/** Rounds it used. */
	readonly used: number;
}

type RuleHeader = Omit<RuleResult, 'at'>;

const OURS: readonly RuleHeader[] = [
	{ rule: 'benchgate', title: 'benchgate', reference: 'docs/statistics.md', design: 'duet' },
	{
		rule: 'benchgate-alternating',
		title: 'benchgate, alternating windows',
		reference: 'docs/statistics.md',
		design: 'alternating',
	},
	{
		rule: 'benchgate-sequential',
		title: 'benchgate, one side after the other',
		reference: 'docs/statistics.md',
		design: 'sequential',
	},
];

/**
 * Returns the verdicts of every rule on the same servers on both sides with each planted drop: benchgate in its three
 * designs and then `peers`, which get the sequential rounds. Each rule is replayed once from every round of every cell
 * of the `designs` series, in time order (see `cutRuns`); `of` counts these overlapping replays, and intervals are
 * those of as many independent ones as the rounds allow. Rules without rounds are left out.
 */
export function ruleTable(series: readonly Series[], peers: readonly PeerRule[] = PEERS): readonly RuleResult[] {
	const records = recordsOf(series);
	const ours = OURS.map((header) =>
		resultOf(header, records, (record, drop) => replayOwn(record, header.design, drop)),
	);
	const others = peers.map((peer) => {
		const { rule, title, reference } = peer;
		const header: RuleHeader = { rule, title, reference, design: 'sequential' };
		return resultOf(header, records, (record, drop) => replayPeer(record, peer, drop));
	});
	return [...ours, ...others].filter(({ at }) => at.length > 0);
}

function resultOf(
	header: RuleHeader,
	records: readonly CellRecord[],
	replay: (record: CellRecord, drop: Fraction) => readonly Outcome[],
): RuleResult {
	const at = PLANTED.flatMap(
		(drop) =>
			summarise(
				drop,
				records.map((record) => replay(record, drop)),
			) ?? [],
	);
	return { ...header, at };
}

/** `byCell`: one outcome for each round of a cell. */
function summarise(drop: Fraction, byCell: readonly (readonly Outcome[])[]): RuleAt | null {
	const all = byCell.flat();
	if (all.length === 0) return null;
	const used = all.reduce((sum, outcome) => sum + outcome.used, 0) / all.length;
	const independent = independentRuns(all.length, used);
	const seconds = all.map((outcome) => outcome.seconds);
	return {
		drop,
		red: shareOf(all.filter(({ red }) => red).length, all.length, independent),
		undecided: shareOf(all.filter(({ undecided }) => undecided).length, all.length, independent),
		seconds: wallTimeOf(seconds),
	};
}

function replayOwn(record: CellRecord, design: Design, drop: Fraction): readonly Outcome[] {
	const measured = designOf(record, design);
	if (!measured || measured.rounds.length < FEWEST_ROUNDS) return [];
	const { plan } = measured;
	const alternating = design === 'duet' ? (designOf(record, 'alternating')?.rounds ?? []) : [];
	const confirm = plantDrop(alternating, drop);
	const most = plan.looks.at(-1)?.rounds ?? 0;
	return cutRuns(plantDrop(measured.rounds, drop), most).map((main, start) => {
		const { decision, rounds } = replayOurs(plan, main, rotate(confirm, start));
		return {
			red: decision.gate.outcome === 'fail',
			undecided: decision.gate.outcome === 'inconclusive' || decision.gate.outcome === 'error',
			seconds: secondsOf(rounds),
			used: rounds.length,
		};
	});
}

function replayPeer(record: CellRecord, peer: PeerRule, drop: Fraction): readonly Outcome[] {
	const measured = designOf(record, 'sequential');
	if (!measured || measured.rounds.length < FEWEST_ROUNDS) return [];
	return cutRuns(plantDrop(measured.rounds, drop), peer.pairs).map((rounds) => peer.decide(processRuns(rounds)));
}
