/** Servers that an evaluation of src/impact may change, and the laboratory that covers them. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findCacheFolder } from '../../src/cli/measuring.ts';
import type { Catalogue } from '../../src/config/catalogue.ts';
import { loadCatalogue } from '../../src/config/load-catalogue.ts';
import { resolveConfig } from '../../src/config/resolve-config.ts';
import { openBench } from '../../src/measure/bench.ts';
import type { CoveringLaboratory } from '../../src/measure/laboratory.ts';
import { findNode } from '../../src/measure/machine.ts';
import type { CoverExtent } from '../../src/measure/probe/cover-cell.ts';
import { timingFor } from '../../src/plan/timing.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';
import { startJanitor } from '../../src/process/janitor.ts';
import { installServers } from '../../src/runs/ranking/install-servers.ts';
import type { CellCoverage } from '../../src/types/coverage.ts';
import type { CountedRepeat } from '../../src/types/explain/counts.ts';
import type { PreparedServer, PreparedSide } from '../../src/types/prepared.ts';
import type { Side } from '../../src/types/units.ts';

export interface CopiedServers {
	readonly catalogue: Catalogue;
	readonly servers: ReadonlyMap<string, PreparedServer>;
	/** Other copies. */
	readonly heads: ReadonlyMap<string, PreparedServer>;
	/** For temporary files. */
	readonly folder: string;
	readonly cover: (server: string, scenario: string, extent: CoverExtent, side?: Side) => Promise<CellCoverage>;
	readonly count: (server: string, scenario: string) => Promise<CountedRepeat>;
}

/** Copies installed servers for `work`, and removes the copies. */
export async function withServers(
	names: readonly string[],
	scenarios: readonly string[],
	work: (copied: CopiedServers) => Promise<void>,
): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'impact-'));
	const janitor = await startJanitor();
	try {
		const tools = { cacheFolder: findCacheFolder(), node: findNode(undefined), janitor };
		const { signal } = new AbortController();
		const catalogue = await loadCatalogue(TOOL_ROOT);
		const flags = { server: names.join(','), scenario: scenarios.join(',') };
		const config = resolveConfig(null, flags, catalogue, () => 1);
		const { prepared } = await installServers(config, () => ({ description: '', direct: [] }), {
			...{ ...tools, cwd: process.cwd(), toolRoot: TOOL_ROOT, signal },
			progress: { step: (text) => console.error(text), status() {} },
		});
		const copies = (side: Side) =>
			new Map([...prepared].map(([name, server]) => [name, copyServer(join(folder, side), name, server)]));
		const [servers, heads] = [copies('base'), copies('head')];
		const sideOf = (side: Side): PreparedSide => ({
			...{ side, info: { revision: 'copy', kind: 'dir', label: 'copy', versions: {} } },
			servers: Object.fromEntries(side === 'base' ? servers : heads),
		});
		const bench = await openBench({ ...tools, signal });
		try {
			const laboratory: CoveringLaboratory = bench.laboratory({
				config,
				prepared: { sides: { base: sideOf('base'), head: sideOf('head') }, warnings: [], installs: 0 },
				timing: (design) => timingFor({ design }),
				watched: false,
			});
			const cellOf = (server: string, scenario: string) => {
				return { id: `${server}/${scenario}`, server, scenario, threshold: 0.05, tolerance: 0.025 };
			};
			const cover: CopiedServers['cover'] = (server, scenario, extent, side) =>
				laboratory.cover(cellOf(server, scenario), extent, side);
			const count: CopiedServers['count'] = (server, scenario) => laboratory.count(cellOf(server, scenario));
			await work({ catalogue, servers, heads, folder, cover, count });
		} finally {
			await bench.close();
		}
	} finally {
		rmSync(folder, { recursive: true });
		await janitor.close();
	}
}

function copyServer(root: string, name: string, server: PreparedServer): PreparedServer {
	const from = server.root ?? server.cwd;
	cpSync(from, join(root, name), { recursive: true, verbatimSymlinks: true });
	const moved = (path: string) => path.replace(from, join(root, name));
	const run = 'argv' in server.run ? { argv: server.run.argv.map(moved) } : server.run;
	return { ...server, root: join(root, name), cwd: moved(server.cwd), run };
}
