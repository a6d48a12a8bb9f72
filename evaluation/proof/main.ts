/**
 * `node evaluation/proof/main.ts [--past] [--only TEXT] [--repositories FOLDER --minutes N]`: is the right piece named
 * and proven? Prints a table of the planted causes of causes.ts and services.ts, or of the slowdowns of past.ts with
 * `--past`. Before that it compares and proves those that docs/evaluation/data/proofs.jsonl lacks, and starts none
 * after N minutes (default 0). FOLDER has clones, which get a detached commit for each planted cause, and gets the
 * services.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { markdownTable } from 'markdown-table';
import { readRows } from '../../benchmarks/shared/read-rows.ts';
import { findCacheFolder } from '../../src/cli/measuring.ts';
import { parseConfig } from '../../src/config/file/parse-config.ts';
import { loadCatalogue } from '../../src/config/load-catalogue.ts';
import { resolveConfig } from '../../src/config/resolve-config.ts';
import { isInstalledAs } from '../../src/explain/place-in-diff.ts';
import { packageOf } from '../../src/impact/exercised.ts';
import { summarise } from '../../src/judge/summarise.ts';
import { findNode } from '../../src/measure/machine.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';
import { startJanitor } from '../../src/process/janitor.ts';
import { whyOf } from '../../src/report/explain/why.ts';
import { explainRun } from '../../src/runs/explain/explain-run.ts';
import { runComparison } from '../../src/runs/run-comparison.ts';
import { formatChange, formatDuration, formatInterval, formatPercent, NONE } from '../../src/text/numbers.ts';
import type { Phrase } from '../../src/text/phrase.ts';
import type { Proof, ProofPiece } from '../../src/types/explain/proof.ts';
import type { Explanation } from '../../src/types/explain.ts';
import type { MetricName } from '../../src/types/metric.ts';
import { startPostgres } from '../../test/support/servers/postgres.ts';
import { PLANTED_CAUSES, type PlantedCause } from './causes.ts';
import { PAST_REGRESSIONS } from './past.ts';
import { SERVICE_CASES, type ServiceCase } from './services.ts';

const EXPLAIN_SECONDS = 300;

/** First and last line of the slow code in head. */
type Place = readonly [path: string, first: number, last: number];

interface Case {
	readonly name: string;
	readonly repository: string;
	readonly base: string;
	readonly head: string;
	/** Of a service. */
	readonly config?: string;
	readonly server?: string;
	readonly scenario?: string;
	/** Places, or the name of a package. */
	readonly expected: readonly Place[] | string;
	/** The planted one, or the name of a package; unknown in the past. */
	readonly function?: string;
	readonly close?: () => Promise<void>;
}

const LAST_LINE = 1_000_000;

interface Tried {
	readonly name: string;
	/** Change of head in the comparison. */
	readonly change: number | null;
	/** By which the row was decided; the earliest results lack it. */
	readonly metric?: MetricName | null;
	readonly verdict: string;
	readonly expected: readonly Place[] | string;
	readonly function?: string;
	/** The explanation's first function or package, and its place; earlier results lack it. */
	readonly named?: { readonly name: string | null; readonly path: string; readonly line: number } | null;
	readonly proof: Proof | null;
	readonly notes: readonly string[];
}

