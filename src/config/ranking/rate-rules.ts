/** Settings that may exclude a fixed rate, because they measure how much is answered. */
import type { Config, Scenario } from '../../types/config.ts';
import { type DriverName, OWN_DRIVER } from '../../types/ranking/driver.ts';
import { flagOf } from '../option-names.ts';
import { flagsError } from '../read-flags.ts';
import type { Preset } from './presets.ts';

interface OtherLoad {
	readonly preset: Preset | null;
	readonly driver: DriverName;
	readonly ramp: readonly number[];
}

/** Throws a UserError with reasons and remedies if a fixed rate is impossible. */
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
