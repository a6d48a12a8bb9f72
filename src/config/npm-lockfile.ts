import { parseJson } from '../text/json.ts';

/** Returns name and version of every package in a lockfile, without root and links. */
export function fromLockfile(text: string): [name: string, version: string][] {
	const { packages = {} } = parseJson(text) as { packages?: Record<string, { name?: string; version?: string }> };
	return Object.entries(packages).flatMap(([path, { name, version }]) => {
		const start = path.lastIndexOf('node_modules/');
		if (start < 0 || version === undefined) return [];
		return [[name ?? path.slice(start + 'node_modules/'.length), version]];
	});
}
