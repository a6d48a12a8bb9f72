/** Covers one side's cells, and keeps the coverage for later runs. */
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import writeFileAtomic from 'write-file-atomic';
import { withSecondRun } from '../impact/second-run.ts';
import { type Bench, openBench } from '../measure/bench.ts';
import type { CoveringLaboratory } from '../measure/laboratory.ts';
import { nodeVersion } from '../measure/machine.ts';
import { probeFlag } from '../measure/probe/probe.ts';
import { timingFor } from '../plan/timing.ts';
import { planTraffics } from '../plan/traffic.ts';
import { keyOf, locateNote, readNote } from '../prepare/cache.ts';
import { readInstalledTree } from '../prepare/installed-tree.ts';
import { scrubEnvironment } from '../process/environment.ts';
import type { CellCoverage } from '../types/coverage.ts';
import { meetsLevel } from '../types/isolation.ts';
import type { Cell } from '../types/plan.ts';
import type { Prepared, PreparedServer, PreparedSide } from '../types/prepared.ts';
import type { Side } from '../types/units.ts';
import { toolVersion } from '../version.ts';
import { guardBase, type IsolatedPair } from './verify-pair.ts';

/** Returns the cells that this coverage leaves open. */
export type FindOpen = (coverage: ReadonlyMap<string, CellCoverage>) => ReadonlySet<string>;

/**
 * Returns each cell's coverage on `side`. A short load is enough for a cell that it does not leave open. Throws the
 * abort reason.
 */
export async function coverCells(
	options: IsolatedPair,
	prepared: Prepared,
	cells: readonly Cell[],
	findOpen: FindOpen,
	side: Side = 'base',
): Promise<ReadonlyMap<string, CellCoverage>> {
	const { cacheFolder, progress } = options;
	const coverage = new Map<string, CellCoverage>();
	const files = new Map<string, string>();
	const digests = new Map<string, string>();
	for (const [server, same] of Map.groupBy(isOutOfReach(options) ? cells : [], (cell) => cell.server)) {
		const root = rootOf(prepared.sides[side].servers[server]);
		const tree = digests.get(root) ?? digestOf(await readTree(prepared, side, server));
		digests.set(root, tree);
		const common = { ...commonParts(options), tree };
		for (const cell of same) {
			const file = await locateNote(
				cacheFolder,
				keyOf({ ...common, ...cellParts(options, prepared.sides[side], cell) }),
			);
			files.set(cell.id, file);
			const kept = await readNote<CellCoverage>(file).catch(() => null);
			if (kept !== null) coverage.set(cell.id, kept);
		}
	}
	const left = cells.filter(({ id }) => !coverage.has(id));
	if (left.length === 0) return coverage;
	const { bench, laboratory } = await openLaboratory(options, prepared);
	try {
		for (const [index, cell] of left.entries()) {
			progress.status(`Seeing which code of ${side} runs: ${cell.id} (${index + 1} of ${left.length})`);
			coverage.set(cell.id, await laboratory.cover(cell, 'glance', side));
		}
		const open = findOpen(coverage);
		const unsure = left.filter(({ id }) => open.has(id));
		for (const [index, cell] of unsure.entries()) {
			progress.status(`Seeing which code of ${side} runs in a round: ${cell.id} (${index + 1} of ${unsure.length})`);
			const glance = coverage.get(cell.id) as CellCoverage;
			const seen = withSecondRun(await laboratory.cover(cell, 'round', side), glance);
			coverage.set(cell.id, seen);
			const file = files.get(cell.id);
			const isFinal = seen.unseen.every(({ kind }) => kind !== 'failed');
			if (file !== undefined && isFinal) await writeFileAtomic(file, JSON.stringify(seen));
		}
	} finally {
		await bench.close();
	}
	return coverage;
}

/** Whether no code of head, in this run or an earlier one, could write coverage. */
function isOutOfReach({ isolation, config, coversAnew }: IsolatedPair): boolean {
	return coversAnew !== true && meetsLevel(isolation, 'namespace') && config.prepareAs !== 'runner';
}

function commonParts({ config, node, isolation }: IsolatedPair): Readonly<Record<string, unknown>> {
	const { memoryLimit, readyTimeoutSeconds } = config;
	return {
		tool: toolVersion(),
		probe: probeFlag({ port: 0, root: '' }),
		node: [node, nodeVersion(node)],
		machine: [process.platform, process.arch, availableParallelism()],
		level: isolation.level,
		limits: [memoryLimit, readyTimeoutSeconds],
		environment: scrubEnvironment(process.env, 'serve'),
		timing: timingFor({ ...config, design: 'duet' }),
	};
}

function cellParts(
	{ config }: IsolatedPair,
	{ servers }: PreparedSide,
	{ server, scenario }: Cell,
): Readonly<Record<string, unknown>> {
	const prepared = servers[server];
	const definition = config.scenarios.find(({ name }) => name === scenario);
	return {
		server: config.servers.find(({ name }) => name === server),
		run: JSON.stringify([prepared?.run, prepared?.env]).replaceAll(rootOf(prepared), '<root>'),
		scenario: definition,
		seed: definition?.mix && config.seed,
	};
}

export function readTree({ sides }: Prepared, side: Side, server: string): ReturnType<typeof readInstalledTree> {
	return readInstalledTree(rootOf(sides[side].servers[server]));
}

export function rootOf(server: PreparedServer | undefined): string {
	return server?.root ?? server?.cwd ?? '';
}

function digestOf(tree: ReadonlyMap<string, string>): string {
	const hash = createHash('sha256');
	for (const path of [...tree.keys()].toSorted()) hash.update(JSON.stringify([path, tree.get(path)]));
	return hash.digest('hex');
}

async function openLaboratory(
	options: IsolatedPair,
	prepared: Prepared,
): Promise<{ readonly bench: Bench; readonly laboratory: CoveringLaboratory }> {
	const { config, lanes } = options;
	const bench = await openBench({ ...options, limits: config, ...(lanes && { affinity: lanes.lanes[0] }) });
	const traffics = planTraffics(config.scenarios, config.seed);
	const timing = () => timingFor({ ...config, design: 'duet' });
	const setup = { config, prepared, timing, traffic: ({ name }: { readonly name: string }) => traffics.get(name) };
	return { bench, laboratory: guardBase(bench.laboratory(setup), prepared) };
}
