import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOOL_ROOT } from './process/entries.ts';

// Replaced by the build; absent when Node runs the sources.
declare const BENCHGATE_VERSION: string | undefined;

export function toolVersion(): string {
	if (typeof BENCHGATE_VERSION === 'string') return BENCHGATE_VERSION;
	return (JSON.parse(readFileSync(join(TOOL_ROOT, 'package.json'), 'utf8')) as { version: string }).version;
}

/** Returns the chart script of the HTML report; empty when Node runs the sources. */
export function chartScript(): string {
	return typeof BENCHGATE_VERSION === 'string' ? readFileSync(join(TOOL_ROOT, 'dist', 'charts.js'), 'utf8') : '';
}

/** `root` is the tool's folder. */
export function readSiteAssets(root: string): { readonly script: string; readonly style: string } {
	const read = (name: string) => readFileSync(join(root, 'dist', name), 'utf8');
	return { script: read('site.js'), style: read('site.css') };
}
