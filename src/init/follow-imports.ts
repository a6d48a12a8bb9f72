import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** A source file without comments. */
export interface SourcePart {
	readonly text: string;
	/** Prefix of the file's paths: `/api`, or empty. */
	readonly prefix: string;
}

const MOST_FILES = 40;
const READ = 64 * 1024;
const SOURCE = /\.[cm]?[jt]s$/;
const NO_PLUGIN = /\.d\.[cm]?ts$|[._-](?:test|spec)\.|schema/;
const DEEPEST = 8;
const MOST_CALLS = 200;
const WORD = 200;
const ENDINGS = ['', '.js', '.ts', '.mjs', '.cjs', '.mts', '.cts', '/index.js', '/index.ts'];
const MADE = /\.([cm]?)js$/;

const IMPORT = /\bimport\s+(?:type\s+)?([\w$*\s{},]+?)\s+from\s*(['"])((?:\.|[@~]\/)[^'"\n]*)\2/g;
const REQUIRE =
	/\b(?:const|let|var)\s+([\w$\s{},:]+?)\s*=\s*(?:await\s+)?(?:require|import)\(\s*(['"])((?:\.|[@~]\/)[^'"\n]*)\2\s*\)/g;
const OTHER = /(?:\brequire\(|\bimport\(|\bimport\s|\bfrom\s)\s*(['"])((?:\.|[@~]\/)[^'"\n]*)\1/g;
const MOUNT = /\.(?:use|route|mount|register)\(\s*(?:(['"`])(\/[^'"`\n$]*)\1\s*,)?([^;\n]*)/g;
const PREFIXED = /^([\s\S]{0,300}?),\s*\{[^}]*?\bprefix:\s*(['"`])(\/[^'"`\n$]*)\2/;
const OWN =
	/\b(?:const|let|var)\s+([\w$]+)\s*=\s*(?:new\s+)?[\w$.]+\(\s*(?:\{[^}\n]*?\bprefix:\s*(['"`])(\/[^'"`\n$]*)\2|\)\s*\.basePath\(\s*(['"`])(\/[^'"`\n$]*)\4)/g;
const SET = /\b([\w$]+)\.prefix\(\s*(['"`])(\/[^'"`\n$]*)\2\s*\)/g;
const AUTOLOAD =
	/\bdir:\s*(?:path\.)?(?:join|resolve)\(\s*[\w.$]+\s*,\s*(['"`])([\w./-]+)\1\s*\)(?:[^}]{0,200}?\bprefix:\s*(['"`])(\/[^'"`\n$]*)\3)?/g;

/** Returns the program (relative to `top`) and its own files, in order of import. */
export async function followImports(top: string, program: string): Promise<readonly SourcePart[]> {
	const parts: SourcePart[] = [];
	const seen = new Set<string>();
	const waiting = [{ file: program, prefix: '' }];
	for (let next = waiting.shift(); next !== undefined && parts.length < MOST_FILES; next = waiting.shift()) {
		if (seen.has(next.file)) continue;
		seen.add(next.file);
		const text = await readSource(path.join(top, next.file));
		if (text === null) continue;
		const { file, prefix } = next;
		parts.push({ text, prefix });
		const mounts = mountsIn(text);
		for (const { names, from } of importsIn(text)) {
			const found = await findImport(top, file, from);
			if (found === null) continue;
			const mounted = [...names, from].map((name) => mounts.get(name)).find((each) => each !== undefined);
			waiting.push({ file: found, prefix: joinPaths(prefix, mounted ?? '') });
		}
		for (const [, , folder = '', , around = ''] of text.matchAll(AUTOLOAD)) {
			const inside = path.posix.join(path.posix.dirname(file), folder);
			for (const plugin of await listPlugins(path.join(top, inside))) {
				const below = path.posix.dirname(plugin).replace(/^\.$/, '');
				waiting.push({ file: path.posix.join(inside, plugin), prefix: [prefix, around, below].reduce(joinPaths) });
			}
		}
	}
	return parts;
}

async function listPlugins(folder: string): Promise<readonly string[]> {
	const names = await readdir(folder, { recursive: true }).catch(() => []);
	return names
		.map((name) => name.split(path.sep).join('/'))
		.filter((name) => SOURCE.test(name) && !NO_PLUGIN.test(name))
		.sort();
}

/** Returns the beginning of a source file without comments, because comments may contain examples. */
export async function readSource(file: string): Promise<string | null> {
	const text = await readFile(file, 'utf8').catch(() => null);
	return text?.slice(0, READ).replace(/(?<=^|\s)(?:\/\*[\s\S]*?\*\/|\/\/.*$)/gm, '') ?? null;
}

/** Returns mount paths by name, or by path if the call itself loads the file, with those of the routers around. */
export function mountsIn(text: string): ReadonlyMap<string, string> {
	const own = new Map<string, string>();
	for (const [, name = '', , prefix, , base] of text.matchAll(OWN)) own.set(name, prefix ?? base ?? '');
	for (const [, name = '', , prefix = ''] of text.matchAll(SET)) own.set(name, prefix);
	const parents = new Map<string, { readonly around: string | null; readonly prefix: string }>();
	for (const { index, 2: first = '', 3: words = '' } of text.matchAll(MOUNT)) {
		const [, plugin, , option] = PREFIXED.exec(text.slice(index).replace(/^\.\w+\(/, '')) ?? [];
		const isPlugin = first === '' && text.startsWith('.register', index) && plugin !== undefined;
		const named = (isPlugin ? plugin : words).match(/(?<=['"])\.[^'"]*(?=['"])|[\w$]+/g) ?? [];
		const around = receiverBefore(text, index);
		for (const name of named) {
			const prefix = isPlugin ? (option ?? '') : first;
			const isBetter = prefix !== '' && parents.get(name)?.prefix === '';
			if (name !== around && (!parents.has(name) || isBetter)) parents.set(name, { around, prefix });
		}
	}
	const prefixOf = (name: string, depth: number): string => {
		const parent = parents.get(name);
		const above =
			parent === undefined || depth > DEEPEST
				? ''
				: joinPaths(parent.around === null ? '' : prefixOf(parent.around, depth + 1), parent.prefix);
		return joinPaths(above, own.get(name) ?? '');
	};
	return new Map([...own.keys(), ...parents.keys()].map((name) => [name, prefixOf(name, 0)]));
}

/** Returns the variable whose method is called at `index`, or to which the chain is assigned; null without one. */
export function receiverBefore(text: string, index: number): string | null {
	let at = index;
	let name = '';
	for (let step = 0; step < MOST_CALLS; step++) {
		const before = text.slice(Math.max(0, at - WORD), at).trimEnd();
		at -= text.slice(Math.max(0, at - WORD), at).length - before.length;
		if (before.endsWith(')')) {
			at = openingOf(text, at - 1);
			name = '';
			continue;
		}
		const [word = ''] = /[\w$.]+$/.exec(before) ?? [];
		if (word === '') break;
		at -= word.length;
		// A word before a call is a method or a function; without a call it is the receiver.
		name = text[at + word.length] === '(' ? '' : (word.split('.').at(-1) ?? '');
		if (!word.startsWith('.')) break;
	}
	if (name !== '') return name;
	const before = text.slice(Math.max(0, at - WORD), at);
	return /(?:const|let|var)\s+([\w$]+)\s*(?::[^=]+)?=\s*(?:new\s+)?$/.exec(before)?.[1] ?? null;
}

function openingOf(text: string, close: number): number {
	let depth = 0;
	for (let at = close; at >= 0 && close - at < READ; at--) {
		if (text[at] === ')') depth++;
		else if (text[at] === '(' && --depth === 0) return at;
	}
	return 0;
}

/** Joins two paths; `/api` and `/` become `/api`. */
export function joinPaths(prefix: string, inside: string): string {
	const joined = `${prefix.replace(/\/+$/, '')}/${inside.replace(/^\/+/, '')}`;
	return inside === '' || inside === '/' ? prefix || inside : joined;
}

function importsIn(text: string): { readonly names: readonly string[]; readonly from: string }[] {
	const named = [...text.matchAll(IMPORT), ...text.matchAll(REQUIRE)].map(([, words = '', , from = '']) => ({
		// In `users as routes` and `users: routes`, code uses the last name.
		names: words.split(',').flatMap((word) => word.match(/[\w$]+(?=[\s}]*$)/) ?? []),
		from,
	}));
	const bare = [...text.matchAll(OTHER)].map(([, , from = '']) => ({ names: [], from }));
	const namedPaths = new Set(named.map(({ from }) => from));
	return [...named, ...bare.filter(({ from }) => !namedPaths.has(from))];
}

async function findImport(top: string, file: string, from: string): Promise<string | null> {
	if (from.startsWith('.')) return findFile(top, path.posix.join(path.posix.dirname(file), from));
	const inside = from.slice(2);
	return (await findFile(top, `src/${inside}`)) ?? findFile(top, inside);
}

async function findFile(top: string, inside: string): Promise<string | null> {
	const bases = MADE.test(inside) ? [inside, inside.replace(MADE, '.$1ts')] : [inside];
	for (const base of bases) {
		for (const ending of ENDINGS) {
			const file = base + ending;
			if (file.startsWith('..') || file.includes('node_modules/')) return null;
			if ((await readFile(path.join(top, file)).catch(() => null)) !== null) return file;
		}
	}
	return null;
}
