import type { CodePosition } from '../text/phrase.ts';
import type { ChangedLines } from '../types/difference.ts';

/** Returns the first changed line of this code in head; null if none, or if several changed files fit. */
export function placeInDiff(
	{ path, line, lines }: CodePosition,
	changed: ChangedLines,
): { readonly path: string; readonly line: number } | null {
	const fitting = changed.has(path) ? [path] : [...changed.keys()].filter((each) => isInstalledAs(each, path));
	const [file, ...others] = fitting;
	if (file === undefined || others.length > 0) return null;
	const last = line === 0 || lines === undefined ? Infinity : line + Math.max(1, lines) - 1;
	const range = changed.get(file)?.find((each) => each.last >= line && each.first <= last);
	return range ? { path: file, line: Math.max(1, range.first, line) } : null;
}

/** `packages/koa/lib/context.js` is installed as `node_modules/koa/lib/context.js`. */
export function isInstalledAs(path: string, installed: string): boolean {
	const inPackage = installed.replace(/^.*node_modules\/(?:@[^/]+\/)?[^/]+\//, '');
	return installed === path || installed.endsWith(`/${path}`) || path === inPackage || path.endsWith(`/${inPackage}`);
}
