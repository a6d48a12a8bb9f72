/**
 * Writes docs/published-ratios.md. `npm run docs:ratios -- RESULT.json` first adds our ratios from a result of
 * `benchgate measure --json`; without a file it rewrites the page from the committed data. Options: --page ergo: the
 * result was measured on the Node of that page. --add: keep earlier runs; this one takes precedence. --node 22: of a
 * result with several runtimes, take the servers on this Node. --commands: print how to measure each page.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { commandsOf } from './published/measure-commands.ts';
import { readMeasureResult } from './published/measure-docs-files.ts';
import { measuredRun, nodeOf, writeMeasured } from './published/measured-run.ts';
import { measuredPath, RATIOS_PAGE, ratiosPage, readMeasured, readPages } from './published/published-files.ts';

const ROOT = new URL('../', import.meta.url);
const { values, positionals } = parseArgs({
	options: {
		page: { type: 'string' },
		node: { type: 'string' },
		add: { type: 'boolean' },
		commands: { type: 'boolean' },
	},
	allowPositionals: true,
});

const all = readPages();
const pages = all.filter(({ id }) => values.page === undefined || id === values.page);
if (pages.length === 0)
	throw new Error(`there is no page ${values.page}; pages: ${all.map(({ id }) => id).join(', ')}`);

if (values.commands === true) {
	console.log(pages.flatMap(commandsOf).join('\n'));
} else {
	const [file] = positionals;
	if (file !== undefined) take(file);
	else if (values.page !== undefined) throw new Error('--page needs the file that `benchgate measure --json` wrote');
	writeFileSync(new URL(RATIOS_PAGE, ROOT), ratiosPage());
}

function take(file: string): void {
	const [page] = values.page === undefined ? [] : pages;
	const wanted = values.node ?? (page && nodeOf(page)) ?? undefined;
	if (page !== undefined && wanted === undefined)
		throw new Error(`${page.name} does not say which Node it ran on: name one with --node`);
	const run = measuredRun(readMeasureResult(readFileSync(file, 'utf8')), pages, {
		node: wanted,
		onNodeOnly: page !== undefined,
	});
	const before = values.add === true ? readMeasured(page?.id).runs : [];
	writeFileSync(new URL(measuredPath(page?.id), ROOT), writeMeasured({ runs: [...before, run] }));
}
