import { buildSync } from 'esbuild';

/** Returns the script of the HTML report, bundled the way the build does it. */
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
