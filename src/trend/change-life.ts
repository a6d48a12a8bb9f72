import { Z95 } from '../stats/distributions.ts';
import { formatPercent } from '../text/numbers.ts';
import { type BaselineCommit, commitKey } from '../types/baseline.ts';
import type {
	Bisected,
	ChangeNote,
	ChangePoint,
	ChangeProof,
	ChangeRepair,
	ChangeState,
	RowTrend,
	Segment,
	Trend,
} from '../types/trend.ts';
import { type Curve, levelAt } from './level-filter.ts';
import { compareText, type Measurement, type RowMeasurements } from './measurements.ts';

interface RepairPlace {
	readonly points: RowTrend['points'];
	readonly segments: readonly Segment[];
	readonly curve: Curve;
	/** In log units. */
	readonly tolerance: number;
}

/** A proof's duet must span this share of a change's probability. */
const MOST_OF_IT = 0.5;

/**
 * Returns a row's changes with proofs, repairs and state. Changes noted as accepted or repaired stay so, because a new
 * step is a new change. Otherwise measurements override notes.
 */
export function liveChanges(
	row: RowMeasurements,
	changes: readonly ChangePoint[],
	commits: readonly BaselineCommit[],
	place: RepairPlace,
): readonly ChangePoint[] {
	return changes.map((change) => {
		const proof = findProof(row, change, commits);
		const repair = findRepair(change, place);
		const liveChange = { ...change, ...(proof && { proof }), ...(repair && { repair }) };
		return { ...liveChange, state: stateOf(liveChange) };
	});
}

function stateOf({ note, proof, repair }: ChangePoint): ChangeState {
	const noteState = note?.state ?? 'suspected';
	if (noteState === 'accepted' || noteState === 'repaired') return noteState;
	if (repair !== undefined) return 'repaired';
	if (noteState === 'bisected') return noteState;
	if (proof?.outcome === 'shown') return 'confirmed';
	return proof?.outcome === 'refuted' ? 'disproved' : noteState;
}

/**
 * Returns `changes` with the latest notes of their id, else of a candidate's. The older id stays, so links remain
 * valid.
 */
export function mergeNotes(
	row: Pick<RowTrend, 'cell' | 'metric'>,
	changes: readonly ChangePoint[],
	notes: readonly ChangeNote[],
	commits: readonly BaselineCommit[],
): readonly ChangePoint[] {
	const prefix = `${row.cell} ${row.metric} @`;
	const rowNotes = notes.filter(({ id }) => id.startsWith(prefix)).toSorted((a, b) => compareText(a.at, b.at));
	const ids = [...new Set(rowNotes.map(({ id }) => id))];
	const taken = new Set(changes.map(({ id }) => id).filter((id) => ids.includes(id)));
	return changes.map((change) => {
		const id = taken.has(change.id) ? change.id : nearestId(change, ids, prefix, commits, taken);
		if (id === null) return change;
		taken.add(id);
		const changeNotes = rowNotes.filter((candidate) => candidate.id === id);
		const last = changeNotes.at(-1) as ChangeNote;
		const issue = changeNotes.findLast((note) => note.issue !== null)?.issue ?? null;
		const { commit, named } = changeNotes.findLast((note) => note.named !== undefined) ?? last;
		const namedCommit = named === undefined ? {} : { named, commit: commit ?? null };
		return { ...change, id, state: last.state, note: { ...last, issue, ...namedCommit } };
	});
}

/** The noted id of the most probable candidate that has such an id. */
function nearestId(
	{ candidates }: ChangePoint,
	ids: readonly string[],
	prefix: string,
	commits: readonly BaselineCommit[],
	taken: ReadonlySet<string>,
): string | null {
	for (const { commit } of candidates.toSorted((a, b) => b.probability - a.probability)) {
		const key = commitKey(commits[commit] as BaselineCommit);
		const noteId = ids.find((id) => !taken.has(id) && key.startsWith(id.slice(prefix.length)));
		if (noteId !== undefined) return noteId;
	}
	return null;
}

/**
 * The latest decided duet, else the latest one. Duets are matched by their span, because more points may alter
 * a change's candidates.
 */
function findProof(
	{ all }: Pick<RowMeasurements, 'all'>,
	change: Pick<ChangePoint, 'candidates' | 'step'>,
	commits: readonly BaselineCommit[],
): ChangeProof | null {
	const duets = all.filter(({ record }) => record.purpose === 'proof');
	if (duets.length === 0) return null;
	const order = new Map(commits.map((commit, index) => [commitKey(commit), index]));
	const coveringDuets = duets.flatMap((duet) => {
		const [before, after] = [order.get(duet.anchor), order.get(duet.commit)];
		return before !== undefined && after !== undefined && covers(change, before, after)
			? [{ duet, before, after }]
			: [];
	});
	const proofs = coveringDuets.map(({ duet, before, after }) =>
		proofOf(duet, change.step, { before, after, tries: coveringDuets.length }),
	);
	return proofs.findLast(({ outcome }) => outcome !== 'open') ?? proofs.at(-1) ?? null;
}

