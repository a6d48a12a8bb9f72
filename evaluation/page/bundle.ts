import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

/** Returns the script of the page with charts, bundled from `charts.ts` beside this file. */
export function bundleCharts(): string {
	const { outputFiles } = buildSync({
		entryPoints: [fileURLToPath(new URL('charts.ts', import.meta.url))],
		bundle: true,
		minify: true,
		write: false,
		legalComments: 'none',
		format: 'iife',
		platform: 'browser',
		target: 'es2022',
	});
	return outputFiles[0]?.text ?? '';
}
