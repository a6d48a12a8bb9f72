import { findContradiction } from '../formats/raw/raw-contradiction.ts';
import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../text/escape.ts';
import { EXIT, UserError } from '../types/errors.ts';
import type { OneSidedCell, Plan } from '../types/plan.ts';
import { RAW_SCHEMA_VERSION, type Raw, type RevisionInfo, type RunContext, type ShardRun } from '../types/result.ts';
import type { EndReason } from '../types/round.ts';
import type { PlannedSide, ShardPlan, ShardStamp, ShardState } from '../types/shards.ts';
import { SIDES, type Side, type Warning } from '../types/units.ts';
import { judgeAudit } from './judge-audit.ts';
import { warn } from './warnings.ts';

export interface ShardFile {
	readonly name: string;
	readonly raw: Raw;
}

interface ChosenShard {
	readonly shard: number;
	readonly state: ShardState;
	readonly raw: Raw | null;
}

interface ChosenFiles {
	readonly shards: readonly ChosenShard[];
	readonly warnings: readonly Warning[];
}

type Stamped = ShardFile & { readonly stamp: ShardStamp };

type Counted = ChosenShard & { readonly raw: Raw };

/**
 * Returns the raw data of all shards of `plan` as one run. The cells of a shard without a complete file have no rounds.
 * Throws UserError with exit code 3 if no file counts.
 */
export function gatherShards(plan: ShardPlan, files: readonly ShardFile[]): Raw {
	const chosen = chooseFiles(plan, files);
	const counted = chosen.shards.filter((shard): shard is Counted => shard.raw !== null);
	const [first] = counted;
	if (first === undefined) throw nothingGathered(plan, chosen);
	const timings = counted.map(({ raw }) => raw.timing);
	const sum = (key: keyof Raw['timing']) => timings.reduce((total, timing) => total + timing[key], 0);
	return withAudit(plan.audited, {
		schemaVersion: RAW_SCHEMA_VERSION,
		kind: 'benchgate-raw',
		context: contextOf(counted, first.raw, chosen.warnings),
		plan: wholePlan(plan, counted, first.raw.plan),
		rounds: counted.flatMap(({ shard, raw }) => raw.rounds.map((round) => ({ ...round, shard }))),
		refused: counted.flatMap(({ raw }) => raw.refused),
		ended: endOf(counted.map(({ raw }) => raw.ended)),
		timing: {
			totalSeconds: sum('totalSeconds'),
			measuringSeconds: sum('measuringSeconds'),
			loadSeconds: sum('loadSeconds'),
			roundsRun: sum('roundsRun'),
			orchestratorPeakBytes: Math.max(...timings.map((timing) => timing.orchestratorPeakBytes)),
		},
		shards: chosen.shards.map((shard) => runOf(plan, shard)),
	});
}

/** If an audited row is red, the skipped rows count as not measured. */
function withAudit(audited: ShardPlan['audited'], raw: Raw): Raw {
	if (audited === undefined) return raw;
	const { context, plan } = raw;
	const { audit, red } = judgeAudit(raw, audited);
	const changed = { changes: [], omitted: 0, notExercised: null, audit };
	if (red === null) return { ...raw, context: { ...context, changed } };
	const oneSided = plan.oneSided.map((cell): OneSidedCell => {
		const reason = `It was not measured, and the audit of ${plainText(red.cell, NAME_LIMIT)} was red.`;
		return cell.verdict === 'unaffected' ? { ...cell, verdict: 'removed', reason } : cell;
	});
	const warnings = [...context.warnings, red.warning];
	return { ...raw, context: { ...context, changed, warnings }, plan: { ...plan, oneSided } };
}

/** Cells that a shard found to be one-sided move to `oneSided`. */
function wholePlan(plan: ShardPlan, counted: readonly Counted[], { timing }: Plan): Plan {
	const measured = new Map(counted.flatMap(({ raw }) => raw.plan.cells.map((cell) => [cell.id, cell] as const)));
	const oneSidedCells: OneSidedCell[] = counted.flatMap(({ raw }) => raw.plan.oneSided);
	const gone = new Set(oneSidedCells.map(({ id }) => id));
	return {
		seed: plan.seed,
		design: plan.design,
		cells: plan.cells.filter(({ id }) => !gone.has(id)).map((cell) => measured.get(cell.id) ?? cell),
		oneSided: [...plan.oneSided, ...oneSidedCells],
		metrics: plan.metrics,
		looks: plan.looks,
		...(plan.gate.margins && { margins: plan.gate.margins }),
		timing,
		budgetSeconds: plan.budget,
		family: plan.m,
	};
}

