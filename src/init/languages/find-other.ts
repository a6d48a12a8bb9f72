import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { shellWord } from '../../text/escape.ts';
import { NOTHING_TO_DO } from '../config-parts.ts';
import { isAside } from '../rank-candidates.ts';
import type { Started } from '../repository.ts';
import { findGo } from './find-go.ts';
import { findJava } from './find-java.ts';
import { findPython } from './find-python.ts';
import { findRust } from './find-rust.ts';

const READERS = [findGo, findPython, findRust, findJava];
const UNREAD: readonly (readonly [RegExp, string])[] = [
	[/^composer\.json$/, 'PHP'],
	[/^Gemfile$/, 'Ruby'],
	[/^mix\.exs$/, 'Elixir'],
	[/\.(?:csproj|fsproj|sln)$/, '.NET'],
	[/^build\.gradle(?:\.kts)?$/, 'Gradle'],
	[/^build\.sbt$/, 'Scala'],
	[/^Package\.swift$/, 'Swift'],
	[/^(?:deps\.edn|project\.clj)$/, 'Clojure'],
	[
		/^(?:dub\.json|shard\.yml|gleam\.toml|pubspec\.yaml|rebar\.config|CMakeLists\.txt|build\.zig|stack\.yaml)$/,
		'a language that init cannot read',
	],
];

/** Returns the file that names a language without a reader, and the language. */
export async function findUnread(cwd: string): Promise<{ readonly file: string; readonly language: string } | null> {
	const names = await readdir(cwd).catch(() => []);
	for (const [pattern, language] of UNREAD) {
		const file = names.find((name) => pattern.test(name));
		if (file !== undefined) return { file, language };
	}
	return null;
}

const FOLDERS = ['.', 'backend', 'server', 'api', 'app', 'src', 'service'];
const SKIPPED = /^(?:\.|node_modules$|vendor$)/;
const MOST_SEARCHED = 30;

/**
 * Returns the service at the top or in a folder whose name suggests it, else those of all folders. The first folder
 * that has routes is the most likely.
 */
export async function findOthers(cwd: string): Promise<readonly Started[]> {
	for (const folder of FOLDERS) {
		const started = await findIn(cwd, folder);
		if (started !== null) return [started];
	}
	const entries = await readdir(cwd, { withFileTypes: true }).catch(() => []);
	const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
	const likely = folders.filter((name) => !SKIPPED.test(name) && !isAside(name));
	const found: Started[] = [];
	for (const folder of likely.sort().slice(0, MOST_SEARCHED)) {
		const started = await findIn(cwd, folder);
		if (started !== null) found.push(started);
	}
	return found;
}

async function findIn(cwd: string, folder: string): Promise<Started | null> {
	const at = path.join(cwd, folder);
	const service = await firstOf(READERS.map((read) => () => read(at)));
	if (service === null) return null;
	const { prepare } = service;
	const below = folder !== '.' && prepare !== undefined && prepare !== NOTHING_TO_DO;
	return {
		found: { folder, json: { name: await nameFolder(at) } },
		service: below ? { ...service, prepare: `cd ${shellWord(folder)} && ${prepare}` } : service,
	};
}

async function firstOf<T>(readers: readonly (() => Promise<T | null>)[]): Promise<T | null> {
	for (const read of readers) {
		const found = await read();
		if (found !== null) return found;
	}
	return null;
}

async function nameFolder(cwd: string): Promise<string> {
	const module = await readFile(path.join(cwd, 'go.mod'), 'utf8').catch(() => '');
	const named = /^module\s+(?:\S*\/)?([^\s/]+)/m.exec(module)?.[1];
	return named ?? path.basename(path.resolve(cwd));
}
