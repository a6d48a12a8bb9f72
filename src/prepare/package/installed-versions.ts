import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fromLockfile } from '../../config/npm-lockfile.ts';
import { parseJson } from '../../text/json.ts';
import type { Warning } from '../../types/units.ts';
import { readPlainText } from '../content/plain-file.ts';

/** Maps each package to its version. Several versions are in ascending text order: `1.0.0, 2.0.0`. */
export type Versions = Readonly<Record<string, string>>;

const LISTED = 10;

/**
 * Returns the packages in `folder/node_modules`, nested ones included, by npm's list, pnpm's store folder, or
 * package.json files.
 */
export async function readInstalledVersions(folder: string): Promise<Versions> {
	const modules = join(folder, 'node_modules');
	const list = await readPlainText(join(modules, '.package-lock.json')).catch(() => null);
	if (list !== null) return collect(fromLockfile(list));
	const store = await readdir(join(modules, '.pnpm')).catch(() => null);
	return collect(store === null ? await fromFolders(modules) : fromStore(store));
}

/** `@scope+name@1.0.0_peer@2.0.0` → @scope/name, 1.0.0. */
function fromStore(names: readonly string[]): [string, string][] {
	return names.flatMap((folder) => {
		const at = folder.indexOf('@', 1);
		if (at < 0) return [];
		return [[folder.slice(0, at).replace('+', '/'), folder.slice(at + 1).replace(/[_(].*$/, '')]];
	});
}

async function fromFolders(modules: string): Promise<[string, string][]> {
	const packages: [string, string][] = [];
	for (const entry of await readdir(modules, { withFileTypes: true }).catch(() => [])) {
		if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
		const folder = join(modules, entry.name);
		if (entry.name.startsWith('@')) {
			packages.push(...(await fromFolders(folder)));
			continue;
		}
		packages.push(...(await readPackage(folder)));
		packages.push(...(await fromFolders(join(folder, 'node_modules'))));
	}
	return packages;
}

/** Returns nothing if package.json is not a manifest, because code under test can write anything there. */
async function readPackage(folder: string): Promise<[string, string][]> {
	try {
		const manifest = parseJson(await readPlainText(join(folder, 'package.json'))) as Readonly<Record<string, unknown>>;
		const { name, version } = manifest;
		return typeof name === 'string' && typeof version === 'string' ? [[name, version]] : [];
	} catch {
		return [];
	}
}

function collect(packages: readonly (readonly [string, string])[]): Versions {
	const versions = new Map<string, Set<string>>();
	for (const [name, version] of packages) versions.set(name, (versions.get(name) ?? new Set()).add(version));
	const sorted = [...versions].sort(([a], [b]) => (a < b ? -1 : 1));
	return Object.fromEntries(sorted.map(([name, set]) => [name, [...set].sort().join(', ')]));
}

export interface ComparedServer {
	readonly base: Versions;
	readonly head: Versions;
	/** Named in its own package.json. */
	readonly direct?: readonly string[];
}

/**
 * Returns the warning `dependencies-differ` if packages outside `subject` differ between the sides. Lists ten, those in
 * `direct` first.
 */
export function compareVersions(servers: readonly ComparedServer[], subject: ReadonlySet<string>): Warning | null {
	const differences = new Set<string>();
	for (const { base, head, direct = [] } of servers) {
		const names = Object.keys({ ...base, ...head }).sort();
		for (const name of names.toSorted((a, b) => Number(direct.includes(b)) - Number(direct.includes(a)))) {
			if (subject.has(name) || base[name] === head[name]) continue;
			differences.add(`${name} ${base[name] ?? 'none'} → ${head[name] ?? 'none'}`);
		}
	}
	if (differences.size === 0) return null;
	const more = differences.size - LISTED;
	const listed = [...differences].slice(0, LISTED).join(', ') + (more > 0 ? ` and ${more} more` : '');
	return {
		code: 'dependencies-differ',
		message: `Base and head run with different versions of other packages, so a change may be theirs: ${listed}.`,
	};
}
