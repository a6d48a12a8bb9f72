/**
 * `node evaluation/profile/main.ts --out FILE [--only TEXT]`: profiles the next planted cause of causes.ts, or server
 * compared with itself, that FILE lacks, and adds its line of JSON; `--all` goes on to the last.
 */
import { appendFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findCacheFolder } from '../../src/cli/cache-folder.ts';
import { loadCatalogue } from '../../src/config/load-catalogue.ts';
import { resolveConfig } from '../../src/config/resolve-config.ts';
import { openBench } from '../../src/measure/bench.ts';
import { findNode } from '../../src/measure/find-node.ts';
import { timingFor } from '../../src/plan/timing.ts';
import { readInstalledTree } from '../../src/prepare/installed-tree.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';
import { startJanitor } from '../../src/process/janitor.ts';
import { locatedWords } from '../../src/report/explain/profile-section.ts';
import { profileCell } from '../../src/runs/explain/profile-row.ts';
import { installServers } from '../../src/runs/ranking/install-servers.ts';
import { plainPhrase } from '../../src/text/phrase.ts';
import type { PreparedServer, PreparedSide } from '../../src/types/prepared.ts';
import type { Side } from '../../src/types/units.ts';
import { CAUSES, type Cause, type Insertion, SAME, SCENARIO, variantOf } from './causes.ts';

const { values } = parseArgs({
	options: {
		...{ out: { type: 'string' }, only: { type: 'string', default: '' }, all: { type: 'boolean', default: false } },
		profile: { type: 'string' },
	},
});
const { out } = values;
if (out === undefined) {
	console.error('Name the file of results: --out FILE');
	process.exit(2);
}

interface Item {
	readonly name: string;
	readonly server: string;
	readonly cause: Cause | null;
}

const items: readonly Item[] = [
	...CAUSES.map((cause) => ({ name: cause.name, server: cause.server, cause })),
	...SAME.map((server, at) => ({ name: `same ${server} ${at + 1}`, server, cause: null })),
];
const done = new Set(
	(existsSync(out) ? readFileSync(out, 'utf8') : '')
		.split('\n')
		.filter((line) => line !== '')
		.map((line) => (JSON.parse(line) as { readonly name: string }).name),
);
const left = items.filter(({ name }) => !done.has(name) && name.includes(values.only));
const folder = mkdtempSync(join(tmpdir(), 'profile-'));
const janitor = await startJanitor();
try {
	for (const item of values.all ? left : left.slice(0, 1)) await measure(item);
} finally {
	rmSync(folder, { recursive: true, force: true });
	await janitor.close();
}

async function measure({ name, server, cause }: Item): Promise<void> {
	const tools = { cacheFolder: findCacheFolder(), node: findNode(undefined), janitor };
	const { signal } = new AbortController();
	const config = resolveConfig(null, { server, scenario: SCENARIO }, await loadCatalogue(TOOL_ROOT), () => 1);
	const { prepared } = await installServers(config, () => ({ description: '', direct: [] }), {
		...{ ...tools, cwd: process.cwd(), toolRoot: TOOL_ROOT, signal },
		progress: { step: (text) => console.error(text), status() {} },
	});
	const installed = prepared.get(server);
	if (installed === undefined) throw new Error(`${server} is not installed`);
	const servers = { base: plant(installed, 'base', cause), head: plant(installed, 'head', cause) };
	const sideOf = (side: Side): PreparedSide => ({
		...{ side, info: { revision: side, kind: 'dir', label: side, versions: {} } },
		servers: { [server]: servers[side] },
	});
	const bench = await openBench({ ...tools, signal });
	try {
		const laboratory = bench.laboratory({
			config,
			prepared: { sides: { base: sideOf('base'), head: sideOf('head') }, warnings: [], installs: 0 },
			timing: (design) => timingFor({ design }),
		});
		const rootOf = (side: Side) => servers[side].root ?? servers[side].cwd;
		const cell = { id: `${server}/${SCENARIO}`, server, scenario: SCENARIO, threshold: 0.05, tolerance: 0.025 };
		const outcome = await profileCell(laboratory, cell, {
			seed: items.findIndex((item) => item.name === name),
			roots: { base: `${rootOf('base')}/`, head: `${rootOf('head')}/` },
			trees: { base: await readInstalledTree(rootOf('base')), head: await readInstalledTree(rootOf('head')) },
			secondsLeft: () => Infinity,
		});
		if (typeof outcome === 'string') throw new Error(outcome);
		const { cause: found, functions, cost, flat, rounds, seconds } = outcome;
		const named = found.kind === 'located' ? found.functions : [];
		const first = functions[named[0]?.function ?? -1];
		const isNamed =
			cause?.kind !== 'located'
				? named.length === 0
				: first?.path.endsWith(`node_modules/${cause.file}`) === true &&
					cause.functions.some((each) => first.name.split(' ').at(-1)?.split('.').at(-1) === each);
		const row = {
			...{ name, isNamed, isKind: found.kind === (cause?.kind ?? 'same-cost'), kind: found.kind },
			...{ first: first && `${first.path}:${first.line} ${first.name}`, named: named.length, cost, flat, rounds },
			...{ seconds, words: plainPhrase(locatedWords(outcome) ?? []), frames: outcome.frames.length },
			bytes: JSON.stringify(outcome).length,
		};
		if (values.profile) writeFileSync(values.profile, JSON.stringify(outcome));
		console.log(JSON.stringify(row, null, 2));
		appendFileSync(out as string, `${JSON.stringify(row)}\n`);
	} finally {
		await bench.close();
	}
}

function plant(server: PreparedServer, side: Side, cause: Cause | null): PreparedServer {
	const from = server.root ?? server.cwd;
	// Paths of both sides have equal length.
	const to = join(folder, `${side}-${server.name}`);
	cpSync(from, to, { recursive: true, verbatimSymlinks: true });
	const moved = (path: string) => path.replace(from, to);
	const run = 'argv' in server.run ? { argv: server.run.argv.map(moved) } : server.run;
	const insertions = cause ? [...variantOf(cause, side), ...cause.both, ...(side === 'head' ? cause.head : [])] : [];
	for (const insertion of insertions) insert(join(moved(server.cwd), 'node_modules', insertion.file), insertion);
	return { ...server, root: to, cwd: moved(server.cwd), run };
}

function insert(file: string, { after, code }: Insertion): void {
	const text = readFileSync(file, 'utf8');
	const at = after === null ? text.length : text.indexOf(after) + after.length;
	if (after !== null && !text.includes(after)) throw new Error(`${file} has no ${after}`);
	// The store may share the file with other installations.
	rmSync(file);
	writeFileSync(file, `${text.slice(0, at)}${code}${text.slice(at)}`);
}
