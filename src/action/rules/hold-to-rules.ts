import { isDeepStrictEqual } from 'node:util';
import { writePercentage } from '../../config/durations.ts';
import { holdSpare, withSpare } from '../../plan/hold-spare.ts';
import { markSameCode, markSamePacked, markUnaffected } from '../../plan/plan-cells.ts';
import { planRun } from '../../plan/plan-run.ts';
import { shardLooks } from '../../plan/shards/plan-shards.ts';
import { mayBeApart, readsOf, untouchedServers } from '../../prepare/content/reads.ts';
import { allCells, type DerivedImpact } from '../../runs/derive-impact.ts';
import { whyAffected } from '../../text/impact-words.ts';
import { nameAll, plainPhrase } from '../../text/phrase.ts';
import type { Config } from '../../types/config.ts';
import { meetsLevel, nameLevel } from '../../types/isolation.ts';
import { METRIC_NAMES } from '../../types/metric.ts';
import type { Cell, OneSidedCell, Plan } from '../../types/plan.ts';
import type { Environment, Raw } from '../../types/result.ts';
import type { Warning } from '../../types/units.ts';
import type { Rules } from './base-rules.ts';
import { doubtCommits, doubtPackages, doubtRuntimes } from './doubt-run.ts';

export interface Held {
	readonly raw: Raw;
	/** Differences from the rules, corrected here. */
	readonly notes: readonly Warning[];
	/** Differences that cannot be corrected, and that prevent a success. */
	readonly doubts: readonly string[];
}

const MOST_NAMED = 5;

/**
 * Returns the raw data with the base branch's plan (rows, metrics, thresholds, looks, policy), to be judged again.
 * Unmeasured rows become `removed`, additional ones `new`; other differences become doubts. A `same-code` row stays
 * skipped if config and changed paths confirm it (a doubt if only a build could), an `unaffected` one if `derived`
 * does. `changed`: null if unknown. Without a config, nothing changes.
 *
 * @throws UserError when the config has no cells.
 */
export function holdToRules(
	raw: Raw,
	{ config, source, commits }: Pick<Rules, 'config' | 'source' | 'commits'>,
	changed: readonly string[] | null,
	derived: DerivedImpact | string,
): Held {
	if (config === null) return { raw: withoutImpact(raw), notes: [], doubts: [] };
	const expected = allCells(raw.shards ? config : withHeld(config, raw.plan));
	const untouched = changed === null ? [] : untouchedServers(config, changed);
	const rows = sortRows(raw.plan, expected, {
		source,
		skippedBy: (server) => skippedBy(server, config, changed),
		whyMeasured: ({ id }) => {
			if (config.skipUnaffected === false) return ', although skip-unaffected is false';
			if (typeof derived === 'string') return `, which was not verified: ${derived}`;
			const reason = derived.rows.get(id);
			if (reason === undefined) return ', which the files of both commits do not show';
			return reason && `, although it is affected ${plainPhrase(whyAffected(reason) ?? [])}`;
		},
	});
	const plan = planRun({ ...config, seed: raw.plan.seed }, rows.cells, rows.oneSided);
	// The looks depend on all measured cells, because these shared the budget.
	const { shards } = raw;
	const alone = planRun(config, raw.plan.cells, []);
	const planned = shards ? { ...alone, looks: shardLooks(config, plannedCells(raw.plan, shards), shards) } : alone;
	const kept = new Set(rows.cells.map(({ id }) => id));
	const { threshold, tolerance, gate } = config;
	return {
		raw: {
			...raw,
			context: {
				...withoutImpact(raw).context,
				...impactOf(raw, rows, derived),
				...{ threshold, tolerance, onInconclusive: gate.onInconclusive },
			},
			plan: { ...plan, design: raw.plan.design, timing: raw.plan.timing, looks: planned.looks },
			rounds: raw.rounds.map((round) => ({ ...round, cells: round.cells.filter(({ cell }) => kept.has(cell)) })),
			refused: raw.refused.filter(({ cell }) => kept.has(cell)),
		},
		notes: noteDifferences(raw.plan, config, expected, source),
		doubts: [
			...doubtCommits(raw.context, commits),
			...doubtSkipped(rows.oneSided, untouched),
			...doubtDifferences(raw.plan, planned, source),
			...doubtIsolation(raw, config, source),
			...new Set(machinesOf(raw).flatMap((machine) => doubtRuntimes(machine, config, source))),
			...doubtPackages(raw.context, config, source),
		],
	};
}

