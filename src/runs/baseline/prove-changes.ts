/** Proves suspected changes by fresh comparisons. */
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

/** Limited, because each proof may use the whole budget. */
const MOST_PROOFS = 2;

export interface Proving {
	readonly changeNotes: readonly ChangeNote[];
	readonly reproduceDuet: (revisions: Sides<string>, config: Config) => string;
}

export interface ProofOptions extends Omit<PairOptions, 'revisions' | 'labels' | 'keep' | 'reproduce'> {
	/** Records of the store and of this run. */
	readonly earlier: readonly BaselineRecord[];
	/** Without it, nothing is proven. */
	readonly proving?: Proving;
	readonly run: BaselineRecord['run'];
	readonly findAnchor: (anchor: Anchor) => Promise<{ readonly revision: string; readonly commit: BaselineCommit }>;
	readonly tell: (note: string) => void;
}

/**
 * Returns records of duets for suspected losses: one per group of rows that one commit can explain. The next run
 * repeats interrupted ones.
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

function configOf(config: Config, group: ChangeGroup, number: number): Config {
	const { servers, scenarios } = namesOf(group);
	const steps = group.changes.map(({ change }) => -Math.expm1(-Math.abs(change.step)));
	const groupConfig = {
		...config,
		servers: config.servers.filter(({ name }) => servers.includes(name)),
		scenarios: config.scenarios.filter(({ name }) => scenarios.includes(name)),
		seed: seedOf(config, number),
	};
	const metrics = group.changes.map(({ row }) => row.metric);
	return proofConfig(groupConfig, Math.min(...steps), metrics);
}

function namesOf({ changes }: ChangeGroup): {
	readonly servers: readonly string[];
	readonly scenarios: readonly string[];
} {
	const names = (key: 'server' | 'scenario') => [...new Set(changes.map(({ row }) => row[key]))];
	return { servers: names('server'), scenarios: names('scenario') };
}

/** Rows that the config no longer has cannot be measured. */
function isAsked({ server, scenario, metric }: RowTrend, { servers, scenarios, gate }: Config): boolean {
	const spec = servers.find(({ name }) => name === server);
	if (spec === undefined || !gate.metrics.includes(metric)) return false;
	return answeredBy(spec, scenarios).some(({ name }) => name === scenario);
}
