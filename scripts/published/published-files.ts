/** The files of docs/published and the page that is made from them. */
import { existsSync, readFileSync } from 'node:fs';
import type { Measured } from './measured-run.ts';
import { type OurData, renderPublished } from './published-page.ts';
import type { PublishedPage } from './published-pages.ts';

const ROOT = new URL('../../', import.meta.url);

/** Path of the page, relative to the top of the repository. */
export const RATIOS_PAGE = 'docs/published-ratios.md';

/** Returns the path of the measured data of a page on its Node; of the data of all pages without one. */
export function measuredPath(id?: string): string {
	return `docs/published/${id === undefined ? 'measured' : `measured-${id}`}.json`;
}

/** Returns the pages as docs/published/pages.json has them. */
export function readPages(): readonly PublishedPage[] {
	const text = readFileSync(new URL('docs/published/pages.json', ROOT), 'utf8');
	return (JSON.parse(text) as { readonly pages: readonly PublishedPage[] }).pages;
}

/** Returns what was measured; no runs where there is no file. */
export function readMeasured(id?: string): Measured {
	const url = new URL(measuredPath(id), ROOT);
	return existsSync(url) ? (JSON.parse(readFileSync(url, 'utf8')) as Measured) : { runs: [] };
}

/** Returns the text of the page as its files say it. */
export function ratiosPage(): string {
	const pages = readPages();
	const own = pages.map(({ id }) => [id, readMeasured(id)] as const).filter(([, { runs }]) => runs.length > 0);
	const data: OurData = { common: readMeasured(), own: Object.fromEntries(own) };
	return renderPublished(pages, data);
}
