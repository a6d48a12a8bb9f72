import { asList, asMapping } from '../../config/file/check-scenario.ts';
import { readYaml } from '../../config/file/read-yaml.ts';
import type { ConfigText } from '../../config/load-config.ts';

/** Where a scenario stands in the config of the head side, for annotations. */
export type FindLine = (scenario: string) => { readonly path: string; readonly line: number } | null;

/** A config and the path it has in its repository; without one it cannot be annotated. */
export interface PlacedText extends ConfigText {
	readonly path: string | null;
}

/**
 * Returns a look-up of lines in a config: of the scenario's own entry, else of the list of scenarios (it may come from a
 * group), else the first. The look-up gives null when there is no config in the repository, or it is no YAML.
 */
export function findLines(config: PlacedText | null): FindLine {
	const path = config?.path ?? null;
	if (config === null || path === null) return () => null;
	try {
		const source = readYaml(config.text, config.name);
		const items = asList(asMapping(source.value).scenarios);
		const names = items.map((item) => (typeof item === 'string' ? item : asMapping(item).name));
		return (scenario) => {
			const index = names.indexOf(scenario);
			return { path, line: source.lineOf(index < 0 ? ['scenarios'] : ['scenarios', index]) };
		};
	} catch {
		// What is wrong with the config is said where its content is parsed.
		return () => null;
	}
}
