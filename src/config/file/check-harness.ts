import { asList, asMapping } from './check-scenario.ts';
import type { Path, Problem } from './problem.ts';
import type { YamlSource } from './read-yaml.ts';

const FORBIDDEN = ['..', '.git', 'node_modules'];

/** Normalises a relative folder: `./bench//api/` → `bench/api`; `.` is the top. */
export function plainFolder(folder: string): string {
	const parts: string[] = [];
	for (const part of folder.split('/')) {
		if (part === '' || part === '.') continue;
		if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
		else parts.push(part);
	}
	return parts.join('/') || '.';
}

export function isWithin(path: string, folder: string): boolean {
	return path === folder || path.startsWith(`${folder}/`);
}

/** Returns problems of the folders, and servers outside them, which head could change. */
export function checkHarness(source: YamlSource): Problem[] {
	const config = asMapping(source.value);
	const folderTexts = asList(config.harness).filter(
		(folder) => typeof folder === 'string' && folder !== '',
	) as string[];
	if (folderTexts.length === 0) return [];
	const at = (path: Path, message: string): Problem => ({ line: source.lineOf(path), path, message });
	const folders = folderTexts.map(plainFolder);
	const refused = folderTexts.flatMap((folder, index) => {
		const why = refusalOf(folder) ?? describeOverlap(folders, index);
		return why === null ? [] : [at(['harness', index], why)];
	});
	return refused.length > 0 ? refused : checkServers(config, folders).map(([path, why]) => at(path, why));
}

/** Whether a path leaves the repository, or enters git's or npm's folders. */
export function isForeign(path: string): boolean {
	return path.startsWith('/') || /[\\\p{Cc}]/u.test(path) || path.split('/').some((part) => FORBIDDEN.includes(part));
}

function refusalOf(folder: string): string | null {
	if (isForeign(folder)) {
		return `${JSON.stringify(folder)} is not allowed; a folder inside of the repository, relative to its top and without "..", e.g. bench`;
	}
	if (plainFolder(folder) !== '.') return null;
	return 'the whole repository cannot be the harness: nothing would be left to compare; name the folder of the bench servers, e.g. bench';
}

function describeOverlap(folders: readonly string[], index: number): string | null {
	const folder = folders[index] ?? '';
	const outer = folders.find(
		(other, place) => place !== index && isWithin(folder, other) && (other !== folder || place < index),
	);
	if (outer === undefined) return null;
	return outer === folder
		? `"${folder}" is given twice; keep one`
		: `"${folder}" lies in "${outer}", which is given too; keep one`;
}

function checkServers(config: Readonly<Record<string, unknown>>, folders: readonly string[]): [Path, string][] {
	return asList(config.servers).flatMap((item, index): [Path, string][] => {
		const { name, cwd = '.' } = asMapping(item);
		if (typeof item === 'string' || typeof name !== 'string' || typeof cwd !== 'string') return [];
		if (folders.some((folder) => isWithin(plainFolder(cwd), folder))) return [];
		const where = folders.join(', ');
		return [
			[
				['servers', index, 'cwd'],
				`"${cwd}" is in no folder of harness (${where}), so server ${name} would be head's own; start it in one, e.g. cwd: ${folders[0]}`,
			],
		];
	});
}
