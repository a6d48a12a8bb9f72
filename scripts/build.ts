/** Builds dist/ from src/. With --check builds elsewhere and fails when dist/ differs: what is committed is what runs. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import manifest from '../package.json' with { type: 'json' };

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

/** Libraries in CommonJS use names that an ES module has to bring along. */
const COMMONJS = [
	"import { createRequire as __createRequire } from 'node:module';",
	"import { fileURLToPath as __fileURLToPath } from 'node:url';",
	'const require = __createRequire(import.meta.url);',
	'const __filename = __fileURLToPath(import.meta.url);',
	"const __dirname = __fileURLToPath(new URL('.', import.meta.url));",
].join(' ');

/** Keeps the commands out of the command line's bundle, which then answers --help in a fraction of the time. */
const loadCommandsLater: Plugin = {
	name: 'load-commands-later',
	setup: (hooks) =>
		hooks.onResolve({ filter: /^\.\/commands\.ts$/ }, () => ({ path: './commands.js', external: true })),
};

/** Returns the charts of the HTML report as one script. */
async function bundleCharts(): Promise<string> {
	const result = await build({
		absWorkingDir: ROOT,
		entryPoints: ['src/report/page/main.ts'],
		bundle: true,
		minify: true,
		format: 'iife',
		target: 'es2022',
		legalComments: 'none',
		write: false,
		logLevel: 'warning',
	});
	return result.outputFiles[0]?.text ?? '';
}

async function buildAll(folder: string): Promise<void> {
	const charts = JSON.stringify(await bundleCharts());
	await Promise.all([
		build({
			...COMMON,
			entryPoints: ['src/cli.ts'],
			outfile: join(folder, 'cli.js'),
			format: 'esm',
			banner: { js: `#!/usr/bin/env node\n${COMMONJS}` },
			plugins: [loadCommandsLater],
		}),
		build({
			...COMMON,
			entryPoints: ['src/commands.ts'],
			outfile: join(folder, 'commands.js'),
			format: 'esm',
			banner: { js: COMMONJS },
			define: { ...COMMON.define, BENCHGATE_CHARTS: charts },
		}),
		build({ ...COMMON, entryPoints: ['src/process/watchdog.ts'], outfile: join(folder, 'watchdog.js'), format: 'esm' }),
		build({
			...COMMON,
			entryPoints: ['src/measure/generator/main.ts'],
			outfile: join(folder, 'generator.cjs'),
			format: 'cjs',
		}),
	]);
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
		console.error(`dist/ is not what src/ builds: ${differing.join(', ')}. Run: npm run build, and commit dist/`);
		process.exit(1);
	}
	console.log('dist/ is what src/ builds');
} else {
	rmSync(dist, { recursive: true, force: true });
	await buildAll(dist);
	for (const name of readdirSync(dist))
		console.log(`dist/${name}  ${Math.round(readFileSync(join(dist, name)).length / 1024)} kB`);
}
