/** Where the bundles differ from the sources, so that they start sooner. */
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import standalone from 'ajv/dist/standalone/index.js';
import type { Plugin } from 'esbuild';
import { compilerOf, type LazyValidator } from '../src/formats/validator-of.ts';

/** Leaves an import of `./NAME.ts` to a bundle of its own: what is rarely needed is loaded when it is. */
export function loadLater(name: string): Plugin {
	return {
		name: `load-${name}-later`,
		setup: (hooks) =>
			hooks.onResolve({ filter: new RegExp(`^(?:\\./|(?:\\.\\./)+)${name}\\.ts$`) }, () => ({
				path: `./${name}.js`,
				external: true,
			})),
	};
}

/**
 * Takes http and https as CommonJS does. To import them as ES modules reads every name they export, and one of these loads Node's
 * whole fetch: 75 ms of CPU time, in each process, for what nobody uses.
 */
const HTTP_ALONE: Plugin = {
	name: 'http-alone',
	setup(hooks) {
		hooks.onResolve({ filter: /^(?:node:)?https?$/ }, ({ kind, path }) =>
			kind === 'import-statement' ? { path, namespace: 'required' } : undefined,
		);
		hooks.onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
			contents: `module.exports = require(${JSON.stringify(path)});`,
		}));
	},
};

/** Lets bundles read the packed catalogue, which is written beside them. */
const PACKED_CATALOGUE: Plugin = {
	name: 'packed-catalogue',
	setup: (hooks) =>
		hooks.onResolve({ filter: /^\.\/load-catalogue-files\.ts$/ }, ({ resolveDir }) => ({
			path: join(resolveDir, 'load-packed-catalogue.ts'),
		})),
};

/** Makes code of each validator: to compile a schema takes a run 70 to 170 ms of CPU time, and ajv takes its own to load. */
const COMPILED_VALIDATORS: Plugin = {
	name: 'compiled-validators',
	setup: (hooks) =>
		hooks.onLoad({ filter: /[\\/]src[\\/].*-validator\.ts$/ }, async ({ path }) => {
			const { validate } = (await import(pathToFileURL(path).href)) as { validate: LazyValidator<unknown> };
			const compiler = compilerOf(validate.dialect, { code: { source: true, esm: true } });
			const contents = standalone.default(compiler, compiler.compile(validate.schema));
			return { contents, resolveDir: dirname(path) };
		}),
};

/** For the bundles of the command line and the action. */
export const QUICK_START: Plugin[] = [HTTP_ALONE, PACKED_CATALOGUE, COMPILED_VALIDATORS];
