/**
 * `node evaluation/impact/main.ts --repositories FOLDER`: which rows real commits can affect. FOLDER has clones of
 * express, fastify and koa. Every commit of commits.txt is compared with its parent, in all cells of `SCENARIOS`.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findCacheFolder } from '../../src/cli/cache-folder.ts';
import { loadCatalogue } from '../../src/config/load-catalogue.ts';
import { resolveConfig } from '../../src/config/resolve-config.ts';
import { findImpact } from '../../src/impact/find-impact.ts';
import { openBench } from '../../src/measure/bench.ts';
import { findNode } from '../../src/measure/find-node.ts';
import type { CoveringLaboratory } from '../../src/measure/laboratory.ts';
import { timingFor } from '../../src/plan/timing.ts';
import { readInstalledTree } from '../../src/prepare/installed-tree.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';
import { startJanitor } from '../../src/process/janitor.ts';
import { installServers } from '../../src/runs/ranking/install-servers.ts';
import { whyAffected } from '../../src/text/impact-words.ts';
import { renderPhrase } from '../../src/text/phrase.ts';
import type { CellCoverage } from '../../src/types/coverage.ts';
import type { ImpactReason } from '../../src/types/impact.ts';
import type { PreparedServer, PreparedSide } from '../../src/types/prepared.ts';
import type { Side } from '../../src/types/units.ts';

/** The group core, and nine more. */
const SCENARIOS = [
	...['auth-get', 'full-pipeline', 'json-post', 'middleware-5', 'param-json', 'ping', 'validate-10'],
	...['conditional-get', 'full-session', 'hello-text', 'json-nested', 'param-query', 'param-text', 'schema-post'],
	...['production-stack', 'serialise'],
];
/** Not packed. */
const LEFT_OUT = ['.github', 'benchmarks', 'build', 'docs', 'examples', 'integration', 'test', 'types', '__tests__'];

const { values } = parseArgs({
	options: { repositories: { type: 'string' }, only: { type: 'string' }, scenario: { type: 'string' } },
});
if (values.repositories === undefined) {
	console.error('Name the folder of the clones: --repositories FOLDER');
	process.exit(2);
}
const repositories = values.repositories;
const scenarios = values.scenario?.split(',') ?? SCENARIOS;
const commits = readFileSync(new URL('commits.txt', import.meta.url), 'utf8')
	.split('\n')
	.filter((line) => line !== '' && !line.startsWith('#'))
	.map((line) => line.split(' ') as [string, string])
	.filter(([name, hash]) => `${name} ${hash}`.includes(values.only ?? ''));
const folder = mkdtempSync(join(tmpdir(), 'impact-'));
const janitor = await startJanitor();
try {
	const tools = { cacheFolder: findCacheFolder(), node: findNode(undefined), janitor };
	const { signal } = new AbortController();
	const names = [...new Set(commits.map(([name]) => name))];
	const catalogue = await loadCatalogue(TOOL_ROOT);
	const flags = { server: names.join(','), scenario: scenarios.join(',') };
	const config = resolveConfig(null, flags, catalogue, () => 1);
	const { prepared } = await installServers(config, () => ({ description: '', direct: [] }), {
		...{ ...tools, cwd: process.cwd(), toolRoot: TOOL_ROOT, signal },
		progress: { step: (text) => console.error(text), status() {} },
	});
	const servers = new Map([...prepared].map(([name, server]) => [name, copyServer(name, server)]));
	const sideOf = (side: Side): PreparedSide => ({
		...{ side, info: { revision: 'copy', kind: 'dir', label: 'copy', versions: {} } },
		servers: Object.fromEntries(servers),
	});
	const bench = await openBench({ ...tools, signal });
	try {
		const laboratory = bench.laboratory({
			config,
			prepared: { sides: { base: sideOf('base'), head: sideOf('head') }, warnings: [], installs: 0 },
			timing: (design) => timingFor({ design }),
		});
		await compareAll(servers, laboratory);
	} finally {
		await bench.close();
	}
} finally {
	rmSync(folder, { recursive: true });
	await janitor.close();
}

