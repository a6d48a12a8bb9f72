/**
 * Runs test files in parallel: `*.test.ts`, or with `--slow` `*.slow.test.ts`; with arguments only these files. Files
 * that wait for real servers start first, so that the last to end are short. A slow file that fails runs once more,
 * alone; if its tests are independent, only those that failed.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SLOW = '.slow.test.ts';
/**
 * For two CPUs. Most tests wait, the slow ones more: for processes, registries and windows of a fixed length. More
 * files at once slow their servers down, but the tests take no longer and their assertions still hold.
 */
const FILES_AT_ONCE = { usual: 3, slow: 6 } as const;
/** Long files, longest first: whole names from the list printed at the end of a run, then folders. */
export const FIRST = [
	'test/servers/contract',
	'test/attacks/reach.slow',
	'test/attacks/gate.slow',
	'test/e2e/services/tutorials.slow',
	'test/prepare/build/managers.slow',
	'test/attacks/answer.slow',
	'test/prepare/build/tools.slow',
	'test/attacks/build.slow',
	'test/attacks/starve.slow',
	'test/e2e/machine/isolation.slow',
	'test/e2e/bisect.slow',
	'test/runs/baseline/run-baseline.slow',
	'test/act/cache.slow',
	'test/e2e/harness.slow',
	'test/attacks/output.slow',
	'test/e2e/selftest',
	'test/e2e/judge',
	'test/servers/',
	'test/act/',
	'test/e2e/',
	'test/runs/',
	'test/isolation/',
	'test/site/',
	'test/store/',
	'test/prepare/',
	'test/simulation/',
	'test/measure/',
	'test/evaluation/',
];

/** Node's compile cache: without it every test file and every process it starts compiles our sources again. */
const COMPILED = join(ROOT, 'node_modules/.cache/compiled');
/**
 * Folders whose tests compute, or use a double of GitHub in their own process. The files of a group share one process:
 * starting Node, loading our sources and compiling schemas takes longer than most of these files.
 */
