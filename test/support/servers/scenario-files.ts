import { readdirSync, readFileSync } from 'node:fs';
import { parseScenario } from '../../../src/config/file/parse-scenario.ts';
import type { Scenario } from '../../../src/types/config.ts';

const FOLDER = new URL('../../../scenarios/', import.meta.url);

/** Returns the built-in scenarios by name. */
export function readScenarios(): ReadonlyMap<string, Scenario> {
	const files = readdirSync(FOLDER).filter((file) => file.endsWith('.yml'));
	const scenarios = files.map((file) => parseScenario(readFileSync(new URL(file, FOLDER), 'utf8'), file));
	return new Map(scenarios.map((scenario) => [scenario.name, scenario]));
}
