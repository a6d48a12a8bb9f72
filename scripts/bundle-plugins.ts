/** Differences between bundles and sources that make bundles start sooner. */
import { readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import standalone from 'ajv/dist/standalone/index.js';
import type { Plugin, StdinOptions } from 'esbuild';
import { compilerOf, type LazyValidator } from '../src/formats/validator-of.ts';

const BUILTIN = new RegExp(`^(?:node:)?(?:${builtinModules.join('|')})$`);

/**
 * Requires Node's own modules as CommonJS does. An ES import reads every export, and some of these load more: one of
 * http's loads the whole of fetch. On Node 24 that is 75 ms of CPU time for http and 20 for the others, in each
 * process.
 */
const BUILTINS_REQUIRED: Plugin = {
	name: 'builtins-required',
	setup(hooks) {
		hooks.onResolve({ filter: BUILTIN }, ({ kind, path }) =>
			kind === 'import-statement' ? { path: path.replace(/^(?!node:)/, 'node:'), namespace: 'builtin' } : undefined,
		);
		hooks.onLoad({ filter: /.*/, namespace: 'builtin' }, async ({ path }) => {
			const names = Object.keys(await import(path)).filter((name) => /^\w+$/.test(name) && name !== 'default');
			// Exports without an importer are left out, and not read.
			const exports = names.map((name) => `export const ${name} = /* @__PURE__ */ take('${name}');`);
			const [builtin, take] = [`const builtin = require('${path}');`, 'const take = (name) => builtin[name];'];
			return { contents: [builtin, take, 'export default builtin;', ...exports].join('\n') };
		});
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

/** File into which a validator is compiled, beside the bundles. */
const compiledName = (path: string) => `${basename(path, '.ts')}.cjs`;

/**
 * Moves each validator into a file that is read when the first value is checked: together they are as large as half of
 * the commands, and a run needs one or two. Adds their paths to `found`.
 */
function compiledValidators(found: Set<string>): Plugin {
	return {
		name: 'compiled-validators',
		setup(hooks) {
			hooks.onLoad({ filter: /[\\/]src[\\/].*-validator\.ts$/ }, ({ path }) => {
				found.add(path);
				const lines = [
					'let compiled;',
					'export const validate = (value) => {',
					`	compiled ??= require('./${compiledName(path)}');`,
					'	const valid = compiled(value);',
					'	validate.errors = compiled.errors;',
					'	return valid;',
					'};',
				];
				return { contents: lines.join('\n') };
			});
			hooks.onResolve({ filter: /-validator\.cjs$/ }, ({ path }) => ({ path, external: true }));
		},
	};
}

/** Compiles a schema at build time: at run time that takes 70 to 170 ms of CPU time, plus the time to load ajv. */
export async function compileValidator(path: string): Promise<{ readonly stdin: StdinOptions; readonly name: string }> {
	const { validate } = (await import(pathToFileURL(path).href)) as { validate: LazyValidator<unknown> };
	const compiler = compilerOf(validate.dialect, { code: { source: true } });
	const contents = standalone.default(compiler, compiler.compile(validate.schema));
	return { stdin: { contents, resolveDir: dirname(path) }, name: compiledName(path) };
}

const SEGMENTER = /= new Intl\.Segmenter\(([^)]*)\);/;
const LATE = '= { segment(text) { this.made ??= new Intl.Segmenter($1); return this.made.segment(text); } };';

/**
 * Creates the segmenter of the libraries that count columns only when a text needs it: the first in a process takes 17
 * ms of CPU time, and most texts are plain ASCII. Throws when a new version of a library creates it elsewhere.
 */
const LATE_SEGMENTERS: Plugin = {
	name: 'late-segmenters',
	setup(hooks) {
		const filter = /[\\/](?:string-width[\\/]index|wrap-ansi[\\/]index|slice-ansi[\\/]tokenize-ansi)\.js$/;
		hooks.onLoad({ filter }, async ({ path }) => {
			// Some libraries depend on older versions without a segmenter.
			if (path.split('node_modules').length > 2) return undefined;
			const text = await readFile(path, 'utf8');
			if (!SEGMENTER.test(text)) throw new Error(`${path} makes no segmenter where it did`);
			return { contents: text.replace(SEGMENTER, LATE) };
		});
	},
};

/**
 * Plugins of every bundle that is an ES module and no part of the measured code; adds the needed validators to
 * `validators`.
 */
export function quickStart(validators: Set<string>): Plugin[] {
	return [BUILTINS_REQUIRED, PACKED_CATALOGUE, compiledValidators(validators), LATE_SEGMENTERS];
}
