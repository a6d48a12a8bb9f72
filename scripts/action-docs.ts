/**
 * Writes the options into action.yml and the reusable workflows, a copy of action.yml for our own workflows, and the
 * tables of inputs and outputs of docs/action.md. With --check: writes nothing and fails when one differs.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { markdownTable } from 'markdown-table';
import { parse } from 'yaml';
import { OPTION_FILES, withOptions } from './action-options.ts';

const ROOT = new URL('../', import.meta.url);
const PAGE = 'docs/action.md';
/** Copy in a folder: `uses: $/FOLDER` names an action of the workflow's own commit, and `$/` alone is not allowed. */
const TWIN = '.github/action/action.yml';
const TWIN_NOTE = '# The action at the top, for our own workflows. Written by npm run docs:action from action.yml.';

interface Entry {
	readonly description: string;
	readonly default?: string;
}

const read = (file: string) => readFileSync(new URL(file, ROOT), 'utf8');
const { inputs, outputs } = parse(withOptions('action.yml', read('action.yml'))) as Readonly<
	Record<'inputs' | 'outputs', Record<string, Entry>>
>;

const TABLES: Readonly<Record<string, string>> = {
	inputs: table(
		['input', 'default', 'meaning'],
		Object.entries(inputs).map(([name, entry]) => [code(name), code(entry.default ?? ''), prose(entry.description)]),
	),
	outputs: table(
		['output', 'meaning'],
		Object.entries(outputs).map(([name, entry]) => [code(name), prose(entry.description)]),
	),
};

function table(head: string[], rows: string[][]): string {
	// Descriptions are too long for columns of equal width.
	return markdownTable([head, ...rows]);
}

function code(text: string): string {
	return text === '' ? '' : `\`${text}\``;
}

function prose(text: string): string {
	return text.trim().replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');
}

/** Returns the page with the table between its markers, `<!-- action:NAME -->` and `<!-- / -->`. */
function withTable(page: string, text: string, name: string): string {
	const marked = new RegExp(`(<!-- action:${name} -->\n)[^]*?(\n<!-- / -->)`);
	if (!marked.test(text))
		throw new Error(`${page} has no markers for the ${name}: <!-- action:${name} --> and <!-- / -->`);
	return text.replace(marked, (_, begin: string, end: string) => `${begin}\n${TABLES[name]}\n${end}`);
}

const withTables = (page: string, text: string) =>
	Object.keys(TABLES).reduce((current, name) => withTable(page, current, name), text);

/** Returns action.yml with its paths as seen two folders further down. */
function twinOf(action: string): string {
	return `${TWIN_NOTE}\n${action.replaceAll(/^( *(?:main|post): )(?=dist\/)/gm, '$1../../')}`;
}

/** Writes the file if its text changed; with --check only reports that. */
function renew(file: string, source: string, renewed: (file: string, text: string) => string): void {
	const text = existsSync(new URL(file, ROOT)) ? read(file) : '';
	const fresh = renewed(file, text);
	if (fresh === text) return;
	if (process.argv.includes('--check')) {
		console.error(`${file} is not what ${source} says: run npm run docs:action`);
		process.exitCode = 1;
	} else writeFileSync(new URL(file, ROOT), fresh);
}

for (const file of OPTION_FILES) renew(file, 'src/config/options.ts', withOptions);
mkdirSync(new URL('.', new URL(TWIN, ROOT)), { recursive: true });
renew(TWIN, 'action.yml', () => twinOf(read('action.yml')));
renew(PAGE, 'action.yml', withTables);
