/** Finds a Go service. */

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { databaseOfGo, healthIn, type Service } from '../find-service.ts';
import { listSources } from './list-sources.ts';

/** No folder of a repository has this name. */
const PROGRAM = 'benchgate-server';
const MAIN = /^package main\b/m;
const SERVES = /\bListenAndServe(?:TLS)?\(|\bhttp\.Serve\(|\.(?:Run|Listen|Start)\(/;
/** gin's `Run()` reads PORT by itself. */
const READS_PORT = /\b(?:Getenv|LookupEnv)\("PORT"\)|\.Run\(\)/;
const OWN_PORT = /"[\w.]*:\d{2,5}"/;
const HANDLED = /\b(?:([\w$]+)\.)?Handle(?:Func)?\(\s*"(?:GET )?(\/[^"]*)"/g;
const CALL = /\b([\w$]+)\.G(?:et|ET)\(\s*"(\/[^"]*)"/g;
/** `v1 := router.Group("/v1")`. */
const GROUP = /\b(\w+)\s*:?=\s*(\w+)\.Group\(\s*"(\/[^"]*)"/g;
/** Nested routers of chi have the same name, so prefixes cannot be read line by line. */
const NESTED = /\.Route\(\s*"/;
/** Clients and other objects with a similar method. */
const NO_ROUTER = /^(?:client|c|ctx|req|request|resp|header|cache)$/;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;

export async function findGo(cwd: string): Promise<Service | null> {
	const module = await readFile(path.join(cwd, 'go.mod'), 'utf8').catch(() => null);
	if (module === null) return null;
	const sources = [...(await listSources(cwd, '.go'))].map(([file, text]) => ({
		folder: path.posix.dirname(file),
		text: text.replace(COMMENT, ''),
	}));
	const texts = Map.groupBy(sources, ({ folder }) => folder);
	const mains = [...texts].flatMap(([folder, files]) => {
		const text = files.map((file) => file.text).join('\n');
		return MAIN.test(text) ? [{ folder, text }] : [];
	});
	const all = sources.map(({ text }) => text);
	// If the code that listens is in another package, the program is known only if there is just one.
	const mainPackage =
		mains.find(({ text }) => SERVES.test(text)) ??
		(mains.length === 1 && all.some((text) => SERVES.test(text)) ? mains[0] : undefined);
	if (mainPackage === undefined) return null;
	const routes = [...new Set(all.flatMap(routesIn))];
	return {
		command: `exec ./${PROGRAM}`,
		prepare: `go build -buildvcs=false -o ${PROGRAM} ${mainPackage.folder === '.' ? '.' : `./${mainPackage.folder}`}`,
		routes,
		health: healthIn(routes),
		database: databaseOfGo(module),
		readsPort: all.some((text) => READS_PORT.test(text)) ? true : OWN_PORT.test(mainPackage.text) ? false : null,
	};
}

function routesIn(text: string): string[] {
	if (NESTED.test(text)) return [];
	const groups = new Map<string, string>();
	for (const [, name = '', around = '', prefix = ''] of text.matchAll(GROUP)) {
		groups.set(name, (groups.get(around) ?? '') + prefix);
	}
	return [...text.matchAll(HANDLED), ...text.matchAll(CALL)]
		.toSorted((one, other) => one.index - other.index)
		.flatMap(([, receiver = '', route = '']) =>
			// `/{$}` matches only the top page.
			NO_ROUTER.test(receiver) ? [] : [(groups.get(receiver) ?? '') + route.replace(/\{\$\}$/, '')],
		);
}
