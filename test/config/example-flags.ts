/** Flags as people could type them, and the command line's reading of a command that it printed. */
import { execFileSync } from 'node:child_process';
import { Command } from 'commander';
import fc from 'fast-check';
import { addOptions } from '../../src/cli/option-flags.ts';
import type { OptionName, OptionTexts } from '../../src/config/option-names.ts';
import type { MEASURE_OPTIONS } from '../../src/config/options/measure-options.ts';
import type { CommandName } from '../../src/config/options/option-entry.ts';
import type { CompareOptions } from '../../src/config/resolve-request.ts';
import { DESIGNS, DRIFT_POLICIES, INCONCLUSIVE_POLICIES } from '../../src/types/config.ts';
import { ISOLATION_WISHES, REQUIRED_LEVELS } from '../../src/types/isolation.ts';

const percent = (least: number, most: number) =>
	fc.integer({ min: least * 1000, max: most * 1000 }).map((thousandths) => `${thousandths / 1000}%`);
const some = (words: readonly string[]) =>
	fc
		.subarray([...words], { minLength: 1 })
		.chain((chosen) => fc.shuffledSubarray(chosen, { minLength: chosen.length }));

/** Any threshold and tolerance; they may contradict each other. */
export const MARGINS = { threshold: percent(1, 20), tolerance: percent(0.1, 8) };
const BUDGET = fc
	.tuple(fc.integer({ min: 1, max: 999_999 }), fc.constantFrom('ms', 's', 'm', 'h', '.5s', '.125m', '.001h'))
	.map(([count, unit]) => `${count}${unit}`);
const SEED = fc.maxSafeNat().map(String);
/** A path with every character that a shell could misread. */
const PATH = fc
	.string({ unit: fc.constantFrom('a', 'b', '/', ' ', "'", '"', '$', '~', '-', '\\', '*') })
	.map((text) => `./x${text}x`);

const RUNTIME = fc.constantFrom('node', 'node@22', 'node@22.12.0', 'bun', 'bun@1.2', 'deno', 'deno@2');

/** Options of both commands. */
export const BOTH = { ...MARGINS, budget: BUDGET, seed: SEED, node: PATH };

/** Options that only a baseline or a ranking takes. */
type OfOthers = 'anchor' | 'precision' | keyof typeof MEASURE_OPTIONS;
/** Options that divide a comparison among machines; a repeated comparison is not divided. */
type OfShards = 'shards' | 'costs' | 'out' | 'plan' | 'shard' | 'attempt';

/** Options that the command of a comparison repeats; acceptances are not repeated. */
export type Repeated = Exclude<
	OptionName,
	| 'base'
	| 'head'
	| 'good'
	| 'bad'
	| 'config'
	| 'accept'
	| 'explain'
	| 'explainBudget'
	| 'prove'
	| 'profile'
	| OfOthers
	| OfShards
>;

/** Returns texts for each option of a comparison. The type requires an example of every new option. */
export function exampleTexts(
	servers: readonly string[],
	scenarios: readonly string[],
	packages: readonly string[] = [],
): Readonly<Record<Repeated, fc.Arbitrary<string>>> {
	return {
		...BOTH,
		server: some(servers).map((names) => names.join(', ')),
		scenario: some(scenarios).map((names) => names.join(',')),
		subject: PATH,
		package: packages.length === 0 ? fc.constant('') : some(packages).map((items) => items.join(', ')),
		prepareTimeout: BUDGET,
		isolation: fc.constantFrom(...ISOLATION_WISHES),
		isolationRequired: fc.constantFrom(...REQUIRED_LEVELS),
		design: fc.constantFrom(...DESIGNS),
		rounds: fc.integer({ min: 2, max: 1000 }).map(String),
		skipUnaffected: fc.constantFrom('true', 'false'),
		onInconclusive: fc.constantFrom(...INCONCLUSIVE_POLICIES),
		warmup: BUDGET,
		drift: fc.constantFrom(...DRIFT_POLICIES),
		driftThreshold: percent(1, 40),
		runtime: RUNTIME,
		baseRuntime: RUNTIME,
		headRuntime: RUNTIME,
		serverCpus: fc.constantFrom('0', '0,2', '4-6'),
		loadCpus: fc.constantFrom('1', '3,7'),
		memoryLimit: fc.constantFrom('512MB', '1GB', '2GiB', '300MiB'),
		readyTimeout: BUDGET,
		lanes: fc.constantFrom('auto', 'smt', '1', '2', '64'),
	};
}

/** Returns flags of a comparison: some of all options, with these names of servers and scenarios, and some of these packages. */
export function compareFlags(
	servers: readonly string[],
	scenarios: readonly string[],
	packages: readonly string[] = [],
) {
	const chosen = fc.record(exampleTexts(servers, scenarios, packages), { requiredKeys: [] });
	const revisions = fc.record({ base: fc.constantFrom('main', 'npm:express@4.21.2', 'v1^'), head: PATH });
	return fc.tuple(chosen, revisions).map(([flags, sides]): CompareOptions => ({ ...flags, ...sides }));
}

/** Parses a printed command as the command line does, after a shell has read it. */
export function flagsIn(line: string, name: 'compare'): CompareOptions;
export function flagsIn(line: string, name: 'selftest' | 'baseline' | 'bisect'): OptionTexts;
export function flagsIn(line: string, name: CommandName): OptionTexts {
	const output = execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8', env: { HOME: '/root' } });
	const [npx, tool, command, ...words] = output.split('\0').slice(0, -1);
	if (npx !== 'npx' || tool !== 'benchgate' || command !== name) throw new Error(`no ${name}: ${line}`);
	return addOptions(new Command(), name).exitOverride().parse(words, { from: 'user' }).opts();
}
