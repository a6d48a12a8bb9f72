/** Loads that a driver, or a fixed rate, excludes. */
import type { Config, Scenario } from '../../types/config.ts';
import { isSteady, placeStages } from '../../types/plan.ts';
import { type DriverName, type OtherDriver, OWN_DRIVER } from '../../types/ranking/ranking-setup.ts';
import { flagOf } from '../option-names.ts';
import { flagsError } from '../read-flags.ts';
import type { Preset } from './presets.ts';

interface DriverRules {
	/** Connections may come and go. */
	readonly stages: boolean;
	readonly pipelining: boolean;
	/** Sentence on its checks. */
	readonly sees: string;
}

const RULES: Readonly<Record<OtherDriver, DriverRules>> = {
	autocannon: { stages: false, pipelining: true, sees: 'autocannon checks no bodies.' },
	wrk: {
		stages: false,
		pipelining: true,
		sees: 'wrk checks no bodies, and counts only statuses of 400 and above. Where answers are slow it adds latencies of requests that it did not send meanwhile.',
	},
	k6: { stages: true, pipelining: false, sees: 'k6 checks no bodies.' },
};

/** Throws UserError for unsupported loads. A foreign program loads one server at a time, with one request. */
export function checkDriver(driver: DriverName, { scenarios }: Pick<Config, 'scenarios'>, preset: Preset | null): void {
	if (driver === OWN_DRIVER) return;
	const flag = `${flagOf('driver')} ${driver}`;
	const { stages, pipelining } = RULES[driver];
	const first = (wrong: (scenario: Scenario) => boolean) => scenarios.find(wrong)?.name;
	const [mixed, dry, pipelined] = [
		first(({ mix }) => mix !== undefined),
		first(({ inProcess }) => inProcess === true),
		first(({ load }) => load.pipelining > 1),
	];
	const problems = [
		...(preset === null
			? [`${flag}: it loads one server at a time, as presets do; give ${flagOf('preset')} as well`]
			: []),
		...(preset?.stages && !stages
			? [
					`${flag}: it loads in one stage, but the preset has ${preset.stages.length}; give ${flagOf('duration')} to load evenly, or leave ${flagOf('driver')} out`,
				]
			: []),
		...(mixed === undefined ? [] : [`${flag}: it sends the same request every time, but those of ${mixed} differ`]),
		...(dry === undefined ? [] : [`${flag}: it loads through sockets, but ${dry} uses none`]),
		...(pipelined === undefined || pipelining
			? []
			: [`${flag}: it waits for each answer, but ${pipelined} is pipelined; give ${flagOf('pipelining')} 1 as well`]),
	];
	if (problems.length > 0) throw flagsError(problems);
}

/** Returns how the driver makes a run differ from the page, or from a usual run. `isWarm`: servers are warmed up. */
export function describeDriver(driver: DriverName, preset: Preset | null, isWarm: boolean): readonly string[] {
	const pageDriver = preset?.driver ?? null;
	if (driver !== OWN_DRIVER) {
		const checks = isWarm ? 'checks each server and warms it up' : 'checks each server';
		const loadText = driver === pageDriver ? `${driver} loads it, as on the page` : `${driver} loads it`;
		return [
			`benchgate ${checks} before ${loadText}. ${RULES[driver].sees}`,
			...(isRamp(preset)
				? [
						`${driver} gives one figure for its whole load: requests/s and latency of each step, and where a server is saturated, are not known. Leave ${flagOf('driver')} out to know them.`,
					]
				: []),
		];
	}
	const steps = isRamp(preset)
		? ['The page has one figure for the whole load, which ranks here too; those of each step are given beside it.']
		: [];
	if (pageDriver === null) return steps;
	const how = preset?.stages
		? `this run with benchgate, which opens and closes the same connections at the same times, and counts everything, as ${pageDriver} does`
		: 'this run with benchgate';
	return [
		`The page loads with ${pageDriver}; ${how}. ${flagOf('driver')} ${pageDriver} loads with ${pageDriver} itself, where it is installed.`,
		...steps,
	];
}

/** Whether a preset has more than one steady number of connections. */
function isRamp(preset: Preset | null): boolean {
	return placeStages(preset?.stages ?? []).filter(isSteady).length > 1;
}

interface OtherLoad {
	readonly preset: Preset | null;
	readonly driver: DriverName;
	readonly ramp: readonly number[];
}

/** Throws UserError with reasons and remedies if a fixed rate is impossible. */
export function checkRate(
	rate: number,
	{ scenarios }: Pick<Config, 'scenarios'>,
	{ preset, driver, ramp }: OtherLoad,
): void {
	const flag = `${flagOf('rate')} ${rate}`;
	const first = (wrong: (scenario: Scenario) => boolean) => scenarios.find(wrong)?.name;
	const [dry, crowded, rising, pipelined] = [
		first(({ inProcess }) => inProcess === true),
		first(({ workers }) => workers !== undefined),
		first((scenario) => scenario.ramp !== undefined),
		first(({ load }) => load.pipelining > 1),
	];
	const more = 'leave one of them out';
	const problems = [
		...(preset === null
			? []
			: [`${flag}: a page is loaded as fast as its servers answer; leave ${flagOf('preset')} out`]),
		...(driver === OWN_DRIVER
			? []
			: [`${flag}: ${driver} loads as fast as servers answer; leave ${flagOf('driver')} out`]),
		...(ramp.length > 0
			? [`${flag}: ${flagOf('ramp')} looks for the most that servers answer, which a rate hides; ${more}`]
			: []),
		...(rising === undefined || ramp.length > 0
			? []
			: [`${flag}: ${rising} has a ramp of its own; give ${flagOf('connections')} as well, or leave ${rising} out`]),
		...(dry === undefined ? [] : [`${flag}: ${dry} calls one after the other, without a socket; ${more}`]),
		...(crowded === undefined
			? []
			: [`${flag}: ${crowded} shows how much more worker processes answer, which a rate hides; ${more}`]),
		...(pipelined === undefined
			? []
			: [
					`${flag}: ${pipelined} is pipelined, but each request has a time of its own; give ${flagOf('pipelining')} 1 as well`,
				]),
		...(scenarios.some(isRatable) ? [] : [`${flag}: none of the scenarios is loaded; name one that is`]),
	];
	if (problems.length > 0) throw flagsError(problems);
}

export function isRatable({ metrics, inProcess, workers }: Scenario): boolean {
	return metrics === undefined && inProcess !== true && workers === undefined;
}
