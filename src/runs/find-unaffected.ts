/** Finds, before head's servers start, the cells that a change cannot affect (decision 0071). */
import { findImpact } from '../impact/find-impact.ts';
import { listChanges } from '../impact/list-changes.ts';
import { openCells } from '../impact/open-cells.ts';
import type { Trees } from '../impact/resolution.ts';
import { planCells } from '../plan/plan-cells.ts';
import type { CellCoverage } from '../types/coverage.ts';
import type { ChangedCode, Impact, ImpactReason } from '../types/impact.ts';
import type { Cell } from '../types/plan.ts';
import type { Prepared } from '../types/prepared.ts';
import { SIDES } from '../types/units.ts';
import { whyAlways } from './always-measured.ts';
import { coverCells, readTree, rootOf } from './cover-cells.ts';
import { presenceOf } from './present-servers.ts';
import type { IsolatedPair } from './verify-pair.ts';

export interface FoundImpact {
	readonly unaffected: readonly string[];
	/** By cell, except unaffected ones. */
	readonly because: Readonly<Record<string, ImpactReason>>;
	readonly changed: ChangedCode;
	readonly coverage: ReadonlyMap<string, CellCoverage>;
}

/** `derived`: only what `derived` of the options says. */
export type ImpactExtent = 'all' | 'derived';

/**
 * Covers base's cells not derived, and compares both sides as text. Returns null for one revision. Throws the abort
 * reason.
 */
export async function findUnaffected(
	options: IsolatedPair,
	prepared: Prepared,
	extent: ImpactExtent = 'all',
): Promise<FoundImpact | null> {
	const { config, derived } = options;
	const { base: one, head: other } = prepared.sides;
	if (one.info.revision === other.info.revision || (one.info.sha && one.info.sha === other.info.sha)) return null;
	const { cells } = planCells(config, presenceOf(options, prepared));
	const always = new Map(cells.map((cell) => [cell.id, whyAlways(cell, options)]));
	const isDerived = ({ id }: Cell) => derived?.rows.has(id) === true;
	const left = cells.filter((cell) => always.get(cell.id) === null && !isDerived(cell));
	const open = extent === 'all' ? left : [];
	const trees = await readTrees(prepared, new Set(open.map((cell) => cell.server)));
	const impactOf = (coverage: ReadonlyMap<string, CellCoverage>): Impact => {
		const impacts = [...Map.groupBy(open, (cell) => cell.server)].flatMap(([server, same]) => {
			const ids = new Set(same.map(({ id }) => id));
			const covered = new Map([...coverage].filter(([id]) => ids.has(id)));
			const sides = trees.get(server);
			return sides === undefined ? [] : [findImpact({ ...sides, cells: covered })];
		});
		return {
			cells: new Map(impacts.flatMap(({ cells }) => [...cells])),
			changes: impacts.flatMap(({ changes }) => changes),
		};
	};
	const coverage = await coverCells(options, prepared, open, (seen) => openCells(impactOf(seen), seen));
	const found = impactOf(coverage);
	const reasons = new Map([...found.cells, ...(derived?.rows ?? [])]);
	const seen = new Map([...(derived?.coverage ?? []), ...coverage]);
	const isKnown = cells.every(({ id }) => seen.get(id)?.unseen.every(({ kind }) => !HIDES.includes(kind)));
	const because = cells.flatMap(({ id }) => {
		const why = always.get(id) ?? (reasons.has(id) || extent === 'all' ? null : 'unproven');
		const reason = why ? ({ kind: 'always', always: why } as const) : reasons.get(id);
		return reason ? [[id, reason] as const] : [];
	});
	return {
		unaffected: cells.flatMap(({ id }) => (always.get(id) === null && reasons.get(id) === null ? [id] : [])),
		because: Object.fromEntries(because),
		changed: {
			...listChanges([...(derived?.changes ?? []), ...found.changes], isKnown),
			...(config.gate.uncovered && { uncovered: config.gate.uncovered }),
		},
		coverage: seen,
	};
}

/** Equal texts are shared: a tree can have 10 MB. */
async function readTrees(prepared: Prepared, servers: Iterable<string>): Promise<ReadonlyMap<string, Trees>> {
	const trees = new Map<string, Trees>();
	const known = new Map<string, Trees>();
	for (const server of servers) {
		const key = JSON.stringify(SIDES.map((side) => rootOf(prepared.sides[side].servers[server])));
		let both = known.get(key);
		if (both === undefined) {
			const base = await readTree(prepared, 'base', server);
			const head = await readTree(prepared, 'head', server);
			const shared = [...head].map(([path, text]): [string, string] => {
				const same = base.get(path);
				return [path, same === text ? same : text];
			});
			both = { base, head: new Map(shared) };
		}
		known.set(key, both);
		trees.set(server, both);
	}
	return trees;
}

/** These gaps may hide a function that ran. */
const HIDES: readonly string[] = ['process', 'failed'];
