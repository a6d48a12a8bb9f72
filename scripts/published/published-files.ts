/** Files of docs/published, and the page made from them. */
import { existsSync, readFileSync } from 'node:fs';
import type { Measured } from './measured-run.ts';
import { type OurData, renderPublished } from './published-page.ts';
import type { PublishedPage } from './published-pages.ts';

const ROOT = new URL('../../', import.meta.url);

/** Path of the page, relative to the root of the repository. */
export const RATIOS_PAGE = 'docs/published-ratios.md';

/** Returns the path of the data measured on a page's Node; without an id, of the data of all pages. */
export function measuredPath(id?: string): string {
	return `docs/published/${id === undefined ? 'measured' : `measured-${id}`}.json`;
}

/** Reads docs/published/pages.json. */
export function readPages(): readonly PublishedPage[] {
	const text = readFileSync(new URL('docs/published/pages.json', ROOT), 'utf8');
	return (JSON.parse(text) as { readonly pages: readonly PublishedPage[] }).pages;
}

/** Reads measured data; no runs if the file is missing. */
export function readMeasured(id?: string): Measured {
	const url = new URL(measuredPath(id), ROOT);
	return existsSync(url) ? (JSON.parse(readFileSync(url, 'utf8')) as Measured) : { runs: [] };
}

/** Returns the text of the page. */
export function ratiosPage(): string {
	const pages = readPages();
	const entries = pages.map(({ id }) => [id, readMeasured(id)] as const).filter(([, { runs }]) => runs.length > 0);
	const data: OurData = { common: readMeasured(), own: Object.fromEntries(entries) };
	return renderPublished(pages, data);
}
