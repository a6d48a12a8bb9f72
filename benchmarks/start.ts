/**
 * How long does it take until something is measured? From the start of the command line, and of the action, to the
 * first request of load, for a server without packages, at each isolation level; then the time of `benchgate --help`
 * beside an empty Node process. Medians.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { median } from 'simple-statistics';
import { ISOLATION_LEVELS, type IsolationLevel } from '../src/types/isolation.ts';
import { CONFIG, HEADS, type Head, runGit } from '../test/support/act/tiny-framework.ts';
import { startDouble } from '../test/support/github/double.ts';
import { type Commits, knownToGithub, PROGRAMS, type ProgramName, runnerVariables } from './endurance/programs.ts';
import { fillRunFolder, type RunFolder, removeRunFolder } from './endurance/run-folder.ts';

const ROUNDS = 21;
const RUNS = Number(process.argv[2] ?? 5);
const POLL_MS = 5;
/** More than the requests that check answers before any load. */
const LOADED_AT = 200;
const dist = (name: string) => fileURLToPath(new URL(`../dist/${name}`, import.meta.url));

const SERVER = `import { createServer } from 'node:http';
let asked = 0;
const server = createServer((request, response) => {
	if (++asked === ${LOADED_AT}) console.log('load ' + Date.now());
	response.setHeader('content-type', 'application/json');
	response.end('{"ok":true}');
});
server.listen(Number(process.env.PORT), process.env.HOST);
process.on('SIGTERM', () => process.exit(0));
`;

/** A repository like that of the tiny framework, whose server prints when it is loaded. */
function makeRepository(folder: string): Commits {
	mkdirSync(join(folder, 'bench'), { recursive: true });
	runGit(folder, 'init', '--quiet', '--initial-branch=main');
	const commit = (name: string, text: string) => {
		writeFileSync(join(folder, name), text);
		runGit(folder, 'add', '--all');
		runGit(folder, 'commit', '--quiet', '--message', name);
		return runGit(folder, 'rev-parse', 'HEAD');
	};
	commit('benchgate.yml', CONFIG.replace(/^prepare:.*\n/m, ''));
	const base = commit('bench/server.mjs', SERVER);
	const head = commit('bench/head.mjs', '// head');
	const all = (sha: string) => Object.fromEntries(HEADS.map((name) => [name, sha])) as Record<Head, string>;
	return { folder, base, tip: base, heads: all(head), merges: all(head) };
}

interface Steps {
	readonly toLoad: number;
	/** Milliseconds until a line of the log began with these words. */
	readonly at: ReadonlyMap<string, number>;
}

const LINES = ['Resolving revisions', 'Checking the answers'] as const;

async function timeToLoad(root: string, commits: Commits, program: ProgramName, level: IsolationLevel): Promise<Steps> {
	const path = mkdtempSync(join(root, 'run-'));
	chmodSync(path, 0o755);
	const folder = fillRunFolder(path, commits, commits.merges.equal);
	const double = await startDouble(knownToGithub(commits, 'equal'));
	const job = { folder, tiny: commits, head: 'equal', level, id: 1 } as const;
	const args = [
		'compare',
		'--base',
		commits.base,
		'--head',
		commits.heads.equal,
		'--isolation',
		level,
		'--skip-unaffected',
		'false',
	];
	const began = Date.now();
	const child = spawn(process.execPath, program === 'compare' ? [dist('cli.js'), ...args] : [dist('action.js')], {
		cwd: folder.work,
		stdio: ['ignore', 'ignore', 'pipe'],
		env: {
			PATH: process.env.PATH,
			...{ HOME: folder.home, TMPDIR: folder.temporary, BENCHGATE_CACHE: folder.cache },
			...(program === 'action' && runnerVariables(job, double.url)),
		},
	});
	const at = new Map<string, number>();
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		for (const line of LINES) if (!at.has(line) && text.includes(line)) at.set(line, Date.now() - began);
	});
	const exited = once(child, 'exit');
	// The action first loads base to see which code a row runs.
	const findMeasured = () => findLoad(folder, began + (at.get('Checking the answers') ?? Infinity));
	let loadedAt = findMeasured();
	while (loadedAt === null && child.exitCode === null) {
		await delay(POLL_MS);
		loadedAt = findMeasured();
	}
	child.kill('SIGINT');
	await exited;
	await double.close();
	removeRunFolder(folder);
	if (loadedAt === null) throw new Error(`${program} at ${level} ended without any load`);
	return { toLoad: loadedAt - began, at };
}

/** First time after `earliest` at which a server was loaded, from its output. */
function findLoad({ cache }: RunFolder, earliest: number): number | null {
	try {
		const logs = readdirSync(join(cache, 'logs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
			name.endsWith('.log'),
		);
		const times = logs
			.flatMap((name) => /^load (\d+)$/m.exec(readFileSync(join(cache, 'logs', name), 'utf8'))?.[1] ?? [])
			.map(Number)
			.filter((time) => time > earliest);
		return times.length === 0 ? null : Math.min(...times);
	} catch {
		// Not there yet, or removed.
		return null;
	}
}

async function printStarts(): Promise<void> {
	const root = mkdtempSync(join(tmpdir(), 'benchgate-start-'));
	chmodSync(root, 0o755);
	try {
		const commits = makeRepository(join(root, 'repository'));
		console.log(`milliseconds from the start, medians of ${RUNS}`);
		console.log(['program', 'isolation', ...LINES, 'first load'].join(' | '));
		for (const program of PROGRAMS) {
			for (const level of ISOLATION_LEVELS) {
				const runs: Steps[] = [];
				for (let run = 0; run < RUNS; run++) runs.push(await timeToLoad(root, commits, program, level));
				const steps = LINES.map((line) => median(runs.map(({ at }) => at.get(line) ?? Number.NaN)));
				console.log([program, level, ...steps, median(runs.map(({ toLoad }) => toLoad))].join(' | '));
			}
		}
	} finally {
		rmSync(root, { recursive: true, force: true });
	}
}

function time(args: readonly string[]): number {
	const start = performance.now();
	const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
	if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}`);
	return performance.now() - start;
}

function printHelp(): void {
	const empty: number[] = [];
	const help: number[] = [];
	for (let round = 0; round < ROUNDS; round++) {
		empty.push(time(['-e', '']));
		help.push(time([dist('cli.js'), '--help']));
	}
	const ratio = median(help.map((one, index) => one / (empty[index] ?? Number.NaN)));
	console.log(
		`empty Node process ${median(empty).toFixed(0)} ms, benchgate --help ${median(help).toFixed(0)} ms (medians of ${ROUNDS}, in turn)`,
	);
	console.log(`ratio ${ratio.toFixed(2)} (median of pairs; aim: at most 3)`);
}

await printStarts();
printHelp();
