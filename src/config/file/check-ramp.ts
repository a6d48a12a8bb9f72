import { DAY_PATTERN, isDay } from '../adoption-ramp.ts';
import { asMapping } from './check-scenario.ts';
import type { Problem } from './problem.ts';
import type { YamlSource } from './read-yaml.ts';

/** Returns what is wrong with the last day of the adoption ramp that its form does not tell: no calendar has it. */
export function checkRamp(source: YamlSource): Problem[] {
	const day = asMapping(asMapping(source.value).gate)['enforce-after'];
	if (typeof day !== 'string' || !new RegExp(DAY_PATTERN).test(day) || isDay(day)) return [];
	const path = ['gate', 'enforce-after'];
	return [{ line: source.lineOf(path), path, message: `there is no day ${day} in the calendar; give a real one` }];
}
