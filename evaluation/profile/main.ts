/**
 * `node evaluation/profile/main.ts [--rounds FOLDER] [--only TEXT] [--minutes N]`: which functions do profiles of the
 * planted causes of causes.ts name, and those of rows compared with themselves? Prints the rows of
 * docs/evaluation/data/profiles.jsonl, one a line. Before that it profiles those that the file lacks, and starts none
 * after N minutes (default 0). FOLDER keeps the rounds; a row without a line is judged again from them.
 */
import {
	appendFileSync,
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { readRows } from '../../benchmarks/shared/read-rows.ts';
import { findCacheFolder } from '../../src/cli/measuring.ts';
import { loadCatalogue } from '../../src/config/load-catalogue.ts';
import { resolveConfig } from '../../src/config/resolve-config.ts';
import { openBench } from '../../src/measure/bench.ts';
import type { CoveringLaboratory } from '../../src/measure/laboratory.ts';
import { findNode } from '../../src/measure/machine.ts';
import type { MeasuredProfiles } from '../../src/measure/probe/profile-round.ts';
import { timingFor } from '../../src/plan/timing.ts';
import { readInstalledTree } from '../../src/prepare/installed-tree.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';
import { startJanitor } from '../../src/process/janitor.ts';
import { locatedWords } from '../../src/report/explain/profile-section.ts';
import { profileCell } from '../../src/runs/explain/profile-row.ts';
import { installServers } from '../../src/runs/ranking/install-servers.ts';
import { plainPhrase } from '../../src/text/phrase.ts';
import type { Profile } from '../../src/types/explain/profile.ts';
import type { PreparedServer, PreparedSide } from '../../src/types/prepared.ts';
import type { Seconds, Side, Sides } from '../../src/types/units.ts';
import { CAUSES, type Cause, type Insertion, SAME, SCENARIO, variantOf } from './causes.ts';

const { values } = parseArgs({
	options: {
		...{ rounds: { type: 'string' }, only: { type: 'string', default: '' }, minutes: { type: 'string', default: '0' } },
		profile: { type: 'string' },
	},
});
const kept = values.rounds ?? mkdtempSync(join(tmpdir(), 'profile-rounds-'));
mkdirSync(kept, { recursive: true });
const FILE = new URL('../../docs/evaluation/data/profiles.jsonl', import.meta.url);

interface Item {
	readonly name: string;
	readonly server: string;
	readonly scenario: string;
	readonly cause: Cause | null;
}

interface KeptRounds {
	readonly roots: Sides<string>;
	readonly rounds: readonly MeasuredProfiles[];
	readonly seconds: Seconds;
}

interface JudgedProfile {
	readonly name: string;
	/** The planted function is named first, or nothing where nothing is planted. */
	readonly isNamed: boolean;
	readonly isKind: boolean;
	readonly kind: Profile['cause']['kind'];
	readonly first: string | undefined;
	readonly named: number;
	readonly cost: Profile['cost'];
	readonly flat: Profile['flat'];
	readonly rounds: Profile['rounds'];
	readonly seconds: Seconds;
	readonly words: string;
	readonly frames: number;
	readonly bytes: number;
}

type ProfilingLaboratory = Pick<CoveringLaboratory, 'profile'>;

const items: readonly Item[] = [
	...CAUSES.map((cause) => ({ name: cause.name, server: cause.server, scenario: SCENARIO, cause })),
	...SAME.map(([server, scenario], at) => ({
		name: `same ${server} ${scenario} ${at + 1}`,
		server,
		scenario,
		cause: null,
	})),
];
const named = items.filter(({ name }) => name.includes(values.only));
const fileOf = ({ name }: Item) => join(kept, `${name.replaceAll(' ', '-')}.json.gz`);
const folder = mkdtempSync(join(tmpdir(), 'profile-'));
const janitor = await startJanitor();
const stop = new AbortController();
process.once('SIGINT', () => stop.abort(new Error('interrupted')));
try {
	const until = performance.now() + Number(values.minutes) * 60_000;
	const known = new Map(readRows<JudgedProfile>(fileURLToPath(FILE)).map((row) => [row.name, row]));
	for (const item of named) {
		const isKnown = known.has(item.name);
		if (!isKnown && !existsSync(fileOf(item)) && performance.now() < until) await measure(item);
		const row = known.get(item.name) ?? (existsSync(fileOf(item)) ? await judge(item) : null);
		if (row === null) continue;
		if (!isKnown) appendFileSync(FILE, `${JSON.stringify(row)}\n`);
		console.log(JSON.stringify(row));
	}
} finally {
	if (values.rounds === undefined) rmSync(kept, { recursive: true, force: true });
	rmSync(folder, { recursive: true, force: true });
	await janitor.close();
}

async function measure(item: Item): Promise<void> {
	const { server, scenario } = item;
	const tools = { ...toolsOf(), signal: stop.signal };
	const { config, servers } = await plantBoth(item);
	const sideOf = (side: Side): PreparedSide => ({
		...{ side, info: { revision: side, kind: 'dir', label: side, versions: {} } },
		servers: { [server]: servers[side] },
	});
	const bench = await openBench(tools);
	try {
		const laboratory = bench.laboratory({
			config,
			prepared: { sides: { base: sideOf('base'), head: sideOf('head') }, warnings: [], installs: 0 },
			timing: (design) => timingFor({ design }),
		});
		const rounds: MeasuredProfiles[] = [];
		const keeping: ProfilingLaboratory = {
			async profile(cell, order) {
				const round = await laboratory.profile(cell, order);
				if (!('kind' in round)) rounds.push(round);
				return round;
			},
		};
		const outcome = await profileItem(item, keeping, servers, null);
		if (typeof outcome === 'string') throw new Error(`${server}/${scenario}: ${outcome}`);
		const all: KeptRounds = { roots: rootsOf(servers), rounds, seconds: outcome.seconds };
		writeFileSync(fileOf(item), gzipSync(JSON.stringify(all)));
	} finally {
		await bench.close();
	}
}

async function judge(item: Item): Promise<JudgedProfile> {
	const { name, cause } = item;
	const { roots, rounds, seconds } = JSON.parse(gunzipSync(readFileSync(fileOf(item))).toString()) as KeptRounds;
	const left = [...rounds];
	const replayed: ProfilingLaboratory = {
		profile: async () => left.shift() ?? { kind: 'failed', detail: 'no further round was kept' },
	};
	const { servers } = await plantBoth(item);
	const outcome = await profileItem(item, replayed, servers, roots);
	if (typeof outcome === 'string') throw new Error(`${name}: ${outcome}`);
	const { cause: found, functions, cost, flat, rounds: counts } = outcome;
	const located = found.kind === 'located' ? found.functions : [];
	const first = functions[located[0]?.function ?? -1];
	const isNamed =
		cause?.kind !== 'located'
			? located.length === 0
			: first?.path.endsWith(`node_modules/${cause.file}`) === true &&
				cause.functions.some((each) => first.name.split(' ').at(-1)?.split('.').at(-1) === each);
	if (values.profile) writeFileSync(values.profile, JSON.stringify(outcome));
	return {
		...{ name, isNamed, isKind: found.kind === (cause?.kind ?? 'same-cost'), kind: found.kind },
		...{
			first: first && `${first.path}:${first.line} ${first.name}`,
			named: located.length,
			cost,
			flat,
			rounds: counts,
		},
		...{ seconds, words: plainPhrase(locatedWords(outcome) ?? []), frames: outcome.frames.length },
		bytes: JSON.stringify(outcome).length,
	};
}

async function profileItem(
	item: Item,
	laboratory: ProfilingLaboratory,
	servers: Sides<PreparedServer>,
	measuredIn: Sides<string> | null,
): Promise<Profile | string> {
	const { name, server, scenario } = item;
	const roots = rootsOf(servers);
	const cell = { id: `${server}/${scenario}`, server, scenario, threshold: 0.05, tolerance: 0.025 };
	return await profileCell(laboratory, cell, {
		seed: items.findIndex((each) => each.name === name),
		roots: measuredIn ?? roots,
		trees: { base: await readInstalledTree(roots.base), head: await readInstalledTree(roots.head) },
		secondsLeft: () => Infinity,
	});
}

function rootsOf({ base, head }: Sides<PreparedServer>): Sides<string> {
	return { base: `${base.root ?? base.cwd}/`, head: `${head.root ?? head.cwd}/` };
}

function toolsOf() {
	return { cacheFolder: findCacheFolder(), node: findNode(undefined), janitor };
}

async function plantBoth({ server, scenario, cause }: Item) {
	const config = resolveConfig(null, { server, scenario }, await loadCatalogue(TOOL_ROOT), () => 1);
	const { prepared } = await installServers(config, () => ({ description: '', direct: [] }), {
		...{ ...toolsOf(), cwd: process.cwd(), toolRoot: TOOL_ROOT, signal: stop.signal },
		progress: { step: (text) => console.error(text), status() {} },
	});
	const installed = prepared.get(server);
	if (installed === undefined) throw new Error(`${server} is not installed`);
	return { config, servers: { base: plant(installed, 'base', cause), head: plant(installed, 'head', cause) } };
}

function plant(server: PreparedServer, side: Side, cause: Cause | null): PreparedServer {
	const from = server.root ?? server.cwd;
	// Paths of both sides have equal length.
	const to = join(folder, `${side}-${server.name}`);
	rmSync(to, { recursive: true, force: true });
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
