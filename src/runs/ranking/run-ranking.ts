/** Steps of a ranking: install → plan pairs → open the log → measure until rows are precise. */
import { isAsked } from '../../config/answered-scenarios.ts';
import { openBench } from '../../measure/bench.ts';
import { requireDriver } from '../../measure/drivers/run-driver.ts';
import type { Laboratory } from '../../measure/laboratory.ts';
import { type PairGroup, type PlannedPairs, planAlone, planPairs } from '../../plan/ranking-pairs.ts';
import { type OwnPart, planPart } from '../../plan/shards/divide-ranking.ts';
import { planTraffics } from '../../plan/traffic.ts';
import { TOOL_ROOT } from '../../process/entries.ts';
import { nameSides } from '../../rank/name-sides.ts';
import { dataOf } from '../../rank/read-log.ts';
import { shellWord } from '../../text/escape.ts';
import type { Config, Scenario } from '../../types/config.ts';
import { UserError } from '../../types/errors.ts';
import type { Timing } from '../../types/plan.ts';
import type { Prepared, PreparedServer, PreparedSide } from '../../types/prepared.ts';
import { RANKING_SCHEMA_VERSION, type RankedServer, type RankingData } from '../../types/ranking/ranking.ts';
import { type DriverName, OWN_DRIVER, type RankingSetup } from '../../types/ranking/ranking-setup.ts';
import type { Janitor, Progress } from '../../types/run-services.ts';
import type { Fraction, Side, Warning } from '../../types/units.ts';
import { toolVersion } from '../../version.ts';
import {
	type InstalledServers,
	installServers,
	type ServerFacts,
	servedPackages,
	tellAskedPaths,
} from './install-servers.ts';
import { measurePairs } from './measure-pairs.ts';
import { openMeasureStore, type RankingStore } from './ranking-store.ts';

export interface RankingOptions {
	readonly config: Config;
	readonly reference: string;
	readonly timing: Timing;
	readonly preset: string | null;
	/** Half-width of a 95 % interval, relative to the share. */
	readonly precision: Fraction;
	readonly vitals: boolean;
	readonly isRateTyped: boolean;
	readonly driver: DriverName;
	readonly pagePackages: readonly string[];
	readonly rounds: { readonly fewest: number; readonly most: number };
	/** Null if this machine measures everything. */
	readonly part: OwnPart | null;
	readonly out: string | null;
	readonly notes: readonly Warning[];
	readonly missing: readonly RankedServer[];
	readonly factsOf: (server: string) => ServerFacts;
	readonly cwd: string;
	readonly cacheFolder: string;
	readonly node: string;
	readonly reproduce: string;
	readonly janitor: Janitor;
	readonly progress: Progress;
	readonly signal: AbortSignal;
}

/**
 * Measures every server in turn with the reference and returns all data, complete even when interrupted. Throws
 * UserError when nothing can be measured, and the signal's reason before the first round.
 */
export async function runRanking(options: RankingOptions): Promise<RankingData> {
	const { config, part, progress, driver } = options;
	requireDriver(driver);
	const context = { ...options, toolRoot: TOOL_ROOT };
	const wanted = part === null ? config.servers : config.servers.filter(({ name }) => part.installs.includes(name));
	const packages = await servedPackages(config, options.pagePackages, context);
	const partConfig = { ...config, servers: wanted, ...(config.packages && { packages }) };
	const installed = await installServers(partConfig, options.factsOf, context, options.pagePackages);
	for (const { name, state, reason } of installed.servers) {
		if (state !== 'installed') progress.step(`${name} takes no part: ${reason}`);
	}
	const names = [...installed.prepared.keys()];
	if (names.length === 0) throw nothingInstalled(installed);
	const isAlone = options.preset !== null;
	const planned = isAlone ? planAlone(config, names, options.timing) : planBeside(options, names);
	const store = await openStore(options, planned);
	const bench = await openBench({ ...options, limits: config });
	await store.append({
		kind: 'session',
		environment: { ...bench.environment(), workerCpus: bench.affinity.workerCpus },
		servers: [...installed.servers, ...options.missing],
		unmeasured: planned.leftOut,
		reproduce: options.reproduce,
		precision: options.precision,
	});
	const traffics = planTraffics(config.scenarios, config.seed);
	const laboratoryOf = (group: PairGroup, scenario: string | null): Laboratory => {
		const scenarios = config.scenarios.filter(({ name }) => scenario === null || name === scenario);
		return bench.laboratory({
			config,
			prepared: pairUp(group, tellAskedPaths(installed.prepared, config.servers, scenarios)),
			timing: () => group.plan.timing,
			traffic: ({ name }) => traffics.get(name),
			words: (remark, server) => nameSides(remark, server, group.reference),
		});
	};
	const ended = await measurePairs(planned.groups, laboratoryOf, store, options);
	const warnings = [...options.notes, ...installed.warnings, ...bench.warnings()];
	await store.append({ kind: 'end', ended, warnings });
	await bench.close();
	return dataOf(store.log());
}