const CLAIMS: Readonly<Record<OneSidedCell['verdict'], string>> = {
	new: 'calls it new',
	removed: 'did not measure it',
	'same-code': 'skipped it as the same code, although something that its server may read is changed',
	unaffected: 'skipped it as unaffected',
};

type Marking = (cell: Cell) => OneSidedCell;

interface Known {
	readonly source: string;
	/** Returns null for a server that had to be measured. */
	readonly skippedBy: (server: string) => Marking | null;
	/** Returns why a row must not be unaffected, or null. */
	readonly whyMeasured: (cell: Cell) => string | null;
}

/** With `scenarios: auto`, affected scenarios take the place of others in a run that skips rows. */
function withHeld(config: Config, { cells, oneSided }: Plan): Config {
	const all = withSpare(config);
	if (oneSided.some(({ verdict }) => verdict === 'unaffected')) {
		const skipped = new Set(oneSided.map(({ id }) => id));
		const others = allCells(all).filter(({ id }) => !skipped.has(id));
		return holdSpare(
			all,
			others.map(({ id }) => id),
		).config;
	}
	const measured = new Set(cells.map(({ scenario }) => scenario));
	const scenarios = all.scenarios.filter((each) => config.scenarios.includes(each) || measured.has(each.name));
	return { ...config, scenarios };
}

/** Only a build shows the packed subject, and nothing is built here. */
function skippedBy(name: string, config: Config, changed: readonly string[] | null): Marking | null {
	const server = config.servers.find((one) => one.name === name);
	if (server === undefined) return null;
	const mayBeUntouched =
		changed === null ? readsOf(server, config) !== null : untouchedServers(config, changed).includes(name);
	if (mayBeUntouched) return markSameCode;
	return mayBeApart(server, config) ? markSamePacked : null;
}

/** The cells planned, including those that shards dropped. */
function plannedCells({ cells, oneSided }: Plan, shards: NonNullable<Raw['shards']>): readonly Cell[] {
	const shardCellIds = new Set(shards.flatMap((shard) => shard.cells));
	return [...cells, ...oneSided.filter(({ id }) => shardCellIds.has(id))];
}

function sortRows(
	plan: Plan,
	expected: readonly Cell[],
	{ source, skippedBy, whyMeasured }: Known,
): Pick<Plan, 'cells' | 'oneSided'> {
	const measured = new Map(plan.cells.map((cell) => [cell.id, cell]));
	const expectedIds = new Set(expected.map(({ id }) => id));
	const oneSided = new Map(plan.oneSided.map((cell) => [cell.id, cell]));
	const missing = expected.flatMap((cell): OneSidedCell[] => {
		if (measured.has(cell.id)) return [];
		const oneSidedCell = oneSided.get(cell.id);
		const mark = oneSidedCell?.verdict === 'same-code' ? skippedBy(cell.server) : null;
		if (mark !== null) return [mark(cell)];
		const why = oneSidedCell?.verdict === 'unaffected' ? whyMeasured(cell) : '';
		if (why === null) return [markUnaffected(cell)];
		const what = `${oneSidedCell ? CLAIMS[oneSidedCell.verdict] : 'did not measure it'}${why}`;
		const missed = `${source} has ${cell.id}; the measuring run ${what}. If the base branch got it after that run began, run it again.`;
		const reason = oneSidedCell?.verdict === 'removed' ? oneSidedCell.reason : missed;
		return [{ ...cell, verdict: 'removed', reason }];
	});
	const added = plan.cells
		.filter(({ id }) => !expectedIds.has(id))
		.map((cell): OneSidedCell => ({ ...cell, verdict: 'new', reason: `${source} does not have it.` }));
	return {
		cells: expected.flatMap((cell): Cell[] => {
			const measuredCell = measured.get(cell.id);
			return measuredCell ? [{ ...cell, ...(measuredCell.newerThanBase && { newerThanBase: true }) }] : [];
		}),
		oneSided: [...missing, ...added, ...plan.oneSided.filter(({ id }) => !expectedIds.has(id))],
	};
}