/** Whether most of a change's probability lies after `before` and up to `after` (indices). */
export function covers({ candidates }: Pick<ChangePoint, 'candidates'>, before: number, after: number): boolean {
	const total = candidates.reduce((sum, { probability }) => sum + probability, 0);
	const inside = candidates.filter(({ commit }) => commit > before && commit <= after);
	return inside.reduce((sum, { probability }) => sum + probability, 0) >= MOST_OF_IT * total;
}

function proofOf(
	{ record, cell }: Measurement,
	step: number,
	place: Pick<ChangeProof, 'before' | 'after' | 'tries'>,
): ChangeProof {
	const { judgedBy, theta, low, high, rounds, threshold, verdict } = cell;
	const outcome = outcomeOf(verdict, step);
	return { outcome, ...place, judgedBy, theta, low, high, rounds, threshold, at: record.createdAt };
}

function outcomeOf(verdict: Measurement['cell']['verdict'], step: number): ChangeProof['outcome'] {
	const [expected, opposite] = step < 0 ? (['regressed', 'improved'] as const) : (['improved', 'regressed'] as const);
	if (verdict === expected) return 'shown';
	return verdict === 'unchanged' || verdict === opposite ? 'refuted' : 'open';
}

/**
 * The first later level that is surely not below the level before the change by more than the tolerance (or
 * half of the loss, if smaller). Null for improvements.
 */
function findRepair(
	{ at, step }: Pick<ChangePoint, 'at' | 'step'>,
	{ points, segments, curve, tolerance }: RepairPlace,
): ChangeRepair | null {
	const segmentIndex = segments.findIndex(({ first }) => first === at);
	const before = segments[segmentIndex - 1];
	if (step >= 0 || before === undefined) return null;
	const allowed = Math.min(tolerance, Math.abs(step) / 2);
	for (const after of segments.slice(segmentIndex + 1)) {
		const { difference, se } = differenceOf(curve, before, after);
		if (difference - Z95 * se > -allowed) {
			return { commit: points[after.first]?.commit as number, step: difference, se };
		}
	}
	return null;
}

/** The standard error includes the errors of all links between. */
function differenceOf(
	curve: Curve,
	before: Segment,
	after: Segment,
): { readonly difference: number; readonly se: number } {
	const old = levelAt(curve, before.first, before.last);
	const recent = levelAt(curve, after.last, after.first);
	const links = curve.jump.slice(before.last + 1, after.first + 1).reduce((sum, jump) => sum + jump, 0);
	return { difference: recent.mean - old.mean, se: Math.sqrt(old.variance + recent.variance + links) };
}

/**
 * Returns the note for a bisect's commit, of the open change of its row and direction that may have begun there, else
 * of the only one in the range; or null.
 */
export function bisectedNote({ rows, commits }: Trend, bisected: Bisected, at: string): ChangeNote | null {
	const { server, scenario, metric, named } = bisected;
	const row = rows.find((one) => one.server === server && one.scenario === scenario && one.metric === metric);
	const order = new Map(commits.map((commit, index) => [commitKey(commit), index]));
	const open = (row?.changes ?? []).filter(
		({ step, state }) => Math.sign(step) === Math.sign(bisected.step) && state !== 'accepted' && state !== 'repaired',
	);
	const change =
		changeAt(open, order.get(named.commit)) ?? onlyIn(open, order.get(bisected.good), order.get(bisected.bad));
	if (change === null) return null;
	const commit = named.skipped === 0 ? named.commit : null;
	return { id: change.id, state: 'bisected', by: 'bisect', at, issue: change.note?.issue ?? null, commit, named };
}

const OPEN: readonly ChangeState[] = ['suspected', 'confirmed', 'bisected'];

/** Returns accepted slowdowns of rows below their anchor, each with a sentence. `isOnly`: the row has no open one. */
export function acceptedSlowdowns({ rows, commits }: Pick<Trend, 'rows' | 'commits'>): readonly {
	readonly cell: string;
	readonly isOnly: boolean;
	readonly text: string;
}[] {
	return rows.flatMap(({ cell, standing, points, changes }) => {
		const slowdowns = changes.filter(({ step }) => standing?.place === 'below' && step < 0);
		const isOnly = !slowdowns.some(({ state }) => OPEN.includes(state));
		return slowdowns
			.filter(({ state }) => state === 'accepted')
			.map(({ at, step, note }) => {
				const since = commits[points[at]?.commit ?? -1]?.label ?? 'then';
				const text = `${cell}: ${note?.by ?? 'someone'} accepted the slowdown of about ${formatPercent(-Math.expm1(step), 1)} since ${since}.`;
				return { cell, isOnly, text };
			});
	});
}

function changeAt(changes: readonly ChangePoint[], commit: number | undefined): ChangePoint | null {
	const chance = ({ candidates }: ChangePoint) => candidates.find((one) => one.commit === commit)?.probability ?? 0;
	const [best] = changes.toSorted((a, b) => chance(b) - chance(a));
	return best !== undefined && chance(best) > 0 ? best : null;
}

/** Main is not measured at every commit, so the curve may lack the named commit. */
function onlyIn(
	changes: readonly ChangePoint[],
	good: number | undefined,
	bad: number | undefined,
): ChangePoint | null {
	if (good === undefined || bad === undefined) return null;
	const inside = changes.filter((change) => covers(change, good, bad));
	return inside.length === 1 ? (inside[0] ?? null) : null;
}
