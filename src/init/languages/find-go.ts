import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { findDatabase } from '../databases.ts';
import { healthIn, type Service } from '../find-service.ts';
import { joinPaths } from '../follow-imports.ts';
import { listSources } from './list-sources.ts';

const PROGRAM = 'benchgate-server';
const MAIN = /^package main\b/m;
const SERVES = /\bListenAndServe(?:TLS)?\(|\bhttp\.Serve\(|\.(?:Run|Listen|Start)\(/;
// By its name or a tag; Run() of gin and AutomaticEnv() of viper read it by themselves.
const READS_PORT = /"PORT[",]|\.Run\(\)|\bAutomaticEnv\(/;
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
	const routes = findGoRoutes(all);
	return {
		command: `exec ./${PROGRAM}`,
		prepare: `go build -trimpath -buildvcs=false -o ${PROGRAM} ${mainPackage.folder === '.' ? '.' : `./${mainPackage.folder}`}`,
		reason: `${mainPackage.folder === '.' ? 'its main package' : mainPackage.folder} listens`,
		routes,
		health: healthIn(routes),
		database: findDatabase([...modulesOf(module), ...all.flatMap(driversOf)]),
		readsPort: all.some((text) => READS_PORT.test(text)),
	};
}

function driversOf(text: string): string[] {
	return [...text.matchAll(/^\s*(?:import\s+)?_\s+"([^"]+)"/gm)].map(([, name = '']) => name);
}

function modulesOf(module: string): string[] {
	const lines = module.split('\n').filter((line) => !line.includes('// indirect'));
	return lines.flatMap(
		(line) =>
			/^\s*(?:require\s+)?([\w.-]+\.[a-z]+\/\S+|gorm\.io\/\S+|modernc\.org\/\S+)\s+v\d/
				.exec(line)?.[1]
				?.replace(/\/v\d+$/, '') ?? [],
	);
}

const HANDLED = /\b(?:([\w$]+)\.)?Handle(?:Func)?\(\s*"(?:GET )?(\/[^"]*)"/g;
const CALL =
	/\b([\w$]+)(?:\.With\([^()]*\))?\.(?:G(?:et|ET)|(?:Handle|Handler|HandlerFunc|Method|MethodFunc|Add)(?=\(\s*(?:"GET"|http\.MethodGet|echo\.GET)))\(\s*(?:[\w."]+\s*,\s*)?"([^"\s]*)"\s*,/g;
const GROUP = /\b(\w+)\s*:?=\s*(\w+)\.(?:Group|PathPrefix)\(\s*"([^"]*)"/g;
const FUNCTION =
	/\bfunc\s+(?:\([^)]*\)\s*)?(\w+)\(([^)]*?)\b(\w+)\s+(?:\*?(?:gin|echo|chi|fiber|mux)\.)(?:RouterGroup|IRouter|IRoutes|Engine|Group|Echo|Router|Mux|App)\b[^{]*\{/g;
const PASSED = /\b(?:\w+\.)?(\w+)\(\s*(?:[\w.&]+,\s*)?(\w+)(?:\.Group\(\s*"([^"]*)"[^)]*\))?\s*[,)]/g;
const NESTED = /\b(\w+)\.(?:Route|Group)\(\s*(?:"([^"]*)"\s*,\s*)?func\(\s*(\w+)\s+[\w.*]+\)\s*\{/g;
const MOUNTED = /\.Mount\(\s*"([^"]*)"\s*,\s*(?:[\w.]+\{?\}?\.)?(\w+)\(/g;
const NEW_ROUTER = /\bfunc\s+(?:\([^)]*\)\s*)?(\w+)\([^)]*\)\s*(?:chi\.Router|\*chi\.Mux|http\.Handler)\s*\{/g;
const NO_ROUTER = /^(?:client|c|ctx|req|request|resp|header|headers|cache|q|query|params|viper|os|w|db)$/;
const DEEPEST = 6;

interface Scope {
	readonly from: number;
	readonly to: number;
	readonly name: string;
	readonly prefix: () => string | null;
}

/**
 * Returns each GET route once, in order of the files, with the prefixes of its groups, also through functions that get a
 * group. A group whose prefix is not known has no routes.
 */
function findGoRoutes(texts: readonly string[]): readonly string[] {
	const passed = new Map<string, () => string | null>();
	const scopes = texts.map((text) => scopesOf(text, passed));
	const prefixAt = (at: number, text: number, name: string, depth = 0): string | null => {
		if (depth > DEEPEST) return null;
		const around = (scopes[text] ?? []).filter((scope) => scope.from < at && at < scope.to && scope.name === name);
		const inner = around.toSorted((one, other) => other.from - one.from)[0];
		const group = [...(texts[text] ?? '').matchAll(GROUP)].findLast(
			(match) => match[1] === name && match.index < at && (inner === undefined || match.index > inner.from),
		);
		if (group !== undefined) {
			const above = prefixAt(group.index, text, group[2] ?? '', depth + 1);
			return above === null ? null : joinPaths(above, group[3] ?? '');
		}
		return inner === undefined ? '' : inner.prefix();
	};
	for (const [at, text] of texts.entries()) {
		for (const { index, 1: called = '', 2: name = '', 3: group = '' } of text.matchAll(PASSED)) {
			if (passed.has(called)) continue;
			passed.set(
				called,
				once(() => {
					const above = prefixAt(index, at, name);
					return above === null ? null : joinPaths(above, group);
				}),
			);
		}
		for (const { index, 1: prefix = '', 2: called = '' } of text.matchAll(MOUNTED)) {
			const receiver = /(\w+)\s*$/.exec(text.slice(0, index))?.[1] ?? '';
			passed.set(
				called,
				once(() => {
					const above = prefixAt(index, at, receiver);
					return above === null ? null : joinPaths(above, prefix);
				}),
			);
		}
	}
	const routes = texts.flatMap((text, file) =>
		[...text.matchAll(HANDLED), ...text.matchAll(CALL)]
			.toSorted((one, other) => one.index - other.index)
			.flatMap(({ index, 0: call, 1: receiver = '', 2: route = '' }) => {
				const isClient = NO_ROUTER.test(receiver) || call.startsWith('http.Get(');
				if (isClient || (route !== '' && !route.startsWith('/'))) return [];
				const prefix = prefixAt(index, file, receiver);
				// `/{$}` matches only the top page.
				if (prefix === null) return [];
				const joined = joinPaths(prefix, route.replace(/\{\$\}$/, ''));
				// gin and echo keep a slash at the end.
				const slash = route.endsWith('/') && /\.[A-Z]+\(/.test(call) ? '/' : '';
				return [joined + slash || '/'];
			}),
	);
	return [...new Set(routes)];

	function scopesOf(text: string, known: ReadonlyMap<string, () => string | null>): readonly Scope[] {
		const file = texts.indexOf(text);
		const functions = [...text.matchAll(FUNCTION)].map(({ index, 0: head, 1: called = '', 3: name = '' }): Scope => {
			const from = index + head.length - 1;
			return {
				from,
				to: closingOf(text, from),
				name,
				prefix: () => known.get(called)?.() ?? (known.has(called) ? null : ''),
			};
		});
		const routers = [...text.matchAll(NEW_ROUTER)].flatMap(({ index, 0: head, 1: called = '' }): Scope[] => {
			const from = index + head.length - 1;
			const to = closingOf(text, from);
			const name = /\b(\w+)\s*:=\s*chi\.NewRouter\(/.exec(text.slice(from, to))?.[1];
			return name === undefined ? [] : [{ from, to, name, prefix: () => known.get(called)?.() ?? '' }];
		});
		const nested = [...text.matchAll(NESTED)].map(
			({ index, 0: head, 1: above = '', 2: prefix = '', 3: name = '' }): Scope => {
				const from = index + head.length - 1;
				const around = once(() => {
					const outer = prefixAt(index, file, above);
					return outer === null ? null : joinPaths(outer, prefix);
				});
				return { from, to: closingOf(text, from), name, prefix: around };
			},
		);
		return [...functions, ...routers, ...nested];
	}
}

function once(compute: () => string | null): () => string | null {
	let value: string | null | undefined;
	return () => {
		if (value !== undefined) return value;
		value = null;
		value = compute();
		return value;
	};
}

function closingOf(text: string, open: number): number {
	let depth = 0;
	for (let at = open; at < text.length; at++) {
		if (text[at] === '{') depth++;
		else if (text[at] === '}' && --depth === 0) return at;
	}
	return text.length;
}