export const TOGETHER: readonly (readonly string[])[] = [
	[
		...['action/modes', 'action/publish', 'action/receive', 'action/request', 'action/rules', 'action/secrets'],
		...['action/services', 'action/shards', 'github'],
	],
	// These start git hundreds of times, which takes ten times as long from a process of 600 MB (fork copies its page table).
	['action/commits', 'action/config', 'action/record'],
	['docs', 'formats', 'judge', 'plan', 'rank', 'stats', 'trend'],
	['benchmarks', 'cli', 'config', 'evaluation', 'explain', 'init', 'inject', 'report', 'text'],
	['measure/answers', 'measure/generator', 'measure/lanes', 'runs', 'site'],
	['isolation', 'prepare/content', 'prepare/package', 'prepare/revision', 'process', 'store'],
].map((folders) => folders.map((folder) => `test/${folder}/`));
/** A file that changes its process, starts others or cleans up after all tests needs a process to itself. */
const EFFECTS =
	/enterOwnNetwork|setFlagsFromString|process\.(?:env|chdir|exit|on)\b|globalThis|\bmock\b|child_process|(?<!\.)\b(?:before|after)(?:Each)?\(/;
/** Generated modules that import the files of a group. */
const GATHERED = join(ROOT, 'node_modules/.cache/tests');
/** Number of slowest files listed at the end. */
const NAMED_FILES = 12;

/** Tests of waiting and latency fail while other tests use the CPUs: these run afterwards, one at a time. */
const ALONE = [
	'test/e2e/waiting/waiting.slow.test.ts',
	'test/measure/metrics.slow.test.ts',
	'test/e2e/selftest.slow.test.ts',
];

/** Files of several minutes with independent tests. */
const APART = [
	'test/attacks/',
	'test/act/',
	'test/e2e/machine/isolation.slow',
	'test/e2e/services/tutorials.slow',
	'test/isolation/',
	'test/measure/connections/',
	'test/prepare/build/',
];

/** Returns the test files of one half in starting order, as paths from the root. */
export function listTests(half: 'usual' | 'slow'): string[] {
	const files = globSync('test/**/*.test.ts', { cwd: ROOT }).sort();
	const placeOf = (file: string) => {
		const place = FIRST.findIndex((prefix) => file.startsWith(prefix));
		return place < 0 ? FIRST.length : place;
	};
	return files.filter((file) => file.endsWith(SLOW) === (half === 'slow')).sort((a, b) => placeOf(a) - placeOf(b));
}

/** Returns the named test files in starting order. Throws if one is not in this half. */
export function chooseTests(named: readonly string[], half: 'usual' | 'slow'): string[] {
	const files = listTests(half);
	if (named.length === 0) return files;
	const wanted = named.map((name) => relative(ROOT, resolve(name)));
	const unknown = wanted.find((file) => !files.includes(file));
	if (unknown === undefined) return files.filter((file) => wanted.includes(file));
	const other = listTests(half === 'slow' ? 'usual' : 'slow').includes(unknown);
	const flag = half === 'slow' ? 'without --slow' : 'with --slow';
	throw new Error(other ? `${unknown} runs ${flag}` : `there is no test file ${unknown}`);
}

/** Returns the group in whose process a file runs; -1 for a separate process. */
export function groupOf(file: string): number {
	const group = TOGETHER.findIndex((folders) => folders.some((folder) => file.startsWith(folder)));
	return file.endsWith(SLOW) || group < 0 || EFFECTS.test(readFileSync(join(ROOT, file), 'utf8')) ? -1 : group;
}

/** Returns the paths to run; one generated module replaces the files of a group. */
function gather(files: readonly string[]): string[] {
	mkdirSync(GATHERED, { recursive: true });
	const groups = Map.groupBy(files, groupOf);
	const shared = TOGETHER.flatMap((_, group) => {
		const imports = groups.get(group)?.map((file) => `import ${JSON.stringify(pathToFileURL(join(ROOT, file)))};\n`);
		if (imports === undefined) return [];
		const path = join(GATHERED, `together-${group}.mjs`);
		writeFileSync(path, imports.join(''));
		return [path];
	});
	return [...shared, ...(groups.get(-1) ?? []).map((file) => join(ROOT, file))];
}

interface Failed {
	/** Paths from the root; all files of the run if the failed ones are unknown. */
	readonly files: readonly string[];
	/** Of top-level tests. */
	readonly names: readonly string[];
}

/** Runs test files, or only the tests of these names, prints their output, and returns the failures. */
async function runTests(files: readonly string[], atOnce: number, only?: readonly string[]): Promise<Failed> {
	if (files.length === 0) return { files: [], names: [] };
	const failed = new Set<string>();
	const names = new Set<string>();
	const seconds: (readonly [string, number])[] = [];
	let passed = false;
	const testNamePatterns = only?.map((name) => `^${name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`);
	const before = countCpu();
	const tests = run({ files: gather(files), concurrency: atOnce, ...(testNamePatterns && { testNamePatterns }) });
	const addFailed = (file = '') => void failed.add(relative(ROOT, file));
	// A file that ended early has no summary; a test that a helper registers has the helper's name.
	tests.on('test:fail', ({ file, name, nesting }) => {
		addFailed(file);
		if (nesting === 0) names.add(name);
	});
	tests.on('test:summary', ({ file, success, counts, duration_ms: ms }) => {
		if (file === undefined) passed = success;
		else seconds.push([relative(ROOT, file), ms / 1000]);
		if (file !== undefined && (!success || (only && counts.passed === 0))) addFailed(file);
	});
	await pipeline(tests.compose(spec), process.stdout, { end: false });
	printLongest(seconds);
	printBusy(before);
	const failures = files.filter((file) => failed.has(file));
	return { files: passed || failures.length > 0 ? failures : files, names: [...names] };
}

/** Runs failed files or tests once more, one file at a time, and returns the files that failed again. */
async function runAgain({ files, names }: Failed): Promise<readonly string[]> {
	// For a file that ended early the name of the failure is its path.
	const isApart = (file: string) =>
		APART.some((prefix) => file.startsWith(prefix)) && !names.some((name) => name.includes(file));
	const whole = await runTests(
		files.filter((file) => !isApart(file)),
		1,
	);
	const parts = await runTests(files.filter(isApart), 1, names);
	return [...whole.files, ...parts.files];
}

/** Prints the slowest files, in seconds with other files running beside them. */
function printLongest(seconds: readonly (readonly [string, number])[]): void {
	const longest = [...seconds].sort(([, a], [, b]) => b - a).slice(0, NAMED_FILES);
	console.log('\nWhat took longest:');
	for (const [file, took] of longest) console.log(`${took.toFixed(1).padStart(7)} s  ${file}`);
}

/** Milliseconds since boot, summed over all CPUs: total and idle. */
function countCpu(): { readonly all: number; readonly idle: number } {
	const times = cpus().map((cpu) => cpu.times);
	const sum = (of: (one: (typeof times)[number]) => number) => times.reduce((total, one) => total + of(one), 0);
	return {
		all: sum(({ user, nice, sys, idle, irq }) => user + nice + sys + idle + irq),
		idle: sum(({ idle }) => idle),
	};
}

/** Prints how busy the CPUs were; idle CPUs mean that more files at once would be faster. */
function printBusy(before: ReturnType<typeof countCpu>): void {
	const after = countCpu();
	const all = after.all - before.all;
	const busy = all === 0 ? 0 : 1 - (after.idle - before.idle) / all;
	console.log(`\nCPUs were busy for ${(100 * busy).toFixed(0)} % of ${(all / 1000 / cpus().length).toFixed(0)} s.`);
}

if (import.meta.main) {
	process.env.NODE_COMPILE_CACHE ??= COMPILED;
	// Our lockfiles have no URLs, so npm would ask the registry again for packages that an earlier test has fetched.
	process.env.npm_config_prefer_offline ??= 'true';
	// A run that ends early has failed.
	process.exitCode = 1;
	const { values, positionals } = parseArgs({ options: { slow: { type: 'boolean' } }, allowPositionals: true });
	const half = values.slow ? 'slow' : 'usual';
	const files = chooseTests(positionals, half);
	const alone = files.filter((file) => ALONE.includes(file));
	const beside = files.filter((file) => !alone.includes(file));
	const ran = [await runTests(beside, FILES_AT_ONCE[half]), await runTests(alone, 1)];
	let failed = ran.flatMap(({ files }) => files);
	// Slow tests measure real servers: a file that failed, perhaps on a busy machine, runs again alone, and is reported.
	if (half === 'slow' && failed.length > 0) {
		console.log(`\nOnce more, one at a time: ${failed.join(', ')}`);
		const again = await runAgain({ files: failed, names: ran.flatMap(({ names }) => names) });
		for (const file of failed.filter((one) => !again.includes(one))) console.log(`Failed once, then passed: ${file}`);
		failed = [...again];
	}
	if (failed.length === 0) process.exitCode = 0;
}
