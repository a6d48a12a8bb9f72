/**
 * What the bundles read in place of `load-catalogue-files.ts`: the same, as the build packed it into one file. Reading and checking
 * the file of every server and scenario would be most of the time that a short command takes.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { CatalogueFiles, ServerFiles } from './load-catalogue-files.ts';

/** Lies beside the bundles. */
export const PACKED_CATALOGUE = 'catalogue.json';

/** Returns the catalogue of the tool in `toolFolder`. Rejects when the file is missing. */
export async function readCatalogueFiles(toolFolder: string): Promise<CatalogueFiles> {
	return JSON.parse(await readFile(path.join(toolFolder, 'dist', PACKED_CATALOGUE), 'utf8')) as CatalogueFiles;
}

/** Returns the servers of `readCatalogueFiles`. Rejects as it does. */
export async function readServerFiles(toolFolder: string): Promise<readonly ServerFiles[]> {
	return (await readCatalogueFiles(toolFolder)).servers;
}
