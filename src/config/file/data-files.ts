import { asList, asMapping } from './check-scenario.ts';
import { readYaml } from './read-yaml.ts';

export type DataText = { readonly text: string } | { readonly refusal: string };

/** By path, as in the config. */
export type DataTexts = Readonly<Record<string, DataText>>;

export const LARGEST_DATA = 10_000_000;
export const LARGEST_DATA_FORM = '10 MB';

const FORM = /^[^\\\p{Cc}]+\.(?:csv|json)$/u;
const FORBIDDEN = ['', '.', '..', '.git', 'node_modules'];

export const DATA_PATH_FORM =
	'a .csv or .json file in the folder of the config or below, without "..", e.g. users.csv or bench/users.csv';

export function isDataPath(path: string): boolean {
	return FORM.test(path) && !path.split('/').some((part) => FORBIDDEN.includes(part));
}

/** Returns allowed data paths, each once; empty for invalid YAML. */
export function dataPathsIn(text: string, name: string): string[] {
	let config: unknown;
	try {
		config = readYaml(text, name).value;
	} catch {
		// `parseConfig` reports the error.
		return [];
	}
	const paths = asList(asMapping(config).scenarios).map((scenario) => asMapping(scenario).data);
	return [...new Set(paths)].filter((path) => typeof path === 'string').filter(isDataPath);
}
