/**
 * Measures which packages each built-in row runs under load, or else at start, and writes scenarios/runs.json and the
 * table of docs/scenarios.md: `npm run docs:runs`. With names, as in `npm run docs:runs -- koa express`, measures only
 * these servers. Servers that cannot be installed here keep their entries. Run `npm run format` afterwards.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { findCacheFolder } from '../src/cli/measuring.ts';
import { answeredBy, isOfRankings } from '../src/config/answered-scenarios.ts';
import { loadCatalogue } from '../src/config/load-catalogue.ts';
import { resolveConfig } from '../src/config/resolve-config.ts';
import { packagesRun } from '../src/impact/exercised.ts';
import { openBench } from '../src/measure/bench.ts';
import { findNode } from '../src/measure/machine.ts';
import { timingFor } from '../src/plan/timing.ts';
import { TOOL_ROOT } from '../src/process/entries.ts';
import { startJanitor } from '../src/process/janitor.ts';
import { installServers } from '../src/runs/ranking/install-servers.ts';
import type { PreparedSide } from '../src/types/prepared.ts';
import type { Side } from '../src/types/units.ts';
import { AT_START, fillRuns, mergeRuns } from './runs-table.ts';

const FILE = new URL('../scenarios/runs.json', import.meta.url);
const PAGE = new URL('../docs/scenarios.md', import.meta.url);

const janitor = await startJanitor();
try {
	const catalogue = await loadCatalogue(TOOL_ROOT);
	const args = process.argv.slice(2);
	const names = args.length > 0 ? args : catalogue.servers.map(({ name }) => name);
	const scenarios = catalogue.scenarios.filter((scenario) => !isOfRankings(scenario) && scenario.metrics === undefined);
	const scenarioNames = scenarios.map(({ name }) => name);
	const start = catalogue.scenarios.filter(({ name }) => name === AT_START);
	const flags = { server: names.join(','), scenario: [...scenarioNames, AT_START].join(',') };
	const config = resolveConfig(null, flags, catalogue, () => 1);
	const tools = { cacheFolder: findCacheFolder(), node: findNode(undefined), janitor };
	const { signal } = new AbortController();
	const { prepared, servers } = await installServers(config, () => ({ description: '', direct: [] }), {
		...{ ...tools, cwd: process.cwd(), toolRoot: TOOL_ROOT, signal },
		progress: { step: (text) => console.error(text), status() {} },
	});
	for (const { name, state, reason } of servers)
		if (state !== 'installed') console.error(`${name} keeps what the file has: ${state} (${reason})`);
	const sideOf = (side: Side): PreparedSide => ({
		side,
		info: { revision: 'pinned', kind: 'dir', label: 'pinned', versions: {} },
		servers: Object.fromEntries(prepared),
	});
	const sides = { base: sideOf('base'), head: sideOf('head') };
	const bench = await openBench({ ...tools, signal });
	const measured = new Map<string, Map<string, readonly string[]>>();
	try {
		const laboratory = bench.laboratory({
			config,
			prepared: { sides, warnings: [], installs: 0 },
			timing: (design) => timingFor({ design }),
		});
		for (const server of config.servers.filter(({ name }) => prepared.has(name))) {
			const rows = new Map<string, readonly string[]>();
			for (const { name } of [...answeredBy(server, scenarios), ...start]) {
				const id = `${server.name}/${name}`;
				const cell = { id, server: server.name, scenario: name, threshold: 0.05, tolerance: 0.025 };
				const coverage = await laboratory.cover(cell, 'glance');
				const gaps = coverage.unseen.filter(({ kind }) => kind === 'process' || kind === 'failed');
				for (const { kind, detail } of gaps) console.error(`${id}: ${kind}: ${detail}`);
				if (gaps.length > 0) continue;
				const loaded = name === AT_START ? [...rows.values()].flat() : [];
				rows.set(
					name,
					packagesRun(coverage).filter((each) => !loaded.includes(each)),
				);
			}
			console.error(`${server.name}: ${rows.size} scenarios`);
			if (rows.size > 0) measured.set(server.name, rows);
		}
	} finally {
		await bench.close();
	}
	const runs = mergeRuns(JSON.parse(readFileSync(FILE, 'utf8')), measured);
	writeFileSync(FILE, `${JSON.stringify(runs, null, '\t')}\n`);
	const direct = catalogue.servers.flatMap(({ name, dependencies }) => (name in runs ? dependencies : []));
	const packages = [...new Set(direct)].toSorted();
	const browser = scenarios.filter(({ groups }) => groups.includes('browser')).map(({ name }) => name);
	writeFileSync(PAGE, fillRuns(readFileSync(PAGE, 'utf8'), runs, packages, scenarioNames, { browser }));
} finally {
	await janitor.close();
}