const { values } = parseArgs({
	options: {
		repositories: { type: 'string' },
		only: { type: 'string' },
		minutes: { type: 'string', default: '0' },
		past: { type: 'boolean' },
	},
});
const { repositories = '', only = '', past = false, minutes } = values;
if (repositories === '' && Number(minutes) > 0) {
	console.error('Name the folder of the clones: --repositories FOLDER');
	process.exit(2);
}
/** Slowdowns of the past are smaller than planted ones. */
const comparisonBudget = past ? '2m' : '40s';
const FILE = new URL('../../docs/evaluation/data/proofs.jsonl', import.meta.url);
const until = performance.now() + Number(minutes) * 60_000;
const known = new Map(readRows<Tried>(fileURLToPath(FILE)).map((tried) => [tried.name, tried]));
const all = past ? PAST_REGRESSIONS : [...PLANTED_CAUSES, ...SERVICE_CASES];
const rows: (readonly string[])[] = [];
for (const one of all.filter(({ name }) => name.includes(only))) {
	const tried = known.get(one.name) ?? (performance.now() < until ? await tryCase(await readCase(one)) : null);
	if (tried === null) continue;
	if (!known.has(one.name)) appendFileSync(FILE, `${JSON.stringify(tried)}\n`);
	rows.push(cellsOf(tried));
}
const columns = ['cause', 'change', 'parts', 'result', 'of the loss', 'head without it', 'names first', 'time'];
console.log(markdownTable([columns, ...rows].map((row) => [...row])));

async function readCase(one: (typeof all)[number]): Promise<Case> {
	if ('write' in one) return await writeService(one);
	return 'plant' in one ? plant(one) : { ...one, expected: one.expected.map(wholeFile) };
}

async function writeService({ name, expected, needsPostgres, write, ...one }: ServiceCase): Promise<Case> {
	const scope = new AsyncDisposableStack();
	const postgres = needsPostgres
		? await startPostgres({ after: (work) => scope.defer(async () => void (await work())) })
		: null;
	const config = write(join(repositories, name), postgres?.port ?? 0);
	return {
		...{ name, repository: name, base: 'base', head: 'head', config, function: one.function },
		expected: typeof expected === 'string' ? expected : expected.map(wholeFile),
		close: () => scope.disposeAsync(),
	};
}

function wholeFile(path: string): Place {
	return [path, 1, LAST_LINE];
}

async function tryCase({ name, expected, head, base, server, scenario, ...one }: Case): Promise<Tried> {
	const planted = one.function === undefined ? {} : { function: one.function };
	const repository = join(repositories, one.repository);
	const janitor = await startJanitor();
	try {
		const catalogue = await loadCatalogue(TOOL_ROOT);
		const file = one.config === undefined ? null : parseConfig(one.config, 'benchgate.yml', catalogue);
		const flags = { ...(server && { server }), ...(scenario && { scenario }), budget: comparisonBudget };
		const config = resolveConfig(file, flags, catalogue, () => 1);
		let explanation: Explanation | null = null as Explanation | null;
		const raw = await runComparison({
			...{ config, revisions: { base: `git:${base}`, head: `git:${head}` }, cwd: repository },
			...{ cacheFolder: findCacheFolder(), node: findNode(undefined), janitor, reproduce: '' },
			progress: { step: (text) => console.error(text), status: (text) => console.error(text) },
			signal: new AbortController().signal,
			keep: async () => {},
			async afterwards(measured, pair, prepared) {
				const options = {
					policy: 'always',
					budgetSeconds: EXPLAIN_SECONDS,
					prove: 'always',
					profile: 'never',
				} as const;
				explanation = await explainRun(measured, pair, prepared, options);
			},
		});
		const [row] = summarise(raw).cells;
		const [explained] = explanation?.rows ?? [];
		const { proof = null, notes = [] } = explained ?? {};
		const named = explained ? namedFirst(whyOf(explained)) : null;
		const { change = null, judgedBy: metric = null, verdict = 'none' } = row ?? {};
		return { name, change, metric, verdict, expected, ...planted, named, proof, notes };
	} finally {
		await one.close?.();
		await janitor.close();
	}
}

function namedFirst(why: Phrase): NonNullable<Tried['named']> | null {
	const codes = why.flatMap((piece) => (typeof piece === 'object' && 'code' in piece ? [piece] : []));
	const { path = '', line = 0 } = codes.find(({ at }) => at)?.at ?? {};
	const [first] = codes;
	return first ? { name: first.at ? null : first.code, path, line } : null;
}