function contextOf(counted: readonly Counted[], first: Raw, warnings: readonly Warning[]): RunContext {
	const contexts = counted.map(({ raw }) => raw.context);
	const models = [...new Set(contexts.map(({ environment }) => plainText(environment.cpuModel, NAME_LIMIT)))].sort();
	const shardWarnings = counted.flatMap(({ raw, shard }) =>
		raw.context.warnings.map((warning) => ({ shard, warning })),
	);
	const byText = Map.groupBy(shardWarnings, ({ warning }) => `${warning.code} ${warning.message}`);
	return {
		...first.context,
		createdAt: contexts.map(({ createdAt }) => createdAt).sort()[0] as string,
		base: revisionOf(contexts, 'base'),
		head: revisionOf(contexts, 'head'),
		warnings: [
			...warnings,
			...(models.length > 1 ? [warn('machines-differ', { models })] : []),
			...[...byText.values()].map((same) => sayWhere(same, counted.length)),
		],
	};
}

function sayWhere(same: readonly { readonly shard: number; readonly warning: Warning }[], all: number): Warning {
	const { warning } = same[0] as (typeof same)[number];
	if (same.length === all) return warning;
	const numbers = same.map(({ shard }) => shard).join(', ');
	return { ...warning, message: `${same.length === 1 ? 'Shard' : 'Shards'} ${numbers}: ${warning.message}` };
}

/** Joins the versions of all shards, because each shard installed its own servers. */
function revisionOf(contexts: readonly RunContext[], side: Side): RevisionInfo {
	const versions = Object.assign({}, ...contexts.map((context) => context[side].versions));
	return { ...(contexts[0] as RunContext)[side], versions };
}

function runOf(plan: ShardPlan, { shard, state, raw }: ChosenShard): ShardRun {
	const cells = plan.shards[shard - 1]?.cells ?? [];
	if (raw === null) return { shard, state, cells };
	const { context, ended, timing } = raw;
	return {
		shard,
		state,
		cells,
		attempt: raw.shard?.attempt ?? 1,
		startedAt: context.createdAt,
		ended,
		environment: context.environment,
		timing,
		...(raw.lanes && { lanes: raw.lanes }),
	};
}

function nothingGathered({ shards }: ShardPlan, { shards: chosenShards, warnings }: ChosenFiles): UserError {
	const cut = chosenShards.filter(({ state }) => state === 'cut-off').length;
	const what = cut === 0 ? '' : `; ${cut} ${cut === 1 ? 'was' : 'were'} cut off`;
	const refused = warnings.filter(({ code }) => code === 'shard-refused').map(({ message }) => message);
	return new UserError({
		code: 'no-shards',
		message: `nothing could be measured: none of the ${shards.length} shards of the plan finished${what}`,
		remedy: 'look into the logs of the shards, and run them again',
		...(refused.length > 0 && { details: plainText(refused.join(' '), MESSAGE_LIMIT) }),
		exitCode: EXIT.nothingMeasured,
	});
}

function chooseFiles(plan: ShardPlan, files: readonly ShardFile[]): ChosenFiles {
	const warnings: Warning[] = [];
	const taken: Stamped[] = [];
	for (const file of files.toSorted(byName)) {
		const why = whyRefused(plan, file.raw);
		if (why !== null) warnings.push(warn('shard-refused', { file: plainText(file.name, NAME_LIMIT), why }));
		else taken.push({ ...file, stamp: file.raw.shard as ShardStamp });
	}
	const attempts = attemptsOf(plan.shards.length, taken.toSorted(byAttempt), {
		shardOf: ({ stamp }) => stamp.shard,
		isComplete: ({ stamp }) => stamp.complete,
		isSame,
	});
	const shards = attempts.map(({ shard, state, complete, besides }): ChosenShard => {
		const others = complete ? besides(complete) : [];
		if (complete && others.length > 0) {
			const names = others.map(({ stamp }) => `attempt ${stamp.attempt}${stamp.complete ? '' : ', which was cut off'}`);
			warnings.push(warn('shard-attempt', { shard, counts: complete.stamp.attempt, others: names }));
		}
		return { shard, state, raw: complete?.raw ?? null };
	});
	return { shards, warnings };
}

