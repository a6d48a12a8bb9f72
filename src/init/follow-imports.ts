import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** A source file without comments. */
export interface SourcePart {
	readonly text: string;
	/** Prefix of the file's paths: `/api`, or empty. */
	readonly prefix: string;
}

/** Enough for a first config. */
const MOST_FILES = 40;
/** Enough to identify a file. */
const READ = 64 * 1024;
const ENDINGS = ['', '.js', '.ts', '.mjs', '.cjs', '.mts', '.cts', '/index.js', '/index.ts'];
/** TypeScript imports the compiled name. */
const MADE = /\.([cm]?)js$/;

const IMPORT = /\bimport\s+(?:type\s+)?([\w$*\s{},]+?)\s+from\s*(['"])(\.[^'"\n]*)\2/g;
const REQUIRE =
	/\b(?:const|let|var)\s+([\w$\s{},:]+?)\s*=\s*(?:await\s+)?(?:require|import)\(\s*(['"])(\.[^'"\n]*)\2\s*\)/g;
const OTHER = /(?:\brequire\(|\bimport\(|\bimport\s|\bfrom\s)\s*(['"])(\.[^'"\n]*)\1/g;
/** `app.use('/users', users)`, and fastify's `app.register(users, { prefix: '/users' })`. */
const MOUNT = /\.(?:use|route|mount|register)\(\s*(['"`])(\/[^'"`\n$]*)\1\s*,([^;\n]*)/g;
const REGISTER = /\.register\(\s*([^;{\n]+?),\s*\{[^}\n]*?\bprefix:\s*(['"`])(\/[^'"`\n$]*)\2/g;

/** `const users = new Router({ prefix: '/users' })`. */
const OWN =
	/\b(?:const|let|var)\s+([\w$]+)\s*=\s*(?:new\s+)?[\w$.]+\(\s*\{[^}\n]*?\bprefix:\s*(['"`])(\/[^'"`\n$]*)\2/g;

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
		parts.push({ text, prefix: next.prefix });
		const mounts = mountsIn(text);
		for (const { names, from } of importsIn(text)) {
			const file = await findFile(top, path.posix.join(path.posix.dirname(next.file), from));
			if (file === null) continue;
			const mounted = [...names, from].map((name) => mounts.get(name)).find((prefix) => prefix !== undefined);
			waiting.push({ file, prefix: joinPaths(next.prefix, mounted ?? '') });
		}
	}
	return parts;
}

/** Returns the beginning of a source file without comments, because comments may contain examples. */
export async function readSource(file: string): Promise<string | null> {
	const text = await readFile(file, 'utf8').catch(() => null);
	return text?.slice(0, READ).replace(/(?<=^|\s)(?:\/\*[\s\S]*?\*\/|\/\/.*$)/gm, '') ?? null;
}

/** Returns mount paths by imported name, or by path if the call itself loads the file. */
export function mountsIn(text: string): ReadonlyMap<string, string> {
	const mounts = new Map<string, string>();
	const mount = (words: string, prefix: string) => {
		const named = words.match(/(?<=['"])\.[^'"]*(?=['"])|[\w$]+/g) ?? [];
		for (const name of named) if (!mounts.has(name)) mounts.set(name, prefix);
	};
	for (const [, , prefix = '', words = ''] of text.matchAll(MOUNT)) mount(words, prefix);
	for (const [, words = '', , prefix = ''] of text.matchAll(REGISTER)) mount(words, prefix);
	for (const [, name = '', , prefix = ''] of text.matchAll(OWN)) mount(name, prefix);
	return mounts;
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
