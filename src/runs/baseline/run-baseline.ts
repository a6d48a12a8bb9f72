/** Steps of a baseline: choose the anchor → level of head → link and closure for a new era → prove changes. */
import { withoutCounts } from '../../config/margins.ts';
import { baselineRecord, environmentIdOf, type ReferenceFigures } from '../../judge/baseline/baseline-record.ts';
import { type Level, spreadsIn } from '../../judge/baseline/level.ts';
import {
	countingMetric,
	decidePrecision,
	FEWEST_ROUNDS,
	LINK_ROUNDS,
	MOST_ROUNDS,
	type PrecisionDecision,
} from '../../judge/baseline/precision.ts';
import { suggestThreshold } from '../../judge/baseline/suggest-threshold.ts';
import { failureKind } from '../../judge/consequence.ts';
import { type ExtraDuet, extraDuets, measuredDigest, planDuet } from '../../plan/baseline-duets.ts';
import { chooseAnchors, ownHistory } from '../../plan/choose-anchor.ts';
import { prepareBaseline } from '../../prepare/prepare-baseline.ts';
import { changeOf } from '../../stats/estimate.ts';
import { formatChange, formatDuration, formatPercent } from '../../text/numbers.ts';
import { acceptedSlowdowns } from '../../trend/change-life.ts';
import { rowsWith } from '../../trend/main-rows.ts';
import { trendOf } from '../../trend/trend-of.ts';
import type {
	Anchor,
	BaselineCommit,
	BaselinePurpose,
	BaselineRecord,
	BaselineRun,
	KeptCoverage,
} from '../../types/baseline.ts';
import { EXIT, isUserError } from '../../types/errors.ts';
import type { Plan } from '../../types/plan.ts';
import type { Prepared } from '../../types/prepared.ts';
import type { Raw } from '../../types/result.ts';
import type { Round } from '../../types/round.ts';
import { type Fraction, type Seconds, SIDES, type Sides, type Warning } from '../../types/units.ts';
import { type PairOptions, runPair } from '../run-pair.ts';
import type { IsolatedPair } from '../verify-pair.ts';
import { coverCommit, mayCover } from './cover-commit.ts';
import { measureShares } from './measure-shares.ts';
import { type Proving, proveChanges } from './prove-changes.ts';

/** More lines would scroll away. */
const SHOWN = 8;

/** `revision` is written as in `--head`. */
export interface CommitToMeasure {
	readonly revision: string;
	readonly commit: BaselineCommit;
}

export interface BaselineOptions extends Omit<PairOptions, 'revisions' | 'labels' | 'keep' | 'reproduce'> {
	readonly head: CommitToMeasure;
	/** Null for `auto`. */
	readonly given: Anchor | null;
	readonly release: Anchor | null;
	readonly earlier: readonly BaselineRecord[];
	readonly precision: Fraction;
	readonly run: BaselineRecord['run'];
	/** Skips head if its code was last measured against the anchor. */
	readonly skipUnchanged: boolean;
	/** Returns a commit whose code is available, or throws a UserError. */
	readonly findAnchor: (anchor: Anchor) => Promise<CommitToMeasure>;
	/** Base is the anchor. */
	readonly reproduce: (revisions: Sides<string>) => string;
	readonly proving?: Proving;
	/** Called with all records after every round. The open one counts as interrupted. */
	readonly keep: (records: readonly BaselineRecord[]) => Promise<void>;
}

/**
 * Measures head against its anchor, and the link if a new era begins. Returns all records, complete even when
 * interrupted.
 *
 * @throws UserError when head cannot be built, or every anchor fails.
 */
export async function runBaseline(asked: BaselineOptions): Promise<BaselineRun> {
	const options = { ...asked, config: withoutCounts(asked.config) };
	const ownRecords = ownHistory(options.earlier, options.config);
	const session: Session = { ...options, own: ownRecords, records: [], notes: [], shares: null, kept: null };
	const { anchor, level } = await measureLevel(session);
	const unchanged = level === 'unchanged';
	const extras = !unchanged && level.ended === 'interrupted' ? [] : extraDuets(anchor, options.head.commit, ownRecords);
	for (const { purpose, commit, against } of extras) await measureExtra(session, { purpose, commit, against, anchor });
	// Nothing is proven in a new era, which already takes three times the budget.
	if (extras.length === 0) {
		const earlier = [...session.earlier, ...session.records];
		session.records.push(...(await proveChanges({ ...session, earlier, tell: (note) => tell(session, note) })));
	}
	const interrupted = options.signal.aborted;
	const advice = unchanged ? null : suggestThreshold([...ownRecords, ...session.records], options.config);
	if (advice !== null) session.notes.push(advice);
	const { records, notes } = session;
	const changeNotes = options.proving?.changeNotes ?? [];
	const accepted =
		changeNotes.length === 0
			? []
			: acceptedSlowdowns(trendOf([...options.earlier, ...records], { notes: changeNotes }));
	notes.push(...accepted.map(({ text }) => text));
	const acceptedRows = accepted.filter(({ isOnly }) => isOnly).map(({ cell }) => cell);
	const measured = records.find(({ purpose }) => purpose === 'level');
	const rows = measured ? rowsWith(measured, options.earlier) : [];
	return { records, rows, acceptedRows, anchor, head: options.head.commit, unchanged, interrupted, notes };
}

