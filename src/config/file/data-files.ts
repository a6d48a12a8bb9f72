/** Which data files a config names, and what was found at their paths. */
import { asList, asMapping } from './check-scenario.ts';
import { readYaml } from './read-yaml.ts';

/** What is at a path: the text of the file, or why it cannot be used. */
export type DataText = { readonly text: string } | { readonly refusal: string };

/** Data files by their path as the config gives it. */
export type DataTexts = Readonly<Record<string, DataText>>;

/** Largest data file, bytes. */
export const LARGEST_DATA = 10_000_000;
/** What `LARGEST_DATA` is called. */
export const LARGEST_DATA_FORM = '10 MB';

const FORM = /^[^\\\p{Cc}]+\.(?:csv|json)$/u;
const FORBIDDEN = ['', '.', '..', '.git', 'node_modules'];

/** What a path of a data file can be. */
export const DATA_PATH_FORM =
	'a .csv or .json file in the folder of the config or below, without "..", e.g. users.csv or bench/users.csv';

/** Returns whether a data file may have this path: relative, below the folder of the config, and with a known ending. */
export function isDataPath(path: string): boolean {
	return FORM.test(path) && !path.split('/').some((part) => FORBIDDEN.includes(part));
}

/** Returns the paths of the data files that a config names, each once, without those it may not name. Empty for a text that is no YAML. */
export function dataPathsIn(text: string, name: string): string[] {
	let config: unknown;
	try {
		config = readYaml(text, name).value;
	} catch {
		// What is wrong with the config is said where its content is parsed.
		return [];
	}
	const paths = asList(asMapping(config).scenarios).map((scenario) => asMapping(scenario).data);
	return [...new Set(paths)].filter((path) => typeof path === 'string').filter(isDataPath);
}