function noteDifferences(plan: Plan, config: Config, expected: readonly Cell[], source: string): readonly Warning[] {
	const cellsById = new Map(expected.map((cell) => [cell.id, cell]));
	const loosened = plan.cells.flatMap((cell) => {
		const rule = cellsById.get(cell.id);
		if (!rule || (rule.threshold === cell.threshold && rule.tolerance === cell.tolerance)) return [];
		return [`${cell.id} (${describe(cell)} instead of ${describe(rule)})`];
	});
	const notes: Warning[] = [];
	if (loosened.length > 0) {
		notes.push(otherRules(`The measuring run applied other limits than ${source}: ${nameAll(loosened, MOST_NAMED)}.`));
	}
	if (!isDeepStrictEqual([...plan.metrics], [...config.gate.metrics])) {
		const metrics = `${plan.metrics.join(', ')} instead of ${config.gate.metrics.join(', ')}`;
		notes.push(otherRules(`The measuring run applied other metrics than ${source}: ${metrics}.`));
	}
	const differing = METRIC_NAMES.filter(
		(name) => !isDeepStrictEqual(plan.margins?.[name], config.gate.margins?.[name]),
	);
	const loose = differing.filter((name) => plan.metrics.includes(name) && config.gate.metrics.includes(name));
	if (loose.length > 0) {
		notes.push(otherRules(`The measuring run applied other limits than ${source}: ${nameAll(loose, MOST_NAMED)}.`));
	}
	return notes;
}

function otherRules(message: string): Warning {
	return { code: 'other-rules', message: `${message} Its rounds were judged again.` };
}

function describe({ threshold, tolerance }: Pick<Cell, 'threshold' | 'tolerance'>): string {
	return `${writePercentage(threshold)}, tolerance ${writePercentage(tolerance)}`;
}

function doubtDifferences(plan: Plan, planned: Plan, source: string): readonly string[] {
	const differing = [
		...(plan.design === planned.design ? [] : [`design ${plan.design} instead of ${planned.design}`]),
		...(plan.budgetSeconds === planned.budgetSeconds
			? []
			: [`a budget of ${plan.budgetSeconds} s instead of ${planned.budgetSeconds} s`]),
	];
	if (differing.length > 0) return [`The measuring run used ${differing.join(', and ')}, against ${source}.`];
	if (isDeepStrictEqual(plan.looks, planned.looks) && isDeepStrictEqual(plan.timing, planned.timing)) return [];
	return ['The measuring run was planned by another version of benchgate. Use one version in both workflows.'];
}

function withoutImpact(raw: Raw): Raw {
	const { changed: _changed, because: _because, ...context } = raw.context;
	return { ...raw, context };
}

function impactOf(
	{ context }: Raw,
	{ cells, oneSided }: Pick<Plan, 'cells' | 'oneSided'>,
	derived: DerivedImpact | string,
): Pick<Raw['context'], 'changed' | 'because'> {
	const audited = context.changed?.audit && { audit: context.changed.audit };
	if (typeof derived === 'string' || !oneSided.some(({ verdict }) => verdict === 'unaffected'))
		return audited ? { changed: { changes: [], omitted: 0, notExercised: null, ...audited } } : {};
	const because = cells.flatMap(({ id }) => {
		const reason = derived.rows.get(id);
		return reason ? [[id, reason] as const] : [];
	});
	return { changed: { ...derived.changed, ...audited }, because: Object.fromEntries(because) };
}

/** A doubt if only the measuring run claims the same code. */
function doubtSkipped(oneSided: readonly OneSidedCell[], untouched: readonly string[]): readonly string[] {
	const same = oneSided.filter(({ verdict, server }) => verdict === 'same-code' && !untouched.includes(server));
	if (same.length === 0) return [];
	const servers = nameAll([...new Set(same.map(({ server }) => server))], MOST_NAMED);
	return [`The measuring run skipped ${servers} as the same code. That could not be verified. ${REMEDY}`];
}

const REMEDY = 'It can be verified for servers with reads in the config; skip-unchanged: false measures them.';

export function machinesOf({ context, shards }: Raw): readonly Environment[] {
	return shards ? shards.flatMap(({ environment }) => environment ?? []) : [context.environment];
}

function doubtIsolation(raw: Raw, { isolationRequired }: Config, source: string): readonly string[] {
	if (isolationRequired === undefined) return [];
	const short = machinesOf(raw).find(({ isolation }) => !(isolation && meetsLevel(isolation, isolationRequired)));
	if (short === undefined) return [];
	const reached = short.isolation === undefined ? 'none' : nameLevel(short.isolation);
	return [`The measuring run reached isolation ${reached}; ${source} requires ${isolationRequired}.`];
}
