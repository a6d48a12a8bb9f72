/** Where the programs are that we start: bundles, or the sources. */
import { fileURLToPath } from 'node:url';

/** Bundled: true when this code runs from `dist/`, false when Node runs the sources. */
const BUNDLED = !import.meta.url.endsWith('.ts');

/** Folder of the installed tool: holds `servers/`, `scenarios/` and `schema/`. */
export const TOOL_ROOT = fileURLToPath(new URL(BUNDLED ? '..' : '../..', import.meta.url));

/** Paths of the programs the orchestrator starts as processes of their own. */
export const ENTRIES = {
	generator: entry('./generator.cjs', '../measure/generator/generator-main.ts'),
	watchdog: entry('./watchdog.js', './watchdog.ts'),
} as const;

function entry(bundle: string, source: string): string {
	return fileURLToPath(new URL(BUNDLED ? bundle : source, import.meta.url));
}
