/** Paths of the programs that we start: bundles, or the sources. */
import { fileURLToPath } from 'node:url';

/** False when Node runs the sources. */
const BUNDLED = !import.meta.url.endsWith('.ts');

/** Contains `servers/`, `scenarios/` and `schema/`. */
export const TOOL_ROOT = fileURLToPath(new URL(BUNDLED ? '..' : '../..', import.meta.url));

export const ENTRIES = {
	generator: entry('./generator.cjs', '../measure/generator/generator-main.ts'),
	watchdog: entry('./watchdog.js', './watchdog.ts'),
} as const;

function entry(bundle: string, source: string): string {
	return fileURLToPath(new URL(BUNDLED ? bundle : source, import.meta.url));
}
