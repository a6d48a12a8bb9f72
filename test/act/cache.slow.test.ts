/** The cache of installed servers, on the cache service of act: saved by one run, restored by the next. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FORK, pullRequestEvent, pushEvent } from '../support/act/events.ts';
import { NPM } from '../support/act/npm-environment.ts';
import { type ActOptions, type ActRun, runAct } from '../support/act/run-act.ts';
import type { Scope } from '../support/act/scratch.ts';
import { runGit } from '../support/act/tiny-framework.ts';
import { ownWorkflow } from '../support/act/workflows.ts';
import { makeWorld, startGithub } from '../support/act/world.ts';

const world = makeWorld();

/** A package that Express depends on, and a change of it. */
const PACKAGE = { name: 'etag', version: '1.8.9', main: 'index.js' };
const CODE = `module.exports = (entity) => \`W/"\${entity.length.toString(16)}"\`;\n`;
const CONFIG = 'servers: [express]\nscenarios: [ping]\nbudget: 1s\nwarmup: 200ms\n';

function makePackage(folder: string): { base: string; head: string } {
	mkdirSync(folder);
	runGit(folder, 'init', '-q', '-b', 'main');
	const commit = (files: Readonly<Record<string, string>>): string => {
		for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
		runGit(folder, 'add', '-A');
		runGit(folder, 'commit', '-q', '-m', 'change');
		return runGit(folder, 'rev-parse', 'HEAD').trim();
	};
	const base = commit({ 'package.json': JSON.stringify(PACKAGE), 'index.js': CODE, 'benchgate.yml': CONFIG });
	return { base, head: commit({ 'index.js': `${CODE}// changed\n` }) };
}

test('packages installed in one run are available to the next, and to no pull request of a stranger', async (t) => {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-cache-'));
	t.after(() => rmSync(folder, { recursive: true }));
	const { base, head } = makePackage(join(folder, 'repository'));
	const run = async (scope: Scope, options: Pick<ActOptions, 'event' | 'payload' | 'ref'>): Promise<ActRun> => {
		// A runner starts empty, at the same path.
		rmSync(join(folder, 'installs'), { recursive: true, force: true });
		const double = await startGithub(scope, world, 'equal');
		double.state.refs['heads/main'] = base;
		return runAct(scope, {
			...options,
			// Our workflow measures only pull requests, and a push to the default branch as a baseline.
			workflow: ownWorkflow('bench', { mode: 'compare' }).replace(/^on:$/m, 'on:\n  push:'),
			repository: { folder: join(folder, 'repository'), sha: head },
			double,
			actions: world.actions,
			env: { ...NPM, BENCHGATE_CACHE: join(folder, 'installs') },
			cacheFolder: join(folder, 'cache'),
		});
	};
	const push = { event: 'push', payload: pushEvent(base, head), ref: 'refs/heads/main' } as const;
	const first = await run(t, push);
	assert.equal(first.exitCode, 0, first.text);
	assert.match(first.text, /installing server express/);
	assert.match(first.text, /Cache saved successfully/);
	const second = await run(t, push);
	assert.equal(second.exitCode, 0, second.text);
	assert.match(second.text, /Cache restored successfully/);
	assert.match(second.text, /from the cache/);
	assert.doesNotMatch(second.text, /installing server/);
	// act has a single scope: the stranger could have written the entry.
	const fork = await run(t, { event: 'pull_request', payload: pullRequestEvent(base, head, FORK) });
	assert.equal(fork.exitCode, 0, fork.text);
	assert.match(fork.text, /installing server express/);
	assert.doesNotMatch(fork.text, /Cache (?:restored|saved) successfully/);
});
