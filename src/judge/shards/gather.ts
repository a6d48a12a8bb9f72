import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { EXIT, UserError } from '../../types/errors.ts';
import type { OneSidedCell, Plan } from '../../types/plan.ts';
import { RAW_SCHEMA_VERSION, type Raw, type RevisionInfo, type RunContext, type ShardRun } from '../../types/result.ts';
import type { EndReason } from '../../types/round.ts';
import type { ShardPlan } from '../../types/shards.ts';
import type { Side, Warning } from '../../types/units.ts';
import { warn } from '../warnings.ts';
import { type ChosenFiles, type ChosenShard, chooseFiles, type ShardFile } from './choose-files.ts';

type Counted = ChosenShard & { readonly raw: Raw };

/**
 * Returns the raw data of all shards of `plan` as those of one run: every round says whose it is, and a shard without a complete file
 * leaves its cells without rounds. Throws a UserError with exit code 3 when no file counts.
 */
export function gatherShards(plan: ShardPlan, files: readonly ShardFile[]): Raw {
	const chosen = chooseFiles(plan, files);
	const counted = chosen.shards.filter((shard): shard is Counted => shard.raw !== null);
	const [first] = counted;
	if (first === undefined) throw nothingGathered(plan, chosen);
	const timings = counted.map(({ raw }) => raw.timing);
	const sum = (key: keyof Raw['timing']) => timings.reduce((total, timing) => total + timing[key], 0);
	return {
		schemaVersion: RAW_SCHEMA_VERSION,
		kind: 'benchgate-raw',
		context: contextOf(counted, first.raw, chosen.warnings),
		plan: wholePlan(plan, counted, first.raw.plan),
		rounds: counted.flatMap(({ shard, raw }) => raw.rounds.map((round) => ({ ...round, shard }))),
		refused: counted.flatMap(({ raw }) => raw.refused),
		ended: endOf(counted),
		timing: {
			totalSeconds: sum('totalSeconds'),
			measuringSeconds: sum('measuringSeconds'),
			loadSeconds: sum('loadSeconds'),
			roundsRun: sum('roundsRun'),
			orchestratorPeakBytes: Math.max(...timings.map((timing) => timing.orchestratorPeakBytes)),
		},
		shards: chosen.shards.map((shard) => runOf(plan, shard)),
	};
}

/** Cells as the shards found them: one that only one side turned out to have is no part of the family's rows. */
function wholePlan(plan: ShardPlan, counted: readonly Counted[], { timing }: Plan): Plan {
	const measured = new Map(counted.flatMap(({ raw }) => raw.plan.cells.map((cell) => [cell.id, cell] as const)));
	const found: OneSidedCell[] = counted.flatMap(({ raw }) => raw.plan.oneSided);
	const gone = new Set(found.map(({ id }) => id));
	return {
		seed: plan.seed,
		design: plan.design,
		cells: plan.cells.filter(({ id }) => !gone.has(id)).map((cell) => measured.get(cell.id) ?? cell),
		oneSided: [...plan.oneSided, ...found],
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
	const own = counted.flatMap(({ raw, shard }) => raw.context.warnings.map((warning) => ({ shard, warning })));
	const byText = Map.groupBy(own, ({ warning }) => `${warning.code} ${warning.message}`);
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

/** What every shard says is said once; what some say, with their numbers. */
function sayWhere(same: readonly { readonly shard: number; readonly warning: Warning }[], all: number): Warning {
	const { warning } = same[0] as (typeof same)[number];
	if (same.length === all) return warning;
	const numbers = same.map(({ shard }) => shard).join(', ');
	return { ...warning, message: `${same.length === 1 ? 'Shard' : 'Shards'} ${numbers}: ${warning.message}` };
}

/** Each shard installed its own servers. */
function revisionOf(contexts: readonly RunContext[], side: Side): RevisionInfo {
	const versions = Object.assign({}, ...contexts.map((context) => context[side].versions));
	return { ...(contexts[0] as RunContext)[side], versions };
}

/** The end that more rounds could have changed most. */
function endOf(counted: readonly Counted[]): EndReason {
	const ends = counted.map(({ raw }) => raw.ended);
	return (['budget', 'rounds'] as const).find((end) => ends.includes(end)) ?? 'decided';
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

function nothingGathered({ shards }: ShardPlan, { shards: found, warnings }: ChosenFiles): UserError {
	const cut = found.filter(({ state }) => state === 'cut-off').length;
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
