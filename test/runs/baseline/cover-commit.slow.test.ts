/** From a baseline of main to pull requests, with a real server: one measures no row, one the row that it affects. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCatalogue } from '../../../src/config/load-catalogue.ts';
import { TOOL_ROOT } from '../../../src/process/entries.ts';
import { runBaseline } from '../../../src/runs/baseline/run-baseline.ts';
import { type CommitFiles, deriveImpact } from '../../../src/runs/derive-impact.ts';
import { runComparison } from '../../../src/runs/run-comparison.ts';
import type { Config } from '../../../src/types/config.ts';
import { commit, configOf, git, makeFolder } from '../../prepare/support.ts';
import { openBaseline } from './tiny-branch.ts';

/** Stands in for the package `etag`, which one of the rows runs. */
const libraryOf = (prefix: string, other: string) => `'use strict';
const { createHash } = require('node:crypto');
module.exports = function etag(entity) {
	return \`\${${prefix}}"\${createHash('sha1').update(entity).digest('base64').slice(0, 27)}"\`;
};
module.exports.other = function other() { return ${other}; };
`;
const { scenarios } = await loadCatalogue(TOOL_ROOT);
const CONFIG: Config = {
	...configOf(['polka']),
	scenarios: ['ping', 'conditional-get'].flatMap((wanted) => scenarios.filter(({ name }) => name === wanted)),
	rounds: 1,
	budgetSeconds: 20,
	warmupSeconds: 0.1,
};

function filesAt(cwd: string, sha: string): CommitFiles {
	const entries = git(cwd, 'ls-tree', '-r', sha)
		.split('\n')
		.map((line) => {
			const [, mode, hash, path = ''] = /^(\d+) blob (\w+)\t(.+)$/.exec(line) ?? [];
			return [path, `${mode} ${hash}`] as const;
		});
	return { entries: new Map(entries), read: async (path) => `${git(cwd, 'show', `${sha}:${path}`)}\n` };
}

test('a baseline keeps the code that its rows run, and rows of a pull request that run no changed code are not measured', async (t) => {
	const cwd = makeFolder(t);
	const manifest = '{ "name": "etag", "version": "1.8.1", "main": "index.js" }\n';
	commit(cwd, 'v1.8.1', { 'package.json': manifest, 'index.js': libraryOf("'W/'", '1') });
	const base = commit(cwd, 'second', { 'index.js': `${libraryOf("'W/'", '1')}// Second.\n` });
	const { optionsFor } = await openBaseline(t, cwd);
	const options = await optionsFor([], { config: CONFIG });
	const { records, notes } = await runBaseline(options);
	const [record] = records;
	assert.ok(record?.coverage, notes.join());
	assert.deepEqual([record.commit.sha, record.coverage.subject, record.coverage.folder], [base, 'etag', '.']);
	const idle = commit(cwd, 'idle', { 'index.js': libraryOf("'W/'", '2') });
	const busy = commit(cwd, 'busy', { 'index.js': libraryOf("'W' + '/'", '2') });
	const [idleImpact, busyImpact] = await Promise.all(
		[idle, busy].map((head) =>
			deriveImpact(CONFIG, records, [record.environment], { base: filesAt(cwd, base), head: filesAt(cwd, head) }),
		),
	);
	assert.ok(typeof idleImpact === 'object' && typeof busyImpact === 'object', `${idleImpact} ${busyImpact}`);
	const [ping, conditional] = ['polka/ping', 'polka/conditional-get'];
	assert.deepEqual(Object.fromEntries(idleImpact.rows), { [`${ping}`]: null, [`${conditional}`]: null });
	assert.deepEqual(
		[...busyImpact.rows].map(([id, reason]) => [id, reason?.kind]),
		[
			[ping, undefined],
			[conditional, 'code'],
		],
	);
	const measure = async (head: string, derived: typeof idleImpact) => {
		const raw = await runComparison({
			...{ ...options, derived, skipUnaffected: 'derived', coversAnew: true },
			revisions: { base: `git:${base}`, head: `git:${head}` },
			reproduce: 'benchgate compare',
			keep: async () => {},
		});
		assert.ok('plan' in raw);
		const loaded = raw.rounds.flatMap(({ cells }) => cells.map(({ cell }) => cell));
		return { raw, loaded, skipped: raw.plan.oneSided.map(({ id, verdict }) => `${id} ${verdict}`) };
	};
	const none = await measure(idle, idleImpact);
	assert.deepEqual([none.loaded, none.skipped], [[], [`${ping} unaffected`, `${conditional} unaffected`]]);
	assert.equal(none.raw.context.changed?.notExercised, 1);
	const some = await measure(busy, busyImpact);
	assert.deepEqual([some.loaded, some.skipped], [[conditional], [`${ping} unaffected`]]);
	assert.equal(some.raw.context.because?.[`${conditional}`]?.kind, 'code');
});
