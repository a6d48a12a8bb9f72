import type { Scenario } from '../../types/config.ts';
import { buildScenario, type ScenarioYaml } from './build-scenario.ts';
import { asMapping, checkScenario } from './check-scenario.ts';
import { type Problem, problemsError } from './problem.ts';
import { readYaml, type YamlSource } from './read-yaml.ts';
import { validate } from './scenario-validator.ts';
import { findProblems } from './validate.ts';

/** Parses a scenario file. Throws UserError with all problems and their lines. */
export function parseScenario(text: string, fileName: string): Scenario {
	const source = readYaml(text, fileName);
	const problems = [
		...source.inexact,
		...findProblems(source, validate),
		...checkScenario(source, asMapping(source.value), []),
		...checkName(source, fileName),
	];
	if (problems.length > 0) throw problemsError('bad-scenario', fileName, problems);
	return buildScenario(source.value as ScenarioYaml, 'built-in', []);
}

function checkName(source: YamlSource, fileName: string): Problem[] {
	const name = asMapping(source.value).name;
	const fromFile = fileName.replace(/^.*[\\/]/, '').replace(/\.ya?ml$/, '');
	if (typeof name !== 'string' || name === fromFile) return [];
	return [
		{
			line: source.lineOf(['name']),
			path: ['name'],
			message: `"${name}" is not allowed; the file is called ${fromFile}`,
		},
	];
}
