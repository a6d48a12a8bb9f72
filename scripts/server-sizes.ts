/**
 * Measures the installed size of each built-in server, and writes it with its requirements into the table of
 * docs/servers.md: `npm run docs:sizes`. Installs only servers that benchgate's cache lacks; those that cannot be
 * installed here keep their entries. With names, as in `npm run docs:sizes -- koa express`, measures only these
 * servers.
 */
import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findCacheFolder } from '../src/cli/measuring.ts';
import { loadCatalogue } from '../src/config/load-catalogue.ts';
import { resolveConfig } from '../src/config/resolve-config.ts';
import { findNode } from '../src/measure/machine.ts';
import { TOOL_ROOT } from '../src/process/entries.ts';
import { startJanitor } from '../src/process/janitor.ts';
import { installServers } from '../src/runs/ranking/install-servers.ts';
import { fillNeeds, fillSizes } from './server-table.ts';

const PAGE = new URL('../docs/servers.md', import.meta.url);

const janitor = await startJanitor();
try {
	const catalogue = await loadCatalogue(TOOL_ROOT);
	const args = process.argv.slice(2);
	const names = args.length > 0 ? args : catalogue.servers.map(({ name }) => name);
	const config = resolveConfig(null, { server: names.join(','), scenario: 'ping' }, catalogue, () => 1);
	const factsOf = (name: string) => {
		const server = catalogue.servers.find((one) => one.name === name);
		return { description: server?.description ?? '', direct: server?.dependencies ?? [], runtime: server?.runtime };
	};
	const { prepared, servers } = await installServers(config, factsOf, {
		...{ cwd: process.cwd(), toolRoot: TOOL_ROOT, cacheFolder: findCacheFolder(), node: findNode(undefined), janitor },
		progress: { step: (text) => console.error(text), status() {} },
		signal: new AbortController().signal,
	});
	for (const { name, state, reason } of servers) {
		if (state !== 'installed') console.error(`${name} keeps what the page says: ${state} (${reason})`);
	}
	const sizes = new Map([...prepared].map(([name, { cwd }]) => [name, sizeOf(cwd)]));
	writeFileSync(PAGE, fillNeeds(fillSizes(readFileSync(PAGE, 'utf8'), sizes), catalogue.servers));
} finally {
	await janitor.close();
}

/** Bytes of all files below a folder; does not follow links. */
function sizeOf(folder: string): number {
	return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
		const path = join(folder, entry.name);
		return sum + (entry.isDirectory() ? sizeOf(path) : entry.isFile() ? lstatSync(path).size : 0);
	}, 0);
}
