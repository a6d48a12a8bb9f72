/**
 * Runs the tests, some files at a time: `*.test.ts`, or with `--slow` the `*.slow.test.ts`; if files are named, these and no others.
 * What waits for real servers begins first, so that the last to end are short. A slow file that fails runs once more, alone; of one whose tests know nothing of each other,
 * those that failed.
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
 * On two CPUs: most tests wait for something, the slow ones more, for processes, registries and windows of a fixed length. What they
 * load is slower with more beside it, and takes no longer; what is asserted of it holds all the same.
 */
const FILES_AT_ONCE = { usual: 3, slow: 6 } as const;
/** Where the long files are, longest first: those that are named whole by what is printed at the end of a run, then whole folders. */
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

/** Where Node keeps our sources compiled: without it every test file, and every process of ours it starts, does that again. */
const COMPILED = join(ROOT, 'node_modules/.cache/compiled');
/**
 * Folders whose tests compute, or ask a double of GitHub in their own process. The files of a group share one process: starting
 * Node, loading our sources and compiling schemas takes longer than most of them.
 */
export const TOGETHER: readonly (readonly string[])[] = [
	[
		...['action/commits', 'action/config', 'action/modes', 'action/publish', 'action/receive', 'action/record'],
		...['action/request', 'action/rules', 'github'],
	],
	['docs', 'formats', 'judge', 'plan', 'rank', 'stats', 'trend'],
	[
		...['benchmarks', 'cli', 'config', 'evaluation', 'explain', 'init', 'inject', 'text'],
		...['report/compare', 'report/document', 'report/github', 'report/ranking'],
	],
].map((folders) => folders.map((folder) => `test/${folder}/`));
/** A file that changes its process, starts others or cleans up after all tests has a process of its own. */
const EFFECTS =
	/enterOwnNetwork|process\.(?:env|chdir|exit|on)\b|globalThis|\bmock\b|child_process|(?<!\.)\b(?:before|after)(?:Each)?\(/;
/** Modules that import the files of a group; written anew for each run. */
const GATHERED = join(ROOT, 'node_modules/.cache/tests');
/** How many of the files that took longest are named at the end. */
const NAMED_FILES = 12;

/** What measures waiting or latency sees nothing of it while other tests use the CPUs: these run by themselves, after the others. */
const ALONE = [
	'test/e2e/waiting/waiting.slow.test.ts',
	'test/measure/metrics.slow.test.ts',
	'test/e2e/selftest.slow.test.ts',
];

/** Where tests know nothing of each other, and all of a file take minutes. */
const APART = [
	'test/attacks/',
	'test/act/',
	'test/e2e/machine/isolation.slow',
	'test/e2e/services/tutorials.slow',
	'test/isolation/',
	'test/measure/connections/',
	'test/prepare/build/',
];

/** Returns the test files of one half in the order in which they begin, paths from the root. */
export function listTests(half: 'usual' | 'slow'): string[] {
	const files = globSync('test/**/*.test.ts', { cwd: ROOT }).sort();
	const placeOf = (file: string) => {
		const place = FIRST.findIndex((prefix) => file.startsWith(prefix));
		return place < 0 ? FIRST.length : place;
	};
	return files.filter((file) => file.endsWith(SLOW) === (half === 'slow')).sort((a, b) => placeOf(a) - placeOf(b));
}

/** Returns the test files that are named, in the order in which they begin. Throws for one that is none of this half. */
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

/** Returns the group whose process runs a file; -1 for a process of its own. */
export function groupOf(file: string): number {
	const group = TOGETHER.findIndex((folders) => folders.some((folder) => file.startsWith(folder)));
	return file.endsWith(SLOW) || group < 0 || EFFECTS.test(readFileSync(join(ROOT, file), 'utf8')) ? -1 : group;
}

/** Returns the paths to run: those of files that share a process are replaced by that of one that imports them. */
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
	/** Paths from the root; all that ran when nobody can tell. */
	readonly files: readonly string[];
	/** Of tests that stand in no other. */
	readonly names: readonly string[];
}

/** Runs test files, or of their tests those with these names, prints what they say, and returns what failed. */
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
	const known = files.filter((file) => failed.has(file));
	return { files: passed || known.length > 0 ? known : files, names: [...names] };
}

/** Runs once more, one at a time, what failed, and returns the files that failed again. */
async function runAgain({ files, names }: Failed): Promise<readonly string[]> {
	// A file that ended early is itself what failed.
	const isApart = (file: string) =>
		APART.some((prefix) => file.startsWith(prefix)) && !names.some((name) => name.includes(file));
	const whole = await runTests(
		files.filter((file) => !isApart(file)),
		1,
	);
	const parts = await runTests(files.filter(isApart), 1, names);
	return [...whole.files, ...parts.files];
}

/** Prints which files took longest, in seconds with others beside them. */
function printLongest(seconds: readonly (readonly [string, number])[]): void {
	const longest = [...seconds].sort(([, a], [, b]) => b - a).slice(0, NAMED_FILES);
	console.log('\nWhat took longest:');
	for (const [file, took] of longest) console.log(`${took.toFixed(1).padStart(7)} s  ${file}`);
}

/** Milliseconds that all CPUs together have been there and were idle, since the machine started. */
function countCpu(): { readonly all: number; readonly idle: number } {
	const times = cpus().map((cpu) => cpu.times);
	const sum = (of: (one: (typeof times)[number]) => number) => times.reduce((total, one) => total + of(one), 0);
	return {
		all: sum(({ user, nice, sys, idle, irq }) => user + nice + sys + idle + irq),
		idle: sum(({ idle }) => idle),
	};
}

/** Prints how busy the CPUs were: where they were not, more files at once would be faster. */
function printBusy(before: ReturnType<typeof countCpu>): void {
	const after = countCpu();
	const all = after.all - before.all;
	const busy = all === 0 ? 0 : 1 - (after.idle - before.idle) / all;
	console.log(`\nCPUs were busy for ${(100 * busy).toFixed(0)} % of ${(all / 1000 / cpus().length).toFixed(0)} s.`);
}

if (import.meta.main) {
	process.env.NODE_COMPILE_CACHE ??= COMPILED;
	// Our lockfiles name no addresses, so npm would ask the registry again for each package that an earlier test has fetched.
	process.env.npm_config_prefer_offline ??= 'true';
	// Until the end says otherwise nothing has passed.
	process.exitCode = 1;
	const { values, positionals } = parseArgs({ options: { slow: { type: 'boolean' } }, allowPositionals: true });
	const half = values.slow ? 'slow' : 'usual';
	const files = chooseTests(positionals, half);
	const alone = files.filter((file) => ALONE.includes(file));
	const beside = files.filter((file) => !alone.includes(file));
	const ran = [await runTests(beside, FILES_AT_ONCE[half]), await runTests(alone, 1)];
	let failed = ran.flatMap(({ files }) => files);
	// Slow tests measure real servers: one that met a busy moment gets a second chance alone, and is named.
	if (half === 'slow' && failed.length > 0) {
		console.log(`\nOnce more, one at a time: ${failed.join(', ')}`);
		const again = await runAgain({ files: failed, names: ran.flatMap(({ names }) => names) });
		for (const file of failed.filter((one) => !again.includes(one))) console.log(`Failed once, then passed: ${file}`);
		failed = [...again];
	}
	if (failed.length === 0) process.exitCode = 0;
}
