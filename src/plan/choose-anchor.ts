/** Chooses the anchor against which a commit of main is measured. */

import { answeredBy } from '../config/answered-scenarios.ts';
import { type Anchor, type BaselineCommit, type BaselineRecord, commitKey } from '../types/baseline.ts';
import type { Config } from '../types/config.ts';
import type { Fraction, Warning } from '../types/units.ts';

/**
 * Beyond this distance in either direction a branch gets a nearer anchor, because large log ratios of a duet do not add
 * up.
 */
const FARTHEST: Fraction = 0.15;
/** This many latest runs must all be far, because the next push may repair one. */
const FAR_RUNS = 3;

export interface AnchorFacts {
	/** Chosen by the user; null for `auto`. */
	readonly given: Anchor | null;
	readonly release: Anchor | null;
	readonly head: BaselineCommit;
	readonly earlier: readonly BaselineRecord[];
	/** Records of this run's rows; `earlier` unless given. */
	readonly own?: readonly BaselineRecord[];
}

export interface AnchorChoice {
	readonly anchor: Anchor;
	readonly note: string | null;
	readonly warnings: readonly Warning[];
}

/**
 * Returns the anchors to try in order, in case one no longer builds: the user's alone, else the latest release, the
 * previous anchor, or head. A commit that replaced a release stays until the next release (docs/baselines.md).
 */
export function chooseAnchors(facts: AnchorFacts): readonly [AnchorChoice, ...AnchorChoice[]] {
	const { given, head } = facts;
	if (given !== null) return [plain(given)];
	const levels = usableLevels(facts.earlier);
	const last = levels.at(-1);
	const usual = usualAnchor(facts, levels);
	const first =
		isFar(usableLevels(facts.own ?? facts.earlier), usual) && last
			? movedAnchor(last, usual)
			: usualChoice(usual, head, levels.length > 0);
	const others = [...(last ? [asAnchor(last.commit, 'commit')] : []), asAnchor(head, 'commit')];
	const fallbacks = others.filter((anchor, at) => {
		const before = [first.anchor, ...others.slice(0, at)];
		return !before.some((one) => commitKey(one) === commitKey(anchor));
	});
	return [first, ...fallbacks.map(plain)];
}

export function usableLevels(records: readonly BaselineRecord[]): readonly BaselineRecord[] {
	return records
		.filter(({ purpose, cells }) => purpose === 'level' && cells.some(({ theta }) => theta !== null))
		.toSorted((one, other) => (one.createdAt < other.createdAt ? -1 : one.createdAt > other.createdAt ? 1 : 0));
}

function usualAnchor({ release, head }: AnchorFacts, levels: readonly BaselineRecord[]): Anchor {
	const current = levels.at(-1)?.anchor;
	const wasLeft = (anchor: Anchor) =>
		current?.kind === 'commit' && levels.some((level) => commitKey(level.anchor) === commitKey(anchor));
	if (release !== null && !(current && wasLeft(release) && commitKey(current) !== commitKey(release))) return release;
	return current ?? asAnchor(head, 'first');
}

/** The same cell must be far in each of the latest runs. */
function isFar(levels: readonly BaselineRecord[], anchor: Anchor): boolean {
	const latest = levels.slice(-FAR_RUNS);
	if (latest.length < FAR_RUNS || latest.some((level) => commitKey(level.anchor) !== commitKey(anchor))) return false;
	const far = latest.map(
		({ cells }) =>
			new Set(cells.flatMap((cell) => (isBeyond(cell.theta) ? `${cell.server}/${cell.scenario} ${cell.metric}` : []))),
	);
	return [...(far[0] ?? [])].some((cell) => far.every((cells) => cells.has(cell)));
}

function isBeyond(theta: number | null): boolean {
	return theta !== null && Math.abs(Math.expm1(theta)) > FARTHEST;
}

function movedAnchor(last: BaselineRecord, usual: Anchor): AnchorChoice {
	const anchor = asAnchor(last.commit, 'commit');
	const message = `The branch is more than ${FARTHEST * 100} % away from ${usual.label}, where comparisons grow inaccurate. From now on it is measured against ${anchor.label}; the link to ${usual.label} is kept.`;
	return { anchor, note: null, warnings: [{ code: 'anchor-moved', message }] };
}

function usualChoice(anchor: Anchor, head: BaselineCommit, hasHistory: boolean): AnchorChoice {
	if (hasHistory || anchor.kind !== 'first') return plain(anchor);
	const note = `there is no release and no baseline yet: ${head.label} is measured against itself, and is the anchor from now on`;
	return { anchor, note, warnings: [] };
}

function plain(anchor: Anchor): AnchorChoice {
	return { anchor, note: null, warnings: [] };
}

function asAnchor({ sha, label }: Pick<BaselineCommit, 'sha' | 'label'>, kind: Anchor['kind']): Anchor {
	return { sha, label, kind };
}

/**
 * Returns `records` reduced to the rows of `config`. If machines share a branch's rows, only a machine's own records
 * show whether a row was measured, linked or far.
 */
export function ownHistory(
	records: readonly BaselineRecord[],
	{ servers, scenarios, gate }: Pick<Config, 'servers' | 'scenarios' | 'gate'>,
): readonly BaselineRecord[] {
	const rows = new Set(
		servers.flatMap((server) =>
			answeredBy(server, scenarios).flatMap(({ name, metrics = gate.metrics }) =>
				metrics.map((metric) => `${server.name}/${name} ${metric}`),
			),
		),
	);
	return records.flatMap((record) => {
		const cells = record.cells.filter(({ server, scenario, metric }) => rows.has(`${server}/${scenario} ${metric}`));
		return cells.length === 0 ? [] : [{ ...record, cells }];
	});
}
