import type { CustomServer, Design, InconclusivePolicy, Scenario } from '../../types/config.ts';
import type { MetricName } from '../../types/metric.ts';
import type { Catalogue } from '../catalogue.ts';
import { parseDuration, parsePercentage } from '../durations.ts';
import { buildScenario, type ScenarioYaml } from './build-scenario.ts';
import { checkNames } from './check-names.ts';
import { asList, asMapping, checkMargins, checkScenario } from './check-scenario.ts';
import type { ConfigFile } from './config-file.ts';
import { CONFIG_SCHEMA } from './config-schema.ts';
import { problemsError } from './problem.ts';
import { readYaml, type YamlSource } from './read-yaml.ts';
import { findProblems } from './validate.ts';

/** A config as it is written in YAML, valid against the schema. */
interface ConfigYaml {
	readonly subject?: string;
	readonly prepare?: string;
	readonly servers?: readonly (string | ServerYaml)[];
	readonly scenarios?: readonly (string | ScenarioYaml)[];
	readonly threshold?: string;
	readonly tolerance?: string;
	readonly budget?: string;
	readonly design?: Design;
	readonly gate?: { readonly 'on-inconclusive'?: InconclusivePolicy; readonly metrics?: readonly MetricName[] };
	readonly seed?: number;
}

interface ServerYaml {
	readonly name: string;
	readonly command: string;
	readonly cwd?: string;
	readonly env?: Readonly<Record<string, string>>;
	readonly ready?: { readonly path?: string; readonly timeout?: string };
	readonly scenarios?: readonly string[];
}

const READY_TIMEOUT_SECONDS = 30;

/**
 * Returns what a `benchgate.yml` says. `fileName` is for messages, `catalogue` is what its names can mean.
 * A file without content is valid. Throws one UserError that lists everything wrong, each with line, key, value, the
 * allowed form and the nearest valid word.
 */
export function parseConfig(text: string, fileName: string, catalogue: Catalogue): ConfigFile {
	const read = readYaml(text, fileName);
	const source: YamlSource = { ...read, value: read.value ?? {} };
	const config = asMapping(source.value);
	const problems = [
		...findProblems(source, CONFIG_SCHEMA),
		...checkNames(source, catalogue),
		...checkMargins(source, config, []),
		...asList(config.scenarios).flatMap((item, index) => checkScenario(source, asMapping(item), ['scenarios', index])),
	];
	if (problems.length > 0) throw problemsError('bad-config', fileName, problems);
	return buildConfigFile(source.value as ConfigYaml, fileName);
}

function buildConfigFile(yaml: ConfigYaml, file: string): ConfigFile {
	const { subject, prepare, design, seed } = yaml;
	return withoutAbsent({
		file,
		subject,
		prepare,
		servers: yaml.servers?.map((item) => (typeof item === 'string' ? item : buildServer(item))),
		scenarios: yaml.scenarios?.map((item): string | Scenario =>
			typeof item === 'string' ? item : buildScenario(item, 'config'),
		),
		threshold: yaml.threshold && parsePercentage(yaml.threshold),
		tolerance: yaml.tolerance && parsePercentage(yaml.tolerance),
		budgetSeconds: yaml.budget && parseDuration(yaml.budget),
		design,
		onInconclusive: yaml.gate?.['on-inconclusive'],
		metrics: yaml.gate?.metrics,
		seed,
	}) as ConfigFile;
}

function buildServer({ name, command, cwd = '.', env = {}, ready = {}, scenarios }: ServerYaml): CustomServer {
	const timeoutSeconds = (ready.timeout && parseDuration(ready.timeout)) || READY_TIMEOUT_SECONDS;
	return {
		kind: 'custom',
		name,
		command,
		cwd,
		env,
		ready: { ...(ready.path !== undefined && { path: ready.path }), timeoutSeconds },
		...(scenarios && { scenarios }),
	};
}

/** A copy without the keys whose value is undefined. */
function withoutAbsent<T extends object>(object: T): Partial<T> {
	return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Partial<T>;
}
