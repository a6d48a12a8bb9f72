import { isForeign } from './check-harness.ts';
import { asList, asMapping } from './check-scenario.ts';
import type { Path, Problem } from './problem.ts';
import type { YamlSource } from './read-yaml.ts';

export function checkReads(source: YamlSource): Problem[] {
	const config = asMapping(source.value);
	const servers = asList(config.servers).map((server, index): [Path, unknown] => [
		['servers', index, 'reads'],
		asMapping(server).reads,
	]);
	const lists: readonly [Path, unknown][] = [[['reads'], config.reads], ...servers];
	return lists.flatMap(([at, list]) =>
		asList(list).flatMap((path, index): Problem[] => {
			const form = typeof path === 'string' ? refusalOf(path) : null;
			if (form === null) return [];
			const message = `${JSON.stringify(path)} is not allowed; ${form}, e.g. packages/api`;
			return [{ line: source.lineOf([...at, index]), path: [...at, index], message }];
		}),
	);
}

/** Taken literally, patterns would match nothing. */
function refusalOf(path: string): string | null {
	if (isForeign(path)) return 'a folder or file inside of the repository, relative to its top and without ".."';
	return /[*?{}]/.test(path) ? 'no patterns: a folder stands for everything in it' : null;
}
