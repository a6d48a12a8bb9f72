/**
 * `node evaluation/impact/main.ts --repositories FOLDER`: which rows real commits can affect. FOLDER has clones of
 * express, fastify and koa. Every commit of commits.txt is compared with its parent, in all cells of `SCENARIOS`.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findImpact } from '../../src/impact/find-impact.ts';
import { readInstalledTree } from '../../src/prepare/installed-tree.ts';
import { whyAffected } from '../../src/text/impact-words.ts';
import { renderPhrase } from '../../src/text/phrase.ts';
import type { CellCoverage } from '../../src/types/coverage.ts';
import type { ImpactReason } from '../../src/types/impact.ts';
import type { PreparedServer } from '../../src/types/prepared.ts';
import { type CopiedServers, withServers } from './with-servers.ts';

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
const names = [...new Set(commits.map(([name]) => name))];
await withServers(names, scenarios, compareAll);

async function compareAll({ servers, folder, cover }: CopiedServers): Promise<void> {
	const [times, shares]: [number[], number[]] = [[], []];
	for (const [name, hash] of commits) {
		const server = servers.get(name);
		if (!server) throw new Error(`${name} is not installed`);
		placePackage(folder, server, name, `${hash}~1`);
		const base = await readInstalledTree(server.root ?? server.cwd);
		const cells = new Map<string, CellCoverage>();
		for (const scenario of scenarios) cells.set(scenario, await cover(name, scenario, 'glance'));
		placePackage(folder, server, name, hash);
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
	const why = reason && whyAffected(reason);
	return why ? renderPhrase(why, { own: plain, code: plain, text: plain, strong: plain }) : '';
}

/** Replaces the package by a revision with its dependencies. Keeps files that its build makes. */
function placePackage(folder: string, server: PreparedServer, name: string, revision: string): void {
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
	cpSync(installed(folder, dependencies ?? {}), join(at, 'node_modules'), { recursive: true, verbatimSymlinks: true });
}

function installed(folder: string, dependencies: object): string {
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
