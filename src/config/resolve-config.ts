import type { Config, Limits, Margins, Scenario, ServerSpec } from '../types/config.ts';
import { UserError } from '../types/errors.ts';
import { findUnanswered, withoutHosted } from './answered-scenarios.ts';
import { AUTO, type Catalogue } from './catalogue.ts';
import { writePercentage } from './durations.ts';
import { isWithin, plainFolder } from './file/check-harness.ts';
import type { ConfigFile } from './file/parse-config.ts';
import { type GateMetric, marginsOf, marginsOfMetrics } from './margins.ts';
import { type DefaultOption, defaultOf, type FileOption } from './option-names.ts';
import { type Complain, type Flags, type FlagValues, flagsError, readFlags, spellFlag } from './read-flags.ts';
import {
	autoScenarios,
	expandScenarioLists,
	selectPackages,
	selectScenarios,
	selectServers,
	spareScenarios,
} from './selection.ts';

export type { Flags } from './read-flags.ts';

const GATE_METRICS: readonly GateMetric[] = [{ name: 'throughput' }];

/**
 * Returns the complete config. Flags override `file`, which overrides defaults. Calls `drawSeed` if no seed is given.
 * `takesHosted` allows scenarios with a special start. Throws UserError that names every unusable flag, or lists
 * choices when there is nothing to load.
 */
export function resolveConfig(
	file: ConfigFile | null,
	flags: Flags,
	catalogue: Catalogue,
	drawSeed: () => number,
	takesHosted = false,
): Config {
	const complaints: string[] = [];
	const complain: Complain = (flag, message) =>
		complaints.push(`${spellFlag(flag, flags)} ${flags[flag]?.trim()}: ${message}`);
	const values = readFlags(flags, complain);
	const named = afterFlags(complaints, () =>
		selectServers(values.server, file, catalogue, flags.subjectName, complain),
	);
	const budgetSeconds = values.budget ?? file?.budget ?? defaultOf('budget');
	const auto = autoScenarios(flags.subjectName, named, catalogue, budgetSeconds);
	const chosen = selectScenarios(values.scenario, file, catalogue, named, auto.chosen, complain);
	const scenarios = takesHosted ? chosen : refuseHosted(chosen, values.scenario, file, complain);
	const servers = expandScenarioLists(named, file, catalogue, auto.chosen);
	const isAuto = (values.scenario ?? file?.scenarios ?? []).includes(AUTO);
	const spare = isAuto ? spareScenarios(auto, scenarios, catalogue) : undefined;
	for (const problem of findUnanswered(values.scenario ?? [], servers, scenarios)) complain('scenario', problem);
	const margins = resolveMargins(values, file, complain);
	const packages = selectPackages(values.package, file, catalogue, named, complain);
	const limits = resolveLimits(values, file, complain);
	if (complaints.length > 0) throw flagsError(complaints);
	checkMarginsOfScenarios(scenarios, margins, file);
	// A flag's servers may answer fewer scenarios than the file's.
	if (values.server === undefined && values.scenario === undefined) checkAnswered(file, servers, scenarios);
	const metrics = file?.metrics ?? GATE_METRICS;
	const marginsByMetric = marginsOfMetrics([...metrics, ...metricsOfScenarios(scenarios, metrics)]);
	const { prepare, prepareAs, harness, reads, enforceAfter, uncovered } = file ?? {};
	const isolationRequired = values.isolationRequired ?? file?.isolationRequired;
	const warmupSeconds = values.warmup ?? file?.warmup;
	const lanes = values.lanes ?? file?.lanes;
	const runtime = values.runtime ?? file?.runtime;
	const { baseRuntime, headRuntime } = values;
	const drift = values.drift ?? file?.drift;
	const driftThreshold = values.driftThreshold ?? file?.driftThreshold;
	const settingOf = <K extends FileOption & DefaultOption>(option: K) =>
		values[option] ?? file?.[option] ?? defaultOf(option);
	checkSubject(settingOf('subject'), file);
	return {
		...(file && { file: file.file }),
		subject: settingOf('subject'),
		...(prepare !== undefined && { prepare }),
		...(harness !== undefined && { harness }),
		...(reads !== undefined && { reads }),
		...(packages.length > 0 && { packages }),
		...(prepareAs !== undefined && { prepareAs }),
		prepareTimeoutSeconds: settingOf('prepareTimeout'),
		isolation: settingOf('isolation'),
		...(isolationRequired !== undefined && { isolationRequired }),
		...(runtime !== undefined && { runtime }),
		...(baseRuntime !== undefined && { baseRuntime }),
		...(headRuntime !== undefined && { headRuntime }),
		...limits,
		servers,
		scenarios,
		...(spare && { spare }),
		...margins,
		budgetSeconds,
		...(warmupSeconds !== undefined && { warmupSeconds }),
		design: settingOf('design'),
		gate: {
			onInconclusive: settingOf('onInconclusive'),
			metrics: [...new Set(metrics.map(({ name }) => name))],
			...(marginsByMetric && { margins: marginsByMetric }),
			...(enforceAfter !== undefined && { enforceAfter }),
			...(uncovered !== undefined && { uncovered }),
			...(drift !== undefined && { drift }),
			...(driftThreshold !== undefined && { driftThreshold }),
		},
		seed: values.seed ?? file?.seed ?? drawSeed(),
		...(values.rounds !== undefined && { rounds: values.rounds }),
		...(lanes !== undefined && { lanes }),
		...(!settingOf('skipUnaffected') && { skipUnaffected: false }),
	};
}