/** Returns the identity of a run for its log: equal setups can be combined. */
export function setupOf(
	{
		config,
		reference,
		timing,
		preset,
		driver,
		vitals,
	}: Pick<RankingOptions, 'config' | 'reference' | 'timing' | 'preset' | 'driver' | 'vitals'>,
	references: PlannedPairs['references'],
): RankingSetup {
	return {
		reference,
		timing,
		preset,
		...(driver !== OWN_DRIVER && { driver }),
		...(preset === null && {
			design: 'alternating' as const,
			processes: 'own' as const,
			afterwork: 'counted' as const,
		}),
		...(vitals && { vitals: 'node' as const }),
		scenarios: config.scenarios.map((scenario) => ({
			name: scenario.name,
			description: scenario.description,
			request: describeRequest(scenario),
			load: scenario.load,
			...(scenario.metrics && { metrics: scenario.metrics }),
			...(scenario.workers !== undefined && { workers: scenario.workers }),
			...(scenario.inProcess && { inProcess: true as const }),
			...askedServers(config, scenario),
			reference: references.get(scenario.name) ?? null,
			...byHand(scenario),
		})),
	};
}

/** Servers of other shards count as installed, so shards share references. */
function planBeside({ config, reference, timing, part }: RankingOptions, installed: readonly string[]): PlannedPairs {
	if (part === null) return planPairs(config, installed, reference, timing);
	const all = config.servers.map(({ name }) => name);
	return planPart(planPairs(config, all, reference, timing), part, installed);
}

async function openStore(options: RankingOptions, { references }: PlannedPairs): Promise<RankingStore> {
	return openMeasureStore(options.out, {
		kind: 'benchgate-measure-log',
		schemaVersion: RANKING_SCHEMA_VERSION,
		tool: { name: 'benchgate', version: toolVersion() },
		createdAt: new Date().toISOString(),
		seed: options.config.seed,
		setup: setupOf(options, references),
		precision: options.precision,
		...(options.part && { shard: options.part.stamp }),
	});
}

/** Base is the reference, under each server's name. */
function pairUp({ reference, plan }: PairGroup, prepared: ReadonlyMap<string, PreparedServer>): Prepared {
	const servers = new Set(plan.cells.map(({ server }) => server));
	const sideOf = (side: Side): PreparedSide => ({
		side,
		info: { revision: 'pinned', kind: 'dir', label: 'pinned', versions: {} },
		servers: Object.fromEntries(
			[...servers].flatMap((name) => {
				const made = prepared.get(side === 'base' ? reference : name);
				return made === undefined ? [] : [[name, made]];
			}),
		),
	});
	return { sides: { base: sideOf('base'), head: sideOf('head') }, warnings: [], installs: 0, unrelated: true };
}

function describeRequest({ request, mix }: Scenario): string {
	const more = (mix?.length ?? 1) - 1;
	return `${request.method} ${request.path}${more > 0 ? ` and ${more} more` : ''}`;
}

function askedServers({ servers }: Config, scenario: Scenario): { readonly servers?: readonly string[] } {
	const scenarioServers = servers.filter((server) => isAsked(server, scenario));
	return scenarioServers.length === servers.length ? {} : { servers: scenarioServers.map(({ name }) => name) };
}

/** The command is absent for loads beyond one command, such as mixes and learnt values. */
function byHand({ request, mix, learn, metrics, inProcess }: Scenario): { readonly byHand?: string } {
	if (mix !== undefined || learn !== undefined || metrics !== undefined || inProcess) return {};
	const { method, path, headers, body } = request;
	const words = [
		...(method === 'GET' ? [] : ['-m', method]),
		...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]),
		...(body === undefined ? [] : ['-b', body]),
		`http://127.0.0.1:PORT${path}`,
	];
	return { byHand: words.map(shellWord).join(' ') };
}

function nothingInstalled({ servers }: InstalledServers): UserError {
	return new UserError({
		code: 'no-servers',
		message: `none of the servers could be installed: ${servers.map(({ name, reason }) => `${name} (${reason})`).join(', ')}`,
		remedy: 'fix the first of these causes, or name other servers with --server',
		exitCode: 3,
	});
}
