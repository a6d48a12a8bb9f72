/** The proof of what the curve makes suspicious: a fresh duet of the commits before and after, by the rule of every comparison. */
import { answeredBy } from '../../config/answered-scenarios.ts';
import { baselineRecord } from '../../judge/baseline/baseline-record.ts';
import { type ChangeGroup, chooseProofs } from '../../trend/group-changes.ts';
import { trendOf } from '../../trend/trend-of.ts';
import type { Anchor, BaselineCommit, BaselineRecord } from '../../types/baseline.ts';
import type { Config } from '../../types/config.ts';
import { isUserError } from '../../types/errors.ts';
import type { ChangeNote, RowTrend, Trend } from '../../types/trend.ts';
import type { Sides } from '../../types/units.ts';
import { proofConfig, seedOf } from '../proof-config.ts';
import { runComparison } from '../run-comparison.ts';
import type { PairOptions } from '../run-pair.ts';

/** Each may take the whole budget; the next run proves the rest. */
const MOST_PROOFS = 2;

export interface Proving {
	/** What was said about changes. */
	readonly changeNotes: readonly ChangeNote[];
	/** Returns the command that repeats the duet of two revisions as this config asks for it. */
	readonly reproduceDuet: (revisions: Sides<string>, config: Config) => string;
}

export interface ProofOptions extends Omit<PairOptions, 'revisions' | 'labels' | 'keep' | 'reproduce'> {
	/** All records: of the store and of this run. */
	readonly earlier: readonly BaselineRecord[];
	/** Nothing is proven without it. */
	readonly proving?: Proving;
	readonly run: BaselineRecord['run'];
	/** Returns an anchor as a commit to measure, its code at hand. */
	readonly findAnchor: (anchor: Anchor) => Promise<{ readonly revision: string; readonly commit: BaselineCommit }>;
	/** Is told what could not be proven, and why. */
	readonly tell: (note: string) => void;
}

/**
 * Returns the records of fresh duets of losses that are only suspected, one for each group of rows that one commit can explain.
 * What is cut off is left out, and measured again by the next run.
 */
export async function proveChanges(options: ProofOptions): Promise<readonly BaselineRecord[]> {
	const { proving, signal } = options;
	if (proving === undefined || signal.aborted) return [];
	const trend = trendOf(options.earlier, { notes: proving.changeNotes });
	const groups = chooseProofs(trend, (row) => isAsked(row, options.config)).slice(0, MOST_PROOFS);
	const records: BaselineRecord[] = [];
	for (const [index, group] of groups.entries()) {
		if (signal.aborted) break;
		const ends = endsOf(trend, group);
		try {
			const record = await prove(options, proving, group, ends, index + 1);
			if (record !== null) records.push(record);
		} catch (error) {
			if (signal.aborted) break;
			if (!isUserError(error)) throw error;
			options.tell(`The change between ${ends.before.label} and ${ends.after.label} was not proven (${error.message})`);
		}
	}
	return records;
}

type Ends = Readonly<Record<'before' | 'after', BaselineCommit>>;

async function prove(
	options: ProofOptions,
	{ reproduceDuet }: Proving,
	group: ChangeGroup,
	ends: Ends,
	number: number,
): Promise<BaselineRecord | null> {
	const [base, head] = [anchorAt(ends.before), anchorAt(ends.after)];
	options.progress.step(`Measuring ${head.label} against ${base.label} again, to prove a change of level`);
	const [before, after] = [await options.findAnchor(base), await options.findAnchor(head)];
	const config = configOf(options.config, group, number);
	const raw = await runComparison({
		...options,
		config,
		revisions: { base: before.revision, head: after.revision },
		labels: { base: base.label, head: head.label },
		reproduce: reproduceDuet({ base: before.revision, head: after.revision }, config),
		keep: async () => {},
	});
	if (raw.ended === 'interrupted') return null;
	return baselineRecord(raw, {
		purpose: 'proof',
		commit: after.commit,
		anchor: base,
		run: options.run,
		subjectDigest: null,
		reference: new Map(),
		earlier: options.earlier,
		accepted: null,
		warnings: [],
	});
}

function endsOf({ commits }: Trend, { before, after }: ChangeGroup): Ends {
	return { before: commits[before] as BaselineCommit, after: commits[after] as BaselineCommit };
}

function anchorAt({ sha, label }: BaselineCommit): Anchor {
	return { sha, label, kind: 'commit' };
}

/** Only the rows of the change, with half of the smallest of its steps as the threshold, and other coins than the baseline's. */
function configOf(config: Config, group: ChangeGroup, number: number): Config {
	const { servers, scenarios } = namesOf(group);
	const steps = group.changes.map(({ change }) => -Math.expm1(-Math.abs(change.step)));
	const asked = {
		...config,
		servers: config.servers.filter(({ name }) => servers.includes(name)),
		scenarios: config.scenarios.filter(({ name }) => scenarios.includes(name)),
		seed: seedOf(config, number),
	};
	const metrics = group.changes.map(({ row }) => row.metric);
	return proofConfig(asked, Math.min(...steps), metrics);
}

function namesOf({ changes }: ChangeGroup): {
	readonly servers: readonly string[];
	readonly scenarios: readonly string[];
} {
	const names = (key: 'server' | 'scenario') => [...new Set(changes.map(({ row }) => row[key]))];
	return { servers: names('server'), scenarios: names('scenario') };
}

/** What the config no longer asks for cannot be measured again. */
function isAsked({ server, scenario, metric }: RowTrend, { servers, scenarios, gate }: Config): boolean {
	const spec = servers.find(({ name }) => name === server);
	if (spec === undefined || !gate.metrics.includes(metric)) return false;
	return answeredBy(spec, scenarios).some(({ name }) => name === scenario);
}