async function compareAll(servers: ReadonlyMap<string, PreparedServer>, laboratory: CoveringLaboratory): Promise<void> {
	const [times, shares]: [number[], number[]] = [[], []];
	for (const [name, hash] of commits) {
		const server = servers.get(name);
		if (!server) throw new Error(`${name} is not installed`);
		placePackage(server, name, `${hash}~1`);
		const base = await readInstalledTree(server.root ?? server.cwd);
		const cells = new Map<string, CellCoverage>();
		for (const scenario of scenarios) {
			const cell = { id: scenario, server: name, scenario, threshold: 0.05, tolerance: 0.025 };
			cells.set(scenario, await laboratory.cover(cell, 'glance'));
		}
		placePackage(server, name, hash);
		const head = await readInstalledTree(server.root ?? server.cwd);
		const started = performance.now();
		const impact = findImpact({ base, head, cells });
		times.push(performance.now() - started);
		const reasons = [...impact.cells.values()].filter((reason) => reason !== null);
		shares.push(reasons.length / cells.size);
		const idle = impact.changes.filter((change) => change.cells.length === 0).length;
		console.log(`| ${name} | ${hash} | ${reasons.length} | ${idle} | ${words(reasons[0] ?? null)} |`);
	}
	const none = shares.filter((share) => share === 0).length;
	const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
	const slowest = Math.max(...times).toFixed(0);
	const typical = times.toSorted((a, b) => a - b)[times.length >> 1]?.toFixed(0);
	console.log(`${none} of ${shares.length} commits affect no cell; ${(100 * mean).toFixed(1)} % of cells are affected`);
	console.log(`difference: median ${typical} ms, slowest ${slowest} ms`);
}

function words(reason: ImpactReason | null): string {
	const plain = (text: string) => text;
	return reason ? renderPhrase(whyAffected(reason), { own: plain, code: plain, text: plain, strong: plain }) : '';
}

function copyServer(name: string, server: PreparedServer): PreparedServer {
	const root = join(folder, 'servers');
	const from = server.root ?? server.cwd;
	cpSync(from, join(root, name), { recursive: true, verbatimSymlinks: true });
	const moved = (path: string) => path.replace(from, join(root, name));
	const run = 'argv' in server.run ? { argv: server.run.argv.map(moved) } : server.run;
	return { ...server, root: join(root, name), cwd: moved(server.cwd), run };
}

/** Replaces the package by that of a revision, with dependencies of its own. Keeps files that its build makes. */
function placePackage(server: PreparedServer, name: string, revision: string): void {
	const at = join(server.cwd, 'node_modules', name);
	const built = join(folder, `${name}-dist`);
	if (!existsSync(built) && existsSync(join(at, 'dist'))) cpSync(join(at, 'dist'), built, { recursive: true });
	rmSync(at, { recursive: true, force: true });
	mkdirSync(at);
	const git = (...args: string[]) =>
		execFileSync('git', ['-C', join(repositories, name), ...args], {
			maxBuffer: 1e9,
			stdio: ['ignore', 'pipe', 'inherit'],
		});
	execFileSync('tar', ['-x', '-C', at], { input: git('archive', revision) });
	for (const each of LEFT_OUT) rmSync(join(at, each), { recursive: true, force: true });
	if (existsSync(built)) cpSync(built, join(at, 'dist'), { recursive: true });
	const { dependencies } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as { dependencies?: object };
	cpSync(installed(dependencies ?? {}), join(at, 'node_modules'), { recursive: true, verbatimSymlinks: true });
}

function installed(dependencies: object): string {
	const manifest = JSON.stringify({ private: true, dependencies });
	const at = join(folder, createHash('sha256').update(manifest).digest('hex'));
	if (!existsSync(at)) {
		mkdirSync(at);
		writeFileSync(join(at, 'package.json'), manifest);
		execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'], {
			cwd: at,
			stdio: 'pipe',
		});
		mkdirSync(join(at, 'node_modules'), { recursive: true });
	}
	return join(at, 'node_modules');
}
