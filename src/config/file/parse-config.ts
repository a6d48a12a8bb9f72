import type { CustomServer, GatePolicy, Scenario } from '../../types/config.ts';
import type { PrepareAs } from '../../types/isolation.ts';
import type { MetricName } from '../../types/metric.ts';
import type { Catalogue } from '../catalogue.ts';
import { parseDuration, parsePercentage, parseRise } from '../durations.ts';
import type { GateMetric } from '../margins.ts';
import { FILE_OPTIONS, type FileOption, type OptionValues } from '../option-names.ts';
import { buildScenario, type ScenarioYaml } from './build-scenario.ts';
import { checkMetrics, checkNames, checkRamp, checkReads } from './check-config.ts';
import { checkData, type DataTexts, readTables, rowsFor, type Tables } from './check-data.ts';
import { checkHarness, plainFolder } from './check-harness.ts';
import { asList, asMapping, checkMargins, checkScenario } from './check-scenario.ts';
import { validate } from './config-validator.ts';
import { problemsError } from './problem.ts';
import { readYaml, type YamlSource } from './read-yaml.ts';
import { findProblems } from './validate.ts';

/** The config without the keys that `readOptions` reads. */
interface ConfigYaml {
	readonly prepare?: string;
	readonly 'prepare-as'?: PrepareAs;
	readonly servers?: readonly (string | ServerYaml)[];
	readonly scenarios?: readonly (string | ScenarioYaml)[];
	readonly harness?: readonly string[];
	readonly reads?: readonly string[];
	readonly gate?: {
		readonly metrics?: readonly (MetricName | MetricYaml)[];
		readonly 'enforce-after'?: string;
		readonly uncovered?: GatePolicy['uncovered'];
	};
}

interface MetricYaml {
	readonly name: MetricName;
	readonly threshold?: string | 0;
	readonly tolerance?: string;
}

interface ServerYaml {
	readonly name: string;
	readonly command: string;
	readonly cwd?: string;
	readonly env?: Readonly<Record<string, string>>;
	readonly start?: string;
	readonly stop?: string;
	readonly ready?: { readonly path?: string; readonly timeout?: string };
	readonly scenarios?: readonly string[];
	readonly writable?: readonly string[];
	readonly reads?: readonly string[];
}

const READY_TIMEOUT_SECONDS = 30;

/**
 * Parses a `benchgate.yml`, which may be empty. Without `data` files, scenarios have no rows. Throws one UserError with
 * all problems.
 */
export function parseConfig(text: string, fileName: string, catalogue: Catalogue, data?: DataTexts): ConfigFile {
	const read = readYaml(text, fileName);
	const source: YamlSource = { ...read, value: read.value ?? {} };
	const config = asMapping(source.value);
	const tables = data === undefined ? null : readTables(data);
	const problems = [
		...source.inexact,
		...findProblems(source, validate),
		...checkNames(source, catalogue),
		...checkMargins(source, config, []),
		...checkHarness(source),
		...checkReads(source),
		...checkRamp(source),
		...checkMetrics(source),
		...asList(config.scenarios).flatMap((item, index) => {
			const [scenario, at] = [asMapping(item), ['scenarios', index]];
			return [...checkScenario(source, scenario, at), ...checkData(source, scenario, at, tables)];
		}),
	];
	if (problems.length > 0) throw problemsError('bad-config', fileName, problems);
	return buildConfigFile(source.value as ConfigYaml, fileName, tables);
}

function buildConfigFile(yaml: ConfigYaml, file: string, tables: Tables | null): ConfigFile {
	return withoutAbsent({
		file,
		...readOptions(yaml),
		prepare: yaml.prepare,
		harness: yaml.harness?.map(plainFolder),
		reads: yaml.reads?.map(plainFolder),
		prepareAs: yaml['prepare-as'],
		servers: yaml.servers?.map((item) => (typeof item === 'string' ? item : buildServer(item))),
		scenarios: yaml.scenarios?.map((item): string | Scenario =>
			typeof item === 'string' ? item : buildScenario(item, 'config', rowsFor(asMapping(item), tables)),
		),
		metrics: yaml.gate?.metrics?.map((item) => (typeof item === 'string' ? { name: item } : buildMetric(item))),
		enforceAfter: yaml.gate?.['enforce-after'],
		uncovered: yaml.gate?.uncovered,
	}) as ConfigFile;
}

function readOptions(yaml: object): Partial<Pick<ConfigFile, FileOption>> {
	const at = (path: string) => path.split('.').reduce<unknown>((value, key) => asMapping(value)[key], yaml);
	return Object.fromEntries(
		FILE_OPTIONS.map(([name, { kind, file = name }]) => {
			const value = at(file);
			return [name, value === undefined ? undefined : kind.parse(asText(value))];
		}),
	);
}

function buildMetric({ name, threshold, tolerance }: MetricYaml): GateMetric {
	const parsed = (limit: string | 0 | undefined) => parseRise(limit) ?? parsePercentage(String(limit));
	return withoutAbsent({ name, threshold: parsed(threshold), tolerance: parsed(tolerance) }) as GateMetric;
}

/** A value as a flag writes it. */
function asText(value: unknown): string {
	if (typeof value !== 'object' || value === null) return String(value);
	return Object.entries(value)
		.map((item) => item.join('='))
		.join(',');
}

function buildServer({
	name,
	command,
	cwd = '.',
	env = {},
	start,
	stop,
	ready = {},
	scenarios,
	writable,
	reads,
}: ServerYaml): CustomServer {
	const timeoutSeconds = (ready.timeout && parseDuration(ready.timeout)) || READY_TIMEOUT_SECONDS;
	return {
		kind: 'custom',
		name,
		command,
		cwd,
		env,
		...(start !== undefined && { start }),
		...(stop !== undefined && { stop }),
		ready: { ...(ready.path !== undefined && { path: ready.path }), timeoutSeconds },
		...(scenarios && { scenarios }),
		...(writable && { writable }),
		...(reads && { reads: reads.map(plainFolder) }),
	};
}

function withoutAbsent<T extends object>(object: T): Partial<T> {
	return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** A valid `benchgate.yml`. Keys that the file lacks are absent. */
export interface ConfigFile extends Partial<Pick<OptionValues, FileOption>> {
	readonly file: string;
	readonly prepare?: string;
	/** Without leading `./` and trailing slash. */
	readonly harness?: readonly string[];
	readonly reads?: readonly string[];
	readonly prepareAs?: PrepareAs;
	/** Built-in names, or definitions. */
	readonly servers?: readonly (string | CustomServer)[];
	/** Built-in names and groups, or definitions. */
	readonly scenarios?: readonly (string | Scenario)[];
	readonly metrics?: readonly GateMetric[];
	readonly enforceAfter?: string;
	readonly uncovered?: GatePolicy['uncovered'];
}
