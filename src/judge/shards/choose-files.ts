import { findContradiction } from '../../formats/raw/raw-contradiction.ts';
import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import type { Raw } from '../../types/result.ts';
import type { PlannedSide, ShardPlan, ShardStamp, ShardState } from '../../types/shards.ts';
import { SIDES, type Warning } from '../../types/units.ts';
import { warn } from '../warnings.ts';

/** The raw file of a shard. */
export interface ShardFile {
	/** For messages. */
	readonly name: string;
	readonly raw: Raw;
}

/** What there is of one shard. */
export interface ChosenShard {
	readonly shard: number;
	readonly state: ShardState;
	/** The attempt that counts; null where none does. */
	readonly raw: Raw | null;
}

/** What files come to, with what to say about those that do not count. */
export interface ChosenFiles {
	/** Every shard of the plan, by number. */
	readonly shards: readonly ChosenShard[];
	readonly warnings: readonly Warning[];
}

type Stamped = ShardFile & { readonly stamp: ShardStamp };

/**
 * Returns which file counts for each shard of `plan`: the first complete attempt. Were it the last, running a red shard again until it
 * is green would be a second test. Files that cannot be of this plan are refused. The order of `files` changes nothing.
 */
export function chooseFiles(plan: ShardPlan, files: readonly ShardFile[]): ChosenFiles {
	const warnings: Warning[] = [];
	const taken: Stamped[] = [];
	for (const file of files.toSorted(byName)) {
		const why = whyRefused(plan, file.raw);
		if (why !== null) warnings.push(warn('shard-refused', { file: plainText(file.name, NAME_LIMIT), why }));
		else taken.push({ ...file, stamp: file.raw.shard as ShardStamp });
	}
	const shards = plan.shards.map(({ index }): ChosenShard => {
		const own = taken.filter(({ stamp }) => stamp.shard === index).toSorted(byAttempt);
		const first = own.find(({ stamp }) => stamp.complete);
		if (first === undefined) return { shard: index, state: own.length > 0 ? 'cut-off' : 'missing', raw: null };
		const others = own.filter((one) => one !== first && !isSame(one, first));
		if (others.length > 0) {
			const names = others.map(({ stamp }) => `attempt ${stamp.attempt}${stamp.complete ? '' : ', which was cut off'}`);
			warnings.push(warn('shard-attempt', { shard: index, counts: first.stamp.attempt, others: names }));
		}
		return { shard: index, state: 'complete', raw: first.raw };
	});
	return { shards, warnings };
}

/** Returns why raw data are no part of a plan, in our own words; null when they can be. */
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

/** A file that claims the plan may still have measured something else. */
function findDeparture(plan: ShardPlan, { plan: own, shards }: Raw, shard: number): string | null {
	const asked = [plan.seed, plan.design, plan.metrics, plan.looks, plan.m, plan.budget];
	const done = [own.seed, own.design, own.metrics, own.looks, own.family, own.budgetSeconds];
	if (shards !== undefined || JSON.stringify(asked) !== JSON.stringify(done)) return 'it was not measured as planned';
	const skips = own.oneSided.some(({ verdict }) => verdict === 'same-code');
	if (skips && !plan.skipUnchanged) return 'it skipped cells that were to be measured';
	const planned = plan.shards[shard - 1]?.cells.map((id) => plan.cells.find((cell) => cell.id === id));
	const measured = new Map([...own.cells, ...own.oneSided].map((cell) => [cell.id, cell]));
	const same =
		measured.size === own.cells.length + own.oneSided.length &&
		measured.size === planned?.length &&
		planned.every((cell) => {
			const found = cell && measured.get(cell.id);
			return found && found.threshold === cell.threshold && found.tolerance === cell.tolerance;
		});
	return same ? null : 'it has other cells than the plan gave it';
}

/** Whether it is a copy. */
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
