import { loadCatalogue } from '../config/load-catalogue.ts';
import { TOOL_ROOT } from '../process/entries.ts';
import { renderList } from './render-list.ts';

/** Prints the built-in servers and scenarios. */
export async function runListCommand(): Promise<void> {
	process.stdout.write(`${renderList(await loadCatalogue(TOOL_ROOT))}\n`);
}
