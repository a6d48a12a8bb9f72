import { execFileSync } from 'node:child_process';
import { type Files, tinyFramework } from '../support.ts';

/** `tinyframe` with the structure of hono: exports in dist/, a script that makes them, and nothing that runs it. */
export function unbuilt(version: string, extra: Record<string, unknown> = {}): Files {
	return tinyFramework(version, {
		main: undefined,
		exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
		scripts: { build: 'node build.js' },
		...extra,
	});
}

/** Writes dist/index.js from the files beside it; requires built dependencies. */
const BUILD = `const fs = require('node:fs');
for (const name of Object.keys(require('./package.json').dependencies ?? {})) require(name);
fs.mkdirSync('dist', { recursive: true });
fs.copyFileSync('source.js', 'dist/index.js');`;

/**
 * A monorepo whose packages/core is `tinyframe` and depends on a sibling outside of every registry. Neither is built.
 * It prints its own mark and the sibling's. `script` is the name of each package's build.
 */
export function unbuiltWorkspaces(mark: string, sibling: string, root: Files, script = 'build'): Files {
	const common = { version: '1.0.0', main: 'dist/index.js', files: ['dist'], scripts: { [script]: 'node build.js' } };
	return {
		'packages/core/package.json': {
			name: 'tinyframe',
			...common,
			dependencies: { '@benchgate-test/sibling': sibling },
		},
		'packages/core/source.js': `module.exports = '${mark} ' + require('@benchgate-test/sibling');`,
		'packages/core/build.js': BUILD,
		'packages/sibling/package.json': { name: '@benchgate-test/sibling', ...common },
		'packages/sibling/source.js': `module.exports = 'sibling ${mark}';`,
		'packages/sibling/build.js': BUILD,
		'.gitignore': ['node_modules', 'dist', '.turbo', '.nx', '.yarn', '.pnp.*', '*.tsbuildinfo', ''].join('\n'),
		...root,
	};
}

/** Writes the lockfile of a repository with npm itself, or with a package manager that is fetched through it. */
export function lock(cwd: string, spec: string, ...command: string[]): void {
	// A version published a minute ago is not yet available everywhere: `npm ci` would not find it.
	const fetching = spec === 'npm' ? ['--before=2026-09-01'] : ['exec', '--yes', `--package=${spec}`, '--'];
	// With CI set, package managers refuse to write the lockfile that this folder lacks.
	const env = { ...process.env, YARN_ENABLE_IMMUTABLE_INSTALLS: 'false', CI: '' };
	execFileSync('npm', [...fetching, ...command], { cwd, env, stdio: 'pipe' });
}