interface Session extends BaselineOptions {
	/** Stored records of this run's rows. */
	readonly own: readonly BaselineRecord[];
	readonly records: BaselineRecord[];
	/** Notes are reported even without a record. */
	readonly notes: string[];
	/** Figures of head, measured once, before its level. */
	shares: ReferenceFigures | null;
	/** Of head. */
	kept: KeptCoverage | null;
}

async function measureLevel(session: Session): Promise<{ readonly anchor: Anchor; readonly level: Raw | 'unchanged' }> {
	const choices = chooseAnchors({ ...session, head: session.head.commit });
	const warnings: Warning[] = [];
	for (const [at, { anchor, note, ...choice }] of choices.entries()) {
		if (note !== null) tell(session, note);
		const next = choices[at + 1]?.anchor;
		try {
			const level = await measureAnchored(session, anchor, [...choice.warnings, ...warnings]);
			const [record] = session.records;
			if (next === undefined || record === undefined || !isAnchorsFault(record)) return { anchor, level };
			session.records.length = 0;
			warnings.push(anchorBroke(anchor, next, record.cells[0]?.warnings[0]?.message ?? null));
		} catch (error) {
			if (next === undefined || !isAnchorsFault(error)) throw error;
			warnings.push(anchorBroke(anchor, next, (error as Error).message));
		}
		session.progress.step(warnings.at(-1)?.message ?? '');
	}
	throw new Error('there was no anchor to try');
}

async function measureAnchored(
	session: Session,
	anchor: Anchor,
	warnings: readonly Warning[],
): Promise<Raw | 'unchanged'> {
	const { head, own, skipUnchanged } = session;
	return measureDuet(session, {
		purpose: 'level',
		commit: head,
		anchor,
		baseRevision: (await session.findAnchor(anchor)).revision,
		fewest: FEWEST_ROUNDS,
		measured: skipUnchanged ? measuredDigest(anchor, own) : null,
		warnings,
	});
}

async function measureExtra(
	session: Session,
	{ purpose, commit: which, against, anchor }: ExtraDuet & { readonly anchor: Anchor },
): Promise<void> {
	const { signal, head } = session;
	if (signal.aborted) return;
	try {
		const commit = which === 'head' ? head : await session.findAnchor(anchor);
		const { label } = commit.commit;
		session.progress.step(
			purpose === 'link'
				? `Measuring ${label}, the new anchor, against ${against.label}, the one before`
				: `Measuring ${label} against ${against.label} too, to check the step between the anchors`,
		);
		const baseRevision = (await session.findAnchor(against)).revision;
		const fewest = purpose === 'link' ? LINK_ROUNDS : FEWEST_ROUNDS;
		await measureDuet(session, {
			purpose,
			commit,
			anchor: against,
			baseRevision,
			fewest,
			measured: null,
			warnings: [],
		});
	} catch (error) {
		if (signal.aborted) return;
		if (!isUserError(error)) throw error;
		tell(session, `The step from ${against.label} to ${anchor.label} was not measured (${error.message})`);
	}
}

function tell({ notes, progress }: Session, note: string): void {
	notes.push(note);
	progress.step(note);
}

interface Duet {
	readonly purpose: BaselinePurpose;
	readonly commit: CommitToMeasure;
	readonly anchor: Anchor;
	readonly baseRevision: string;
	readonly fewest: number;
	/** Digest of code already measured. */
	readonly measured: string | null;
	readonly warnings: readonly Warning[];
}

