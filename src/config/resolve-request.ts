import type { Config, DriftPolicy } from '../types/config.ts';
import { UserError } from '../types/errors.ts';
import type { Fraction, Sides } from '../types/units.ts';
import { type Catalogue, generalServers } from './catalogue.ts';
import type { ConfigFile } from './file/parse-config.ts';
import { flagOf, type OptionTexts, withDefaults } from './option-names.ts';
import { OPTIONS } from './options.ts';
import { explainTextsOf, type Flags } from './read-flags.ts';
import { repeatCommand } from './repeat-command.ts';
import { resolveConfig } from './resolve-config.ts';

const AT_HAND = 'HEAD';

export interface Request {
	readonly config: Config;
	readonly reproduce: string;
	/** Commit of the bench servers, from `git:REF:PATH`; absent for the working files. */
	readonly harnessFrom?: string;
}

export type CompareOptions = OptionTexts & { readonly base: string; readonly head: string };

export interface BaselineRequest {
	readonly config: Config;
	/** Largest standard error of a row, in log units. */
	readonly precision: Fraction;
	readonly drift: { readonly policy: DriftPolicy; readonly threshold: Fraction };
	readonly reproduce: (anchor: string, head: string) => string;
	readonly reproduceDuet: (revisions: Sides<string>, config: Config) => string;
	readonly harnessFrom?: string;
}

/** As many as in a comparison whose budget has no reserve. */
const TRIAL_ROUNDS = 20;

/** Throws like `resolveConfig`. */
export function resolveCompare(
	file: ConfigFile | null,
	flags: CompareOptions,
	subjectName: string | undefined,
	catalogue: Catalogue,
	drawSeed: () => number,
): Request {
	const config = resolveConfig(file, { ...flags, subjectName }, catalogue, drawSeed);
	const { base, head, config: path, node } = flags;
	const reproduce = repeatCommand({
		command: 'compare',
		given: { base, head, config: path, node, ...explainTextsOf(flags) },
		config,
		// The command reads the subject's name from the checkout at hand.
		resolve: (texts) => resolveConfig(file, texts, catalogue, drawSeed),
	});
	return { config, reproduce };
}

/** Throws like `resolveConfig`. */
export function resolveBaseline(
	file: ConfigFile | null,
	flags: Flags,
	subjectName: string | undefined,
	catalogue: Catalogue,
	drawSeed: () => number,
): BaselineRequest {
	const config = resolveConfig(file, { ...flags, subjectName }, catalogue, drawSeed);
	const texts = withDefaults('baseline', flags);
	const { config: path, node, precision } = flags;
	return {
		config,
		precision: OPTIONS.precision.kind.parse(texts.precision ?? '') ?? 0,
		drift: {
			policy: config.gate.drift ?? 'advisory',
			threshold: config.gate.driftThreshold ?? 2 * config.threshold,
		},
		reproduce: (anchor, head) =>
			repeatCommand({
				command: 'baseline',
				given: { anchor, head, config: path, node, precision },
				config,
				resolve: (options) => resolveConfig(file, options, catalogue, drawSeed),
			}),
		reproduceDuet: ({ base, head }, duet) =>
			repeatCommand({
				command: 'compare',
				given: { base, head, config: path, node },
				config: { ...duet, skipUnaffected: false },
				resolve: (options) => resolveConfig(file, options, catalogue, drawSeed),
			}),
	};
}

/**
 * Resolves a selftest. Scenarios share one threshold, because the machine is tested. Throws like `resolveConfig`, and
 * for a server that cannot be slowed.
 */
export function resolveSelftest(flags: Flags, catalogue: Catalogue, drawSeed: () => number): Request {
	const resolve = (texts: Flags) => selftestConfig(texts, catalogue, drawSeed);
	const config = resolve(flags);
	return { config, reproduce: repeatCommand({ command: 'selftest', given: { node: flags.node }, config, resolve }) };
}

function selftestConfig(flags: Flags, catalogue: Catalogue, drawSeed: () => number): Config {
	const texts = withDefaults('selftest', flags);
	const server = texts.server ?? generalServers(catalogue).join(',');
	const config = resolveConfig(null, { ...texts, server, spelling: flags.spelling }, catalogue, drawSeed);
	refuseUnslowable(config, catalogue);
	const scenarios = config.scenarios.map(({ threshold: _d1, tolerance: _d0, ...scenario }) => scenario);
	return { ...config, scenarios, rounds: TRIAL_ROUNDS };
}

/** Refuses other runtimes, because they cannot load the Node module that slows head down. */
function refuseUnslowable({ servers }: Config, catalogue: Catalogue): void {
	const chosen = catalogue.servers.filter(({ name }) => servers.some((server) => server.name === name));
	const other = chosen.find(
		({ runtime = 'node', programs = [] }) => programs.length > 0 || !runtime.startsWith('node'),
	);
	if (other === undefined) return;
	throw new UserError({
		code: 'bad-config',
		message: `server ${other.name} does not run on Node, so a selftest cannot slow it down by a known amount`,
		remedy: 'leave it out; without --server the general servers are tested',
	});
}

export type BisectOptions = Flags & { readonly good: string; readonly bad: string };

/** Throws like `resolveConfig`. */
export function resolveBisect(
	file: ConfigFile | null,
	flags: BisectOptions,
	subjectName: string | undefined,
	catalogue: Catalogue,
	drawSeed: () => number,
): Request {
	// A budget in the file applies to comparisons.
	const resolve = (texts: Flags) => {
		const { budget } = withDefaults('bisect', { budget: texts.budget });
		return resolveConfig(file, { ...texts, budget }, catalogue, drawSeed);
	};
	const config = resolve({ ...flags, subjectName });
	const { good, bad, config: path, node } = flags;
	// The command requires a scenario.
	const scenario = config.scenarios.map(({ name }) => name).join(',');
	const options = { good, bad, scenario, config: path, node };
	return { config, reproduce: repeatCommand({ command: 'bisect', given: options, config, resolve }) };
}

/**
 * Completes the revisions of a comparison of two runtimes: a missing one is the other side's, else HEAD. Throws
 * UserError for a missing one without runtimes.
 */
export function withBothRevisions<T extends OptionTexts>(
	flags: T,
): T & { readonly base: string; readonly head: string } {
	const textOf = (name: 'base' | 'head' | 'baseRuntime' | 'headRuntime') => flags[name]?.trim() || undefined;
	const [base, head] = [textOf('base'), textOf('head')];
	if (base !== undefined && head !== undefined) return { ...flags, base, head };
	if ((textOf('baseRuntime') ?? textOf('headRuntime')) === undefined) throw missingRevision(base === undefined);
	return { ...flags, base: base ?? head ?? AT_HAND, head: head ?? base ?? AT_HAND };
}

function missingRevision(isBase: boolean): UserError {
	const [flag, what, example] = isBase
		? ([flagOf('base'), 'the revision to compare head with', 'main'] as const)
		: ([flagOf('head'), 'the change to judge', '.'] as const);
	return new UserError({
		code: 'bad-flag',
		message: `missing ${flag}: ${what}`,
		remedy: `add it, e.g. ${flag} ${example}; to compare two runtimes on one commit: ${flagOf('baseRuntime')} node@22 ${flagOf('headRuntime')} node@24`,
	});
}
