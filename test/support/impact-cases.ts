/** A package, and main's record of the functions that rows of the server express run. */
import { createHash } from 'node:crypto';
import { packCoverage } from '../../src/formats/baseline/kept-coverage.ts';
import { type CommitFiles, coverageKey, derivableCells } from '../../src/runs/derive-impact.ts';
import type { BaselineRecord } from '../../src/types/baseline.ts';
import type { Config } from '../../src/types/config.ts';
import type { CellCoverage } from '../../src/types/coverage.ts';
import type { Environment } from '../../src/types/result.ts';
import { syntheticRecords } from './baselines/records.ts';

export type Files = Readonly<Record<string, string>>;

const RESPONSE = 'lib/response.js';

export const PACKAGE: Files = {
	'package.json': '{ "name": "express", "version": "5.1.0", "main": "index.js", "scripts": { "test": "mocha" } }',
	'index.js': "module.exports = require('./lib/response.js');\n",
	[RESPONSE]: ['send', 'json', 'sendFile']
		.map((name) => `exports.${name} = function ${name}(value) { return \`\${value}\`; };\n`)
		.join(''),
	'test/response.js': "require('..').send(1);\n",
};

/** Returns the library in which a function does more. */
export function changing(name: string, files: Files = PACKAGE): Files {
	const text = files[RESPONSE] ?? '';
	return { ...files, [RESPONSE]: text.replace(`function ${name}(value) {`, `function ${name}(value) { value++;`) };
}

/** Returns the coverage of a row that calls `names` once per request. */
export function coverageOf(names: readonly string[], files: Files = PACKAGE): CellCoverage {
	const requests = 1_000;
	const scripts = ['index.js', RESPONSE].map((path) => {
		const text = files[path] ?? '';
		const runs = path === RESPONSE ? names : [];
		return {
			path: `node_modules/express/${path}`,
			hash: createHash('sha256').update(text).digest('hex'),
			functions: [
				[0, text.length, '', 1, 0] as const,
				...runs.map((name) => {
					const start = text.indexOf(`function ${name}`);
					return [start, text.indexOf(';', text.indexOf('return', start)) + 3, name, 0, requests] as const;
				}),
			],
		};
	});
	return { requests, scripts, reads: [], texts: [], unseen: [] };
}

/** Returns main's baseline of a commit; `namesOf` gives the functions that a row calls. */
export function recordOf(
	config: Config,
	{ sha, environment }: { readonly sha: string; readonly environment: Environment },
	namesOf: (scenario: string) => readonly string[],
	files: Files = PACKAGE,
): BaselineRecord {
	const [record] = syntheticRecords({ seed: 1, commits: 1, cells: ['express/ping'] });
	const cells = derivableCells(config).map((cell) => [
		coverageKey(config, cell),
		coverageOf(namesOf(cell.scenario), files),
	]);
	const packed = packCoverage(Object.fromEntries(cells)) ?? '';
	if (record === undefined) throw new Error('there is no record');
	return {
		...record,
		commit: { ...record.commit, sha },
		environment,
		coverage: { subject: 'express', folder: '.', packed },
	};
}

export function commitOf(files: Files, modes: Files = {}): CommitFiles {
	const entries = Object.entries(files).map(([path, text]) => {
		const hash = createHash('sha1').update(text).digest('hex');
		return [path, `${modes[path] ?? '100644'} ${hash}`] as const;
	});
	return { entries: new Map(entries), read: async (path) => files[path] ?? null };
}