async function measureDuet(session: Session, duet: Duet): Promise<Raw | 'unchanged'> {
	const revisions = { base: duet.baseRevision, head: duet.commit.revision };
	let digest: string | null = null;
	const recordOf = (raw: Raw) => {
		const { purpose, anchor, commit, warnings } = duet;
		const { run } = session;
		const [reference, earlier] = [sharesOf(session, duet), [...session.earlier, ...session.records]];
		const recordContext = { purpose, commit: commit.commit, anchor, run, reference, earlier, warnings };
		const coverage = purpose === 'level' ? session.kept : null;
		return baselineRecord(raw, { ...recordContext, subjectDigest: digest, coverage, accepted: null });
	};
	const raw = await runPair<PrecisionDecision, 'unchanged'>(
		{
			...session,
			revisions,
			labels: { base: duet.anchor.label, head: duet.commit.commit.label },
			reproduce: session.reproduce(revisions),
			keep: (partial) => session.keep([...session.records, recordOf(partial)]),
			...(duet.purpose === 'level' &&
				mayCover(session.config) && {
					afterwards: async (_raw: Raw, pair: IsolatedPair, prepared: Prepared) => {
						session.kept = await coverCommit(pair, prepared, (note) => tell(session, note));
					},
				}),
		},
		{
			async prepare(config, specs, context) {
				const prepared = await prepareBaseline(config, specs, context, duet.measured);
				if ('known' in prepared) return { stop: 'unchanged' };
				digest = prepared.headDigest;
				// The commit of a link is the anchor, and a link comes first if the level needed no rounds.
				if (duet.commit === session.head && session.shares === null) {
					const shareOptions = { ...context, config, tell: (note: string) => tell(session, note) };
					session.shares = await measureShares(shareOptions, prepared.sides.head);
				}
				return prepared;
			},
			plan: (plan) => planDuet(plan, FEWEST_ROUNDS, { rounds: duet.fewest, known: sharesOf(session, duet) }),
			rule: (plan, environment) => {
				const earlier = spreadsIn([...session.earlier, ...session.records], environmentIdOf(environment));
				const rule = { precision: session.precision, fewest: duet.fewest, earlier };
				return {
					mostRounds: session.config.rounds ?? MOST_ROUNDS,
					decide: (rounds, ended) => decidePrecision(plan, rounds, ended, rule),
					describe: (cells, rounds, decision, secondsLeft) =>
						describePrecision(plan, cells, rounds, decision, secondsLeft),
				};
			},
		},
	);
	if ('stop' in raw) return raw.stop;
	if (raw.ended !== 'interrupted' || raw.rounds.length > 0) session.records.push(recordOf(raw));
	return raw;
}

/** Shares are head's, so the older commit of a link has no shares. */
function sharesOf({ shares, head }: Session, { commit }: Duet): ReferenceFigures {
	return commit === head && shares !== null ? shares : new Map();
}

/** Whether an error or an empty record is only the anchor's fault. */
export function isAnchorsFault(what: unknown): boolean {
	if (isRecord(what)) return what.cells.length > 0 && what.cells.every(isBaseBroken);
	if (!isUserError(what)) return false;
	const { code, where = '', exitCode } = what;
	const side = SIDES.find((name) => where.startsWith(`${name} (`)) ?? null;
	return failureKind({ code, side, usage: exitCode === EXIT.usage }) === 'base';
}

function anchorBroke(anchor: Anchor, next: Anchor, reason: string | null): Warning {
	const why = reason === null ? '' : ` (${reason})`;
	const message = `The anchor ${anchor.label} can no longer be measured${why}. ${next.label} is the anchor from now on.`;
	return { code: 'anchor-broken', message };
}

function isRecord(what: unknown): what is BaselineRecord {
	return typeof what === 'object' && what !== null && 'kind' in what && what.kind === 'benchgate-baseline';
}

function isBaseBroken({ theta, verdict, warnings }: BaselineRecord['cells'][number]): boolean {
	if (theta !== null || verdict !== 'invalid') return false;
	return warnings.some(({ side }) => side === 'base') && !warnings.some(({ side }) => side === 'head');
}

function describePrecision(
	plan: Plan,
	cells: readonly string[],
	rounds: readonly Round[],
	{ levels, undecided, confirm }: PrecisionDecision,
	secondsLeft: Seconds,
): string {
	const counting = cells.flatMap((id) => {
		const cellLevels = levels.filter(({ cell }) => cell === id);
		return cellLevels.find(({ metric }) => metric === countingMetric(plan)) ?? cellLevels[0] ?? [];
	});
	const open = counting.filter(({ cell }) => undecided.includes(cell));
	const time = `at most ${formatDuration(Math.max(0, secondsLeft))} left`;
	if (open.length === 0) return confirm.length === 0 ? '' : `Confirming with alternating windows, ${time}`;
	const done = counting.length - open.length;
	const head = `Round ${rounds.length + 1}: ${done} of ${counting.length} rows precise enough, ${time}`;
	const more = open.length > SHOWN ? [`  and ${open.length - SHOWN} more`] : [];
	return [head, ...open.slice(0, SHOWN).map((level) => `  ${level.cell}  ${describeLevel(level)}`), ...more].join('\n');
}

function describeLevel({ theta, se, judgedBy, rounds }: Level): string {
	if (theta === null || se === null) return 'measuring';
	return `${formatChange(changeOf(judgedBy, theta))} ± ${formatPercent(se)} after ${rounds} rounds`;
}
