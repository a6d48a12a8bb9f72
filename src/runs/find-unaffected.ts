/** Finds, before head's code runs, the cells that a change cannot affect (decision 0071). */
import { describeUncovered, warnAffected } from '../impact/describe-impact.ts';
import { findImpact } from '../impact/find-impact.ts';
import { planCells } from '../plan/plan-cells.ts';
import type { CellCoverage } from '../types/coverage.ts';
import type { CodeChange, ImpactReason } from '../types/impact.ts';
import type { MetricName } from '../types/metric.ts';
import type { Cell } from '../types/plan.ts';
import type { Prepared } from '../types/prepared.ts';
import { SIDES, type Warning } from '../types/units.ts';
import { coverBase, readTree } from './cover-base.ts';
import { presenceOf } from './present-servers.ts';
import type { IsolatedPair } from './verify-pair.ts';

export interface Unaffected {
	/** Ids of unaffected cells. */
	readonly cells: readonly string[];
	readonly affected: readonly string[];
	readonly changes: readonly CodeChange[];
	/** Present if no row runs some of them. */
	readonly uncovered: string | null;
	readonly warnings: readonly Warning[];
}

/** Covers base's cells, one at a time, and compares both sides as text. Throws the abort reason. */
export async function findUnaffected(options: IsolatedPair, prepared: Prepared): Promise<Unaffected> {
	const { config } = options;
	const { cells } = planCells(config, presenceOf(options, prepared));
	const open = cells.filter((cell) => mayBeUnaffected(cell, options));
	const coverage = await coverBase(options, prepared, open);
	const reasons = new Map<string, ImpactReason | null>();
	const changes: CodeChange[] = [];
	for (const [server, same] of Map.groupBy(open, (cell) => cell.server)) {
		const [base, head] = await Promise.all(SIDES.map((side) => readTree(prepared, side, server)));
		if (base === undefined || head === undefined) continue;
		const covered = new Map(same.flatMap(({ id }) => [[id, coverage.get(id)] as const]).filter(isKnown));
		const impact = findImpact({ base, head, cells: covered });
		for (const [id, reason] of impact.cells) reasons.set(id, reason);
		changes.push(...impact.changes);
	}
	const unaffected = open.flatMap(({ id }) => (reasons.get(id) === null ? [id] : []));
	const uncovered = describeUncovered({ changes });
	return {
		...{ cells: unaffected, changes, uncovered },
		affected: cells.flatMap(({ id }) => (unaffected.includes(id) ? [] : [id])),
		warnings: [
			...(uncovered === null ? [] : [{ code: 'change-not-exercised', message: uncovered }]),
			...warnAffected({ cells: reasons }),
		],
	};
}

/** Coverage of a load proves nothing about starts, memory, several processes, or another runtime. */
function mayBeUnaffected({ server, scenario, metrics }: Cell, { config, runtimes }: IsolatedPair): boolean {
	const { workers, inProcess } = config.scenarios.find(({ name }) => name === scenario) ?? {};
	const isPlain = metrics === undefined && workers === undefined && !inProcess;
	const spec = config.servers.find(({ name }) => name === server);
	const isAlone = spec?.kind === 'built-in' || (spec?.start === undefined && spec?.stop === undefined);
	return isPlain && isAlone && runtimes === undefined && config.gate.metrics.every(isOfLoad);
}

function isOfLoad(metric: MetricName): boolean {
	return metric === 'throughput' || metric === 'cpu-per-request' || metric.startsWith('latency-');
}

function isKnown(entry: readonly [string, CellCoverage | undefined]): entry is readonly [string, CellCoverage] {
	return entry[1] !== undefined;
}
