import { buildSync } from 'esbuild';

/** Bundles the script of the HTML report as the build does. */
export function bundleCharts(): string {
	const { outputFiles } = buildSync({
		entryPoints: [new URL('../../src/report/html/page/page-main.ts', import.meta.url).pathname],
		bundle: true,
		minify: true,
		write: false,
		format: 'iife',
		platform: 'browser',
		target: 'es2022',
	});
	return outputFiles[0]?.text ?? '';
}
