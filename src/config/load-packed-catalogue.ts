/** Replaces `load-catalogue-files.ts` in the bundles: checking every file would dominate a short command's time. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { CatalogueFiles } from './load-catalogue-files.ts';

export const PACKED_CATALOGUE = 'catalogue.json';

export async function readCatalogueFiles(toolFolder: string): Promise<CatalogueFiles> {
	return JSON.parse(await readFile(path.join(toolFolder, 'dist', PACKED_CATALOGUE), 'utf8')) as CatalogueFiles;
}