function afterFlags<T>(complaints: readonly string[], work: () => T): T {
	try {
		return work();
	} catch (error) {
		throw complaints.length > 0 ? flagsError(complaints) : error;
	}
}

/** Refuses scenarios only rankings measure, but drops them if they came with a group. */
function refuseHosted(
	chosen: readonly Scenario[],
	flag: readonly string[] | undefined,
	file: ConfigFile | null,
	complain: Complain,
): readonly Scenario[] {
	const listed = (file?.scenarios ?? []).filter((scenario) => typeof scenario === 'string');
	const { scenarios, problems } = withoutHosted(chosen, flag ?? listed);
	if (flag !== undefined) for (const problem of problems) complain('scenario', problem);
	else if (file !== null && problems[0] !== undefined) {
		throw new UserError({
			code: 'bad-config',
			where: file.file,
			message: `scenarios: ${problems[0]}`,
			remedy: 'remove the scenario, and rank servers with it: benchgate measure --scenario',
		});
	}
	return scenarios;
}

function metricsOfScenarios(scenarios: readonly Scenario[], named: readonly GateMetric[]): GateMetric[] {
	const scenarioMetrics = new Set(scenarios.flatMap(({ metrics = [] }) => metrics));
	return [...scenarioMetrics].filter((name) => !named.some((metric) => metric.name === name)).map((name) => ({ name }));
}

/** Refuses a subject in a harness folder: both sides get that folder from one revision. */
function checkSubject(subject: string, file: ConfigFile | null): void {
	const folder = file?.harness?.find((each) => isWithin(plainFolder(subject), each));
	if (folder === undefined) return;
	throw new UserError({
		code: 'bad-config',
		...(file && { where: file.file }),
		message: `the subject "${subject}" lies in "${folder}" of harness, so base and head would be the same code`,
		remedy: 'name only the folder of the bench servers in harness, and not the package they load',
	});
}

function resolveMargins(values: FlagValues, file: ConfigFile | null, complain: Complain): Margins {
	const threshold = values.threshold ?? file?.threshold ?? defaultOf('threshold');
	const tolerance = values.tolerance ?? file?.tolerance ?? threshold / 2;
	if (tolerance < threshold) return { threshold, tolerance };
	if (values.tolerance !== undefined) {
		complain('tolerance', `not below the threshold of ${writePercentage(threshold)}; leave it out for half of that`);
	} else if (values.threshold !== undefined) {
		complain('threshold', `not above the tolerance of ${writePercentage(tolerance)} in ${file?.file}; lower that too`);
	} else {
		throw marginsError('the tolerance', { threshold, tolerance }, file);
	}
	return { threshold, tolerance };
}

/** A scenario may have only a tolerance, and takes the threshold of the config. */
function checkMarginsOfScenarios(scenarios: readonly Scenario[], config: Margins, file: ConfigFile | null): void {
	for (const scenario of scenarios) {
		const margins = marginsOf(scenario, config);
		if (margins.tolerance >= margins.threshold) {
			throw marginsError(`the tolerance of scenario ${scenario.name}`, margins, file);
		}
	}
}

function checkAnswered(file: ConfigFile | null, servers: readonly ServerSpec[], scenarios: readonly Scenario[]): void {
	const listed = (file?.scenarios ?? []).filter((scenario) => typeof scenario === 'string');
	const [problem] = findUnanswered(listed, servers, scenarios);
	if (file === null || problem === undefined) return;
	throw new UserError({
		code: 'bad-config',
		where: file.file,
		message: `scenarios: ${problem}`,
		remedy: 'remove the scenario, or add a server that answers it: benchgate list',
	});
}

function marginsError(what: string, { threshold, tolerance }: Margins, file: ConfigFile | null): UserError {
	return new UserError({
		code: 'bad-config',
		...(file && { where: file.file }),
		message: `${what}, ${writePercentage(tolerance)}, is not below the threshold of ${writePercentage(threshold)}`,
		remedy: 'lower the tolerance, or leave it out for half the threshold',
	});
}

/** The given limits. Complains about a CPU that servers and load share. */
function resolveLimits(values: FlagValues, file: ConfigFile | null, complain: Complain): Limits {
	const { serverCpus, loadCpus, readyTimeout } = values;
	const memoryLimit = values.memoryLimit ?? file?.memoryLimit;
	const shared = loadCpus?.find((cpu) => serverCpus?.includes(cpu));
	if (shared !== undefined) complain('loadCpus', `CPU ${shared} is one of the servers; the load needs CPUs of its own`);
	return {
		...(serverCpus !== undefined && { serverCpus }),
		...(loadCpus !== undefined && { loadCpus }),
		...(memoryLimit !== undefined && { memoryLimit }),
		...(readyTimeout !== undefined && { readyTimeoutSeconds: readyTimeout }),
	};
}
