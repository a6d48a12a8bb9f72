/** Builds dist/ from src/. With --check builds elsewhere and fails when the committed dist/ differs. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import manifest from '../package.json' with { type: 'json' };
import { readCatalogueFiles } from '../src/config/load-catalogue-files.ts';
import { PACKED_CATALOGUE } from '../src/config/load-packed-catalogue.ts';
import { compileValidator, quickStart } from './bundle-plugins.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const COMMON: BuildOptions = {
	absWorkingDir: ROOT,
	bundle: true,
	platform: 'node',
	target: 'node22',
	legalComments: 'none',
	minifySyntax: true,
	minifyWhitespace: true,
	logLevel: 'warning',
	define: { BENCHGATE_VERSION: JSON.stringify(manifest.version) },
};

/** Names that CommonJS libraries expect, and an ES module has to define. */
const COMMONJS = [
	"import { createRequire as __createRequire } from 'node:module';",
	"import { fileURLToPath as __fileURLToPath } from 'node:url';",
	'const require = __createRequire(import.meta.url);',
	'const __filename = __fileURLToPath(import.meta.url);',
	"const __dirname = __fileURLToPath(new URL('.', import.meta.url));",
].join(' ');

async function buildAll(folder: string): Promise<void> {
	const validators = new Set<string>();
	const plugins = quickStart(validators);
	await Promise.all([
		build({
			...COMMON,
			entryPoints: ['src/cli.ts'],
			outdir: folder,
			// --help is much faster without the commands, and parsing small files takes less memory.
			splitting: true,
			chunkNames: 'cli-[name]-[hash]',
			format: 'esm',
			banner: { js: COMMONJS },
			plugins,
		}),
		build({
			...COMMON,
			entryPoints: ['src/action.ts', 'src/action-post.ts'],
			outdir: folder,
			// The clients of artifact and cache services are half of it, and needed only at the end, if at all.
			splitting: true,
			chunkNames: 'action-[name]-[hash]',
			format: 'esm',
			minify: true,
			banner: { js: COMMONJS },
			plugins,
		}),
		// The charts of the HTML report.
		build({
			...COMMON,
			entryPoints: ['src/report/html/page/page-main.ts'],
			outfile: join(folder, 'charts.js'),
			platform: 'browser',
			target: 'es2022',
			format: 'iife',
			minify: true,
		}),
		// The dashboard of baselines: script and styles, which `benchgate baseline site` copies.
		build({
			...COMMON,
			entryPoints: { site: 'src/site/page/site-main.ts' },
			outdir: folder,
			platform: 'browser',
			target: 'es2022',
			format: 'iife',
			minify: true,
		}),
		build({
			...COMMON,
			entryPoints: { site: 'src/site/page/site.css' },
			outdir: folder,
			platform: 'browser',
			minify: true,
		}),
		build({
			...COMMON,
			entryPoints: ['src/process/watchdog.ts'],
			outfile: join(folder, 'watchdog.js'),
			format: 'esm',
			banner: { js: COMMONJS },
			plugins,
		}),
		build({ ...COMMON, entryPoints: ['src/inject/preload.ts'], outfile: join(folder, 'inject.mjs'), format: 'esm' }),
		build({
			...COMMON,
			entryPoints: ['src/measure/generator/generator-main.ts'],
			outfile: join(folder, 'generator.cjs'),
			format: 'cjs',
		}),
	]);
	for (const path of validators) {
		const { name, stdin } = await compileValidator(path);
		await build({ ...COMMON, stdin, outfile: join(folder, name), format: 'cjs', minify: true });
	}
	for (const name of readdirSync(folder).filter((each) => /\.c?js$/.test(each))) escapeOthers(join(folder, name));
	writeFileSync(join(folder, PACKED_CATALOGUE), JSON.stringify(await readCatalogueFiles(ROOT)));
}

/** V8 stores a script with any other character in two bytes each. esbuild leaves those of literals and templates. */
function escapeOthers(file: string): void {
	const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
	writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/[^\0-\x7f]/g, escaped));
}

function listDifferences(fresh: string, committed: string): string[] {
	const names = new Set([...readdirSync(fresh), ...readdirSync(committed)]);
	const read = (path: string) => {
		try {
			return readFileSync(path, 'utf8');
		} catch {
			return null;
		}
	};
	return [...names].filter((name) => read(join(fresh, name)) !== read(join(committed, name)));
}

const dist = join(ROOT, 'dist');
if (process.argv.includes('--check')) {
	const fresh = mkdtempSync(join(tmpdir(), 'benchgate-dist-'));
	await buildAll(fresh);
	const differing = listDifferences(fresh, dist);
	rmSync(fresh, { recursive: true });
	if (differing.length > 0) {
		console.error(`dist/ is not what src/ builds: ${differing.join(', ')}. Run: npm run dist, and commit dist/`);
		process.exit(1);
	}
	console.log('dist/ is what src/ builds');
} else {
	rmSync(dist, { recursive: true, force: true });
	await buildAll(dist);
	for (const name of readdirSync(dist))
		console.log(`dist/${name}  ${Math.round(readFileSync(join(dist, name)).length / 1024)} kB`);
}