/** Returns why a file does not belong to the plan, in our own words, because its contents are untrusted. */
function whyRefused(plan: ShardPlan, raw: Raw): string | null {
	const { shard: stamp, context } = raw;
	if (stamp === undefined) return 'it is not of a shard';
	if (stamp.planHash !== plan.planHash) return 'it is of another plan';
	if (stamp.of !== plan.shards.length || plan.shards[stamp.shard - 1] === undefined)
		return 'the plan has no such shard';
	const { version } = context.tool;
	if (version !== plan.tool.version) {
		return `benchgate ${plainText(version, NAME_LIMIT)} measured it, and ${plan.tool.version} made the plan`;
	}
	const other = SIDES.find((side) => isOther(plan[side], context[side].sha));
	if (other !== undefined) return `it has another commit as ${other} than the plan`;
	return findDeparture(plan, raw, stamp.shard) ?? findContradiction(raw);
}

function isOther({ sha: planned }: PlannedSide, measured: string | undefined): boolean {
	return planned !== undefined && planned !== measured;
}

/** A file may claim to follow the plan although it measured something else. */
function findDeparture(plan: ShardPlan, { plan: rawPlan, shards }: Raw, shard: number): string | null {
	const planValues = [plan.seed, plan.design, plan.metrics, plan.looks, plan.m, plan.budget];
	const rawValues = [
		rawPlan.seed,
		rawPlan.design,
		rawPlan.metrics,
		rawPlan.looks,
		rawPlan.family,
		rawPlan.budgetSeconds,
	];
	if (shards !== undefined || JSON.stringify(planValues) !== JSON.stringify(rawValues))
		return 'it was not measured as planned';
	const skips = rawPlan.oneSided.some(({ verdict }) => verdict === 'same-code');
	if (rawPlan.oneSided.some(({ verdict }) => verdict === 'unaffected') || (skips && !plan.skipUnchanged))
		return 'it skipped cells that were to be measured';
	const planned = plan.shards[shard - 1]?.cells.map((id) => plan.cells.find((cell) => cell.id === id));
	const measured = new Map([...rawPlan.cells, ...rawPlan.oneSided].map((cell) => [cell.id, cell]));
	const same =
		measured.size === rawPlan.cells.length + rawPlan.oneSided.length &&
		measured.size === planned?.length &&
		planned.every((cell) => {
			const measuredCell = cell && measured.get(cell.id);
			return measuredCell && measuredCell.threshold === cell.threshold && measuredCell.tolerance === cell.tolerance;
		});
	return same ? null : 'it has other cells than the plan gave it';
}

function isSame(one: Stamped, other: Stamped): boolean {
	return (
		one.stamp.attempt === other.stamp.attempt &&
		one.raw.context.createdAt === other.raw.context.createdAt &&
		one.raw.rounds.length === other.raw.rounds.length
	);
}

function byName(a: ShardFile, b: ShardFile): number {
	return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

function byAttempt(a: Stamped, b: Stamped): number {
	const [first, second] = [a.raw.context.createdAt, b.raw.context.createdAt];
	return a.stamp.attempt - b.stamp.attempt || (first < second ? -1 : first > second ? 1 : 0);
}

/** A shard's files of all attempts, of a comparison or a ranking. */
export interface ShardAttempts<F> {
	readonly shard: number;
	readonly state: ShardState;
	/** Null if all were cut off. */
	readonly complete: F | null;
	/** Of the earliest attempt. */
	readonly first: F | null;
	/** Returns the files besides `counted` and its copies. */
	readonly besides: (counted: F) => readonly F[];
}

interface Reading<F> {
	readonly shardOf: (file: F) => number;
	readonly isComplete: (file: F) => boolean;
	/** Also true for copies. */
	readonly isSame: (one: F, other: F) => boolean;
}

/**
 * Returns the files of shards 1 to `of`; `files` are in order of attempts. The first complete one counts: repeating a red
 * shard until green would be a second test.
 */
export function attemptsOf<F>(of: number, files: readonly F[], { shardOf, isComplete, isSame }: Reading<F>) {
	const byShard = Map.groupBy(files, shardOf);
	return Array.from({ length: of }, (_, index): ShardAttempts<F> => {
		const shardFiles = byShard.get(index + 1) ?? [];
		const complete = shardFiles.find(isComplete) ?? null;
		return {
			shard: index + 1,
			state: complete ? 'complete' : shardFiles.length > 0 ? 'cut-off' : 'missing',
			complete,
			first: shardFiles[0] ?? null,
			besides: (counted) => shardFiles.filter((file) => file !== counted && !isSame(file, counted)),
		};
	});
}

/** Returns the end, of several parts of a run, that more rounds could have changed most. */
export function endOf(ends: readonly EndReason[]): EndReason {
	return (['budget', 'rounds', 'decided'] as const).find((end) => ends.includes(end)) ?? 'interrupted';
}
