/** Finds, before head's servers start, the cells that a change cannot affect (decision 0071). */
import { findImpact } from '../impact/find-impact.ts';
import { listChanges } from '../impact/list-changes.ts';
import { planCells } from '../plan/plan-cells.ts';
import type { CustomServer } from '../types/config.ts';
import type { CellCoverage } from '../types/coverage.ts';
import type { ALWAYS_MEASURED, ChangedCode, CodeChange, ImpactReason } from '../types/impact.ts';
import type { MetricName } from '../types/metric.ts';
import type { Cell } from '../types/plan.ts';
import type { Prepared } from '../types/prepared.ts';
import { SIDES } from '../types/units.ts';
import { coverBase, readTree } from './cover-base.ts';
import { presenceOf } from './present-servers.ts';
import type { IsolatedPair } from './verify-pair.ts';

export interface FoundImpact {
	readonly unaffected: readonly string[];
	/** By cell, except unaffected ones. */
	readonly because: Readonly<Record<string, ImpactReason>>;
	readonly changed: ChangedCode;
	readonly coverage: ReadonlyMap<string, CellCoverage>;
}

/** Covers base's cells, and compares both sides as text. Returns null for one revision. Throws the abort reason. */
export async function findUnaffected(options: IsolatedPair, prepared: Prepared): Promise<FoundImpact | null> {
	const { config } = options;
	const { base: one, head: other } = prepared.sides;
	if (one.info.revision === other.info.revision || (one.info.sha && one.info.sha === other.info.sha)) return null;
	const { cells } = planCells(config, presenceOf(options, prepared));
	const always = new Map(cells.map((cell) => [cell.id, whyAlways(cell, options)]));
	const open = cells.filter(({ id }) => always.get(id) === null);
	const coverage = await coverBase(options, prepared, open);
	const reasons = new Map<string, ImpactReason | null>();
	const changes: CodeChange[] = [];
	for (const [server, same] of Map.groupBy(open, (cell) => cell.server)) {
		const [base, head] = await Promise.all(SIDES.map((side) => readTree(prepared, side, server)));
		if (base === undefined || head === undefined) continue;
		const ids = new Set(same.map(({ id }) => id));
		const impact = findImpact({ base, head, cells: new Map([...coverage].filter(([id]) => ids.has(id))) });
		for (const [id, reason] of impact.cells) reasons.set(id, reason);
		changes.push(...impact.changes);
	}
	const isKnown = cells.every(({ id }) => coverage.get(id)?.unseen.every(({ kind }) => !HIDES.includes(kind)));
	const because = cells.flatMap(({ id }) => {
		const why = always.get(id);
		const reason = why ? ({ kind: 'always', always: why } as const) : reasons.get(id);
		return reason ? [[id, reason] as const] : [];
	});
	return {
		unaffected: open.flatMap(({ id }) => (reasons.get(id) === null ? [id] : [])),
		because: Object.fromEntries(because),
		changed: {
			...listChanges(changes, isKnown),
			...(config.gate.uncovered && { uncovered: config.gate.uncovered }),
		},
		coverage,
	};
}

/** These gaps may hide a function that ran. */
const HIDES: readonly string[] = ['process', 'failed'];

/** Returns why a cell is measured whatever its coverage, or null. */
export function whyAlways(
	{ server, scenario, metrics }: Cell,
	{ config, runtimes }: Pick<IsolatedPair, 'config' | 'runtimes'>,
): (typeof ALWAYS_MEASURED)[number] | null {
	const { workers, inProcess } = config.scenarios.find(({ name }) => name === scenario) ?? {};
	const spec = config.servers.find(({ name }) => name === server);
	if (runtimes !== undefined) return 'runtime';
	if (metrics !== undefined || !config.gate.metrics.every(isOfLoad)) return 'metric';
	if (spec?.kind === 'custom' && !isPlainNode(spec)) return 'command';
	if (workers !== undefined) return 'workers';
	return inProcess ? 'in-process' : null;
}

/** A shell, another program, or a flag such as `--env-file` may read changed files unseen. */
const PLAIN = /^node(?: +(?:--(?:import|require)[= ]|-r )?[\w./:@%+,=][\w./:@%+,=-]*)+ *$/;

/** They may lead Node, or the loader of programs, to other files. */
const LEADING = /^(?:NODE_.*|PATH|LD_.*|DYLD_.*)$/;

function isPlainNode({ command, start, stop, env }: CustomServer): boolean {
	if (start !== undefined || stop !== undefined) return false;
	return PLAIN.test(command) && !Object.keys(env).some((name) => LEADING.test(name));
}

function isOfLoad(metric: MetricName): boolean {
	return metric === 'throughput' || metric === 'cpu-per-request' || metric.startsWith('latency-');
}
