/** Programs of a measuring workflow according to the base branch, as GitHub shows it. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { readBaseBranch } from '../../../src/action/rules/base-branch.ts';
import { linkFinder } from '../../../src/github/repository.ts';
import type { Executed } from '../../../src/init/workflows/executed-files.ts';
import { HEAD } from '../../formats/publication-cases.ts';
import { connect } from '../../github/support.ts';
import type { DoubleState } from '../../support/github/types.ts';
import { FORK_PULL, measuredRun, TIP, WORKFLOW } from '../receive/reporting.ts';

const OLD = '5'.repeat(40);
const NAMED_HEAD = ' , with: { ref: "${{ github.event.pull_request.head.sha }}" }';
const workflow = (step: string, checkout = '') =>
	`on: pull_request\njobs: { measure: { steps: [{ uses: actions/checkout@v7${checkout} }, ${step}, { uses: benchgate/benchgate@v0 }] } }\n`;
const SCRIPT = '{ run: scripts/run.sh }';

async function executedOf(
	t: TestContext,
	state: Partial<DoubleState>,
	mergeBase: string | null = TIP,
): Promise<Executed> {
	const { github } = await connect(t, {
		pulls: [FORK_PULL],
		refs: { 'heads/main': TIP },
		compare: mergeBase === null ? {} : { [`${TIP}...${HEAD}`]: mergeBase },
		...state,
	});
	const branch = await readBaseBranch(github, { owner: 'o', repo: 'r' }, measuredRun(), FORK_PULL);
	assert.ok(typeof branch !== 'string' && 'executed' in branch, JSON.stringify(branch));
	return branch.executed;
}

test('a script that is a link, or below one, may be anything: its target has another path', async (t) => {
	const contents = { [WORKFLOW]: workflow(SCRIPT), 'tools/run.sh': 'ls\n', 'scripts/run.sh': 'ls\n' };
	assert.deepEqual((await executedOf(t, { contents })).unread, []);
	const links = { 'scripts/run.sh': 'tools/run.sh' };
	assert.deepEqual((await executedOf(t, { contents, links })).unread, ['link: scripts/run.sh']);
	const folder = { contents: { ...contents, 'tools/run.sh': 'ls\n' }, links: { Scripts: 'tools' } };
	assert.ok((await executedOf(t, folder)).unread.includes('link: scripts/run.sh'));
});

test('a link is found on the way to a path, at it, and directly below it', async (t) => {
	const { github } = await connect(t, {
		contents: { 'a/b/c.sql': '', 'a/b/d/e.sql': '' },
		links: { 'a/b/f.sql': 'x.sql', 'a/g': 'x' },
	});
	const isLinked = linkFinder(github, { owner: 'o', repo: 'r' }, TIP);
	for (const path of ['a', 'a/b', 'a/g', 'a/g/x.sql', 'A/b/F.sql']) assert.equal(await isLinked(path), true, path);
	for (const path of ['a/b/c.sql', 'a/b/d', 'a/b/d/e.sql', 'a/b/none', 'none/x'])
		assert.equal(await isLinked(path), false, path);
});

test('if the workflow checks out head, the scripts of the merge base count too', async (t) => {
	const contentsAt = {
		[TIP]: { 'scripts/run.sh': 'ls\n' },
		[OLD]: { 'scripts/run.sh': 'bash tools/old.sh\n', 'tools/old.sh': 'ls\n' },
	};
	const named = { contents: { [WORKFLOW]: workflow(SCRIPT, NAMED_HEAD) }, contentsAt };
	assert.deepEqual((await executedOf(t, named, OLD)).places, ['scripts/run.sh', 'tools/old.sh']);
	assert.deepEqual((await executedOf(t, named)).places, ['scripts/run.sh']);
	assert.equal((await executedOf(t, named, null)).unread.length, 1);
	const merged = { contents: { [WORKFLOW]: workflow(SCRIPT) }, contentsAt };
	assert.deepEqual((await executedOf(t, merged, OLD)).places, ['scripts/run.sh']);
});

test("benchgate's own action counts as benchgate only in its repository", async (t) => {
	const contents = { [WORKFLOW]: workflow('{ uses: ./ }'), 'action.yml': 'runs: { using: node24, main: index.js }\n' };
	assert.deepEqual((await executedOf(t, { contents })).unread, ['uses: ./']);
});