/** Commits the release with the cause, without touching the work tree. */
function plant({ head, file, find, plant: planted, ...cause }: PlantedCause): Case {
	const repository = join(repositories, cause.repository);
	const scratch = mkdtempSync(join(tmpdir(), 'planted-'));
	const git = (args: readonly string[], input?: string) =>
		execFileSync('git', ['-C', repository, ...args], {
			...{ input, encoding: 'utf8', maxBuffer: 1e9 },
			env: {
				...process.env,
				GIT_INDEX_FILE: join(scratch, 'index'),
				...{ GIT_AUTHOR_NAME: 'planted', GIT_AUTHOR_EMAIL: 'p@example.com', GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z' },
				...{
					GIT_COMMITTER_NAME: 'planted',
					GIT_COMMITTER_EMAIL: 'p@example.com',
					GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
				},
			},
		}).trim();
	try {
		const text = execFileSync('git', ['-C', repository, 'show', `${head}:${file}`], { encoding: 'utf8' });
		const parts = text.split(find);
		if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} places for the cause`);
		const [before = '', after = ''] = parts;
		const same = [...planted].findIndex((letter, at) => letter !== find[at]);
		const first = `${before}${planted.slice(0, same)}`.split('\n').length;
		const last = `${before}${planted}`.split('\n').length - 1;
		git(['read-tree', head]);
		const blob = git(['hash-object', '-w', '--stdin'], before + planted + after);
		git(['update-index', '--cacheinfo', `100644,${blob},${file}`]);
		const tree = git(['write-tree']);
		return {
			...cause,
			server: cause.server ?? cause.repository,
			head: git(['commit-tree', tree, '-p', `${head}^{commit}`, '-m', 'planted']),
			expected: [[file, first, last]],
		};
	} finally {
		rmSync(scratch, { recursive: true });
	}
}

function percent(value: number | null | undefined): string {
	return value == null ? NONE : formatChange(value);
}

/** Cause, change, parts, result, share with its interval, head without it, function that is named, time. */
function cellsOf(tried: Tried): readonly string[] {
	const { name, change, verdict, expected, named, proof, notes } = tried;
	const [carrier] = proof?.carriers ?? [];
	const isRight = carrier?.pieces.some((piece) =>
		typeof expected === 'string' ? piece.package?.name === expected : isPlanted(piece, expected),
	);
	const pieces = carrier?.pieces.map((piece) => piece.package?.name ?? `${piece.path}:${piece.line}`).join(', ');
	const found = pieces ?? proof?.because ?? notes.join(' ').replace(/^Nothing was proven: /, '');
	const companions = carrier?.companions.length ?? 0;
	const result = isRight ? 'right' : carrier ? '**wrong**' : 'nothing proven';
	return [
		name,
		`${percent(change)}${verdict === 'regressed' ? '' : `, ${verdict}`}`,
		`${proof?.pieces ?? NONE}`,
		`${result}${found === '' ? '' : `: ${found}`}${companions > 0 ? ` and ${companions} with it` : ''}`,
		carrier ? formatPercent(carrier.share, 0) : NONE,
		carrier?.without ? `${percent(carrier.without.change)} ${formatInterval(carrier.without.interval)}` : NONE,
		`${named?.name ?? NONE}${isNamed(tried) ? '' : ' (**wrong**)'}`,
		proof ? formatDuration(proof.seconds) : NONE,
	];
}

/** Whether the planted function is named first, or one that the cause brings, or the package with it. */
function isNamed({ named, expected, ...tried }: Tried): boolean {
	if (tried.function === undefined) return true;
	if (!named?.name) return false;
	if (typeof expected === 'string') return named.name === expected || packageOf(named.path) === expected;
	return named.name?.split(/[ .]/).at(-1) === tried.function || isPlanted({ ...named, lines: 1 }, expected);
}

function isPlanted(code: Pick<ProofPiece, 'path' | 'line' | 'lines'>, places: readonly Place[]): boolean {
	return places.some(
		([path, first, last]) =>
			isInstalledAs(path, code.path) && (code.line === 0 || (code.line <= last && code.line + code.lines > first)),
	);
}
