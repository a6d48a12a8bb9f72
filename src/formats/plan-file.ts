import { plainText } from '../text/escape.ts';
import { UserError } from '../types/errors.ts';
import { countRows } from '../types/plan.ts';
import { PLAN_SCHEMA, PLAN_SCHEMA_VERSION, type ShardPlan } from '../types/shards.ts';
import { findExcess } from './json-scan.ts';
import { hashOf, orderKeys } from './order-keys.ts';
import { validate } from './plan-validator.ts';

const QUOTE_LIMIT = 80;
/** 500 cells are 0.2 MB. */
export const PLAN_LIMITS = { bytes: 5_000_000, depth: 8, values: 200_000 } as const;

export function sealPlan(plan: Omit<ShardPlan, 'planHash'>): ShardPlan {
	return { ...plan, planHash: hashOf(plan) };
}

export function renderPlan(plan: ShardPlan): string {
	return `${JSON.stringify(orderKeys(plan, PLAN_SCHEMA, PLAN_SCHEMA), null, 2)}\n`;
}

/**
 * Parses and validates a plan. `where` is the file's name, for messages. Throws UserError for another kind of file or
 * schema version, a wrong hash, and shards that do not cover every cell once.
 */
export function parsePlan(text: string, where = 'plan file'): ShardPlan {
	const excess = findExcess(text, PLAN_LIMITS);
	if (excess !== null) throw badPlan(where, excess);
	const value = parseJson(text, where);
	checkVersion(value, where);
	if (!validate(value)) {
		const [error] = validate.errors ?? [];
		throw badPlan(
			`${where}: ${plainText(error?.instancePath || '/', QUOTE_LIMIT)}`,
			plainText(error?.message ?? '', 120),
		);
	}
	const { planHash, ...rest } = value;
	if (hashOf(rest) !== planHash) {
		throw badPlan(where, 'it was changed after it was made: its hash is not that of its content');
	}
	const flaw = findFlaw(value);
	if (flaw !== null) throw badPlan(where, flaw);
	return value;
}

function isPlan(value: unknown): boolean {
	return (value as Partial<ShardPlan> | null)?.kind === 'benchgate-plan';
}

function parseJson(text: string, where: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw badPlan(where, 'it is not JSON; perhaps it was cut off while being copied');
	}
}

function checkVersion(value: unknown, where: string): void {
	if (!isPlan(value)) throw badPlan(where, 'it is not a plan of benchgate');
	const { schemaVersion, tool } = value as Partial<Record<keyof ShardPlan, unknown>>;
	if (schemaVersion === PLAN_SCHEMA_VERSION) return;
	const version = plainText(String((tool as Partial<ShardPlan['tool']> | undefined)?.version), QUOTE_LIMIT);
	throw badPlan(where, `benchgate ${version} wrote it in a form that this benchgate does not read`);
}

/** Checks that every cell belongs to one shard, and `m` counts all rows. */
function findFlaw({ cells, metrics, m, shards }: ShardPlan): string | null {
	const shardCells = shards.flatMap((shard) => shard.cells);
	const ids = new Set(cells.map(({ id }) => id));
	if (ids.size < cells.length) return 'a cell is planned twice';
	if (cells.some(({ id, server, scenario }) => id !== `${server}/${scenario}`))
		return 'the id of a cell does not match its server and scenario';
	if (
		shardCells.length !== ids.size ||
		shardCells.some((id) => !ids.has(id)) ||
		new Set(shardCells).size < shardCells.length
	) {
		return 'its shards do not have every cell once';
	}
	if (shards.some(({ index, cells: ownCells }, position) => index !== position + 1 || ownCells.length === 0)) {
		return 'its shards are out of order, or empty';
	}
	return m === countRows({ cells, metrics }) ? null : 'its family is not the rows of its cells';
}

function badPlan(where: string, what: string): UserError {
	return new UserError({
		code: 'bad-plan',
		where,
		message: `this plan cannot be used: ${what}`,
		remedy: 'use the file exactly as `benchgate plan --out FILE` wrote it, or make it again',
	});
}
