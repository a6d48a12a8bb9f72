/** Effects of a change on how it is measured, in pull requests and in the merge queue. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HEAD, publicationCase } from '../../formats/publication-cases.ts';
import type { Double, DoubleState } from '../../support/github/types.ts';
import { configText, rawOf, SLOWER } from './raw-cases.ts';
import {
	artifactOf,
	CONTENTS,
	FORK_PULL,
	QUEUED,
	type Reporting,
	report,
	TIP,
	WORKFLOW,
	workflowText,
} from './reporting.ts';

const GREEN = publicationCase('unchanged');
const RED = publicationCase('one-regressed');
const RANGE = `${TIP}...${HEAD}`;

const conclusions = ({ state }: Double) => state.checkRuns.map(({ conclusion }) => conclusion);
/** A merge group has no comment; its check holds the text. */
const textOf = ({ state }: Double) =>
	[...state.comments.map(({ body }) => body), ...state.checkRuns.map(({ output }) => JSON.stringify(output))].join(
		'\n',
	);

/** An expression of GitHub's. */
const of = (inner: string) => `\${{ ${inner} }}`;

/** Changed files, and their content in the head commit. */
interface Change {
	readonly files: readonly string[];
	readonly head?: Readonly<Record<string, string>>;
	readonly base?: Readonly<Record<string, string>>;
}

function stateOf({ files, head = {}, base = {} }: Change, queued: boolean): Partial<DoubleState> {
	return {
		contents: { ...CONTENTS, ...base },
		contentsAt: { [HEAD]: head },
		...(queued ? { compared: { [RANGE]: [...files] } } : { pulls: [{ ...FORK_PULL, files: [...files] }] }),
	};
}

/** Pull requests are in report-trust.test.ts. */
const concluded = async (t: Parameters<typeof report>[0], change: Change, given: Partial<Reporting> = {}) => {
	const artifacts = [await artifactOf(GREEN)];
	const { double } = await report(t, { artifacts, measured: QUEUED, state: stateOf(change, true), ...given });
	return { ends: conclusions(double), text: textOf(double) };
};

test('a merge group that changes the measuring workflow is never concluded as success', async (t) => {
	const { ends, text } = await concluded(t, { files: ['lib/a.js', WORKFLOW] });
	assert.deepEqual(ends, ['neutral']);
	assert.match(text, /This change also changes how it is measured \(\.github\/workflows\/bench\.yml\)/);
	const red = await concluded(t, { files: [WORKFLOW] }, { artifacts: [await artifactOf(RED, {}, SLOWER)] });
	assert.deepEqual(red.ends, ['failure']);
	assert.deepEqual((await concluded(t, { files: ['lib/a.js'] })).ends, ['success']);
});

test('a merge group with the first config is advisory', async (t) => {
	const state = stateOf({ files: ['benchgate.yml'] }, true);
	for (const publication of [GREEN, RED]) {
		const contents = { [WORKFLOW]: workflowText() };
		const { double } = await report(t, {
			artifacts: [await artifactOf(publication)],
			measured: QUEUED,
			state: { ...state, contents },
		});
		assert.deepEqual(conclusions(double), ['neutral']);
		assert.match(textOf(double), /main has no config yet, so the one of this change applied/);
	}
});

test('a merge group that claims to change nothing relevant is believed for prose only', async (t) => {
	const artifacts = [await artifactOf(publicationCase('nothing-relevant'))];
	assert.deepEqual((await concluded(t, { files: ['docs/guide.md'] }, { artifacts })).ends, ['success']);
	assert.deepEqual((await concluded(t, { files: ['lib/a.js'] }, { artifacts })).ends, ['neutral']);
});

test('a merge group with more files than GitHub lists is not concluded as success', async (t) => {
	const files = Array.from({ length: 300 }, (_, index) => `docs/${index}.md`);
	assert.deepEqual((await concluded(t, { files: files.slice(1) })).ends, ['success']);
	const { ends, text } = await concluded(t, { files });
	assert.deepEqual(ends, ['neutral']);
	assert.match(text, /more changed files than GitHub lists/);
});

test('a merge group is held to the commit it is based on, not to the newest one of its branch', async (t) => {
	const ahead = '8'.repeat(40);
	const measured = { ...QUEUED, headBranch: `gh-readonly-queue/main/pr-2-${ahead}` };
	const raw = rawOf({ config: configText(['home', 'search', 'checkout', 'extra']), turns: { extra: -0.3 } });
	const artifacts = [await artifactOf(GREEN, {}, raw)];
	const config = configText(['home', 'search', 'checkout', 'extra']);
	const state = {
		compare: { [`${ahead}...${HEAD}`]: ahead },
		contentsAt: { [ahead]: { 'benchgate.yml': config } },
	};
	const { double } = await report(t, { artifacts, measured, state });
	assert.deepEqual(conclusions(double), ['failure']);
	assert.match(textOf(double), /app\/extra/);
	const odd = await report(t, {
		artifacts: [await artifactOf(GREEN)],
		measured: { ...QUEUED, headBranch: 'gh-readonly-queue/main/pr-1' },
	});
	assert.deepEqual(conclusions(odd.double), ['neutral']);
});

test('an input of a manual run is empty in a pull request, and no doubt', async (t) => {
	const typed = { scenarios: of('inputs.scenarios'), threshold: of('github.event.inputs.threshold') };
	const contents = { ...CONTENTS, [WORKFLOW]: workflowText(typed) };
	const { double } = await report(t, { artifacts: [await artifactOf(GREEN)], state: { contents } });
	assert.deepEqual(conclusions(double), ['success']);
	const fallback = { ...CONTENTS, [WORKFLOW]: workflowText({ scenarios: of("inputs.scenarios || 'home'") }) };
	const other = await report(t, { artifacts: [await artifactOf(GREEN)], state: { contents: fallback } });
	assert.deepEqual(conclusions(other.double), ['neutral']);
});

test('a computed gate is enforced, with a note, until the reporting job has its own', async (t) => {
	const contents = { ...CONTENTS, [WORKFLOW]: workflowText({ gate: of("github.event_name == 'x' && 'advisory'") }) };
	const artifacts = [await artifactOf(RED, {}, SLOWER)];
	const { double } = await report(t, { artifacts, state: { contents } });
	assert.deepEqual(conclusions(double), ['failure']);
	assert.match(textOf(double), /gate-unknown.*bench\.yml computes gate, so enforce applied here/);
	const advisory = await report(t, { artifacts, state: { contents }, inputs: { gate: 'advisory' } });
	assert.deepEqual(conclusions(advisory.double), ['neutral']);
	assert.doesNotMatch(textOf(advisory.double), /gate-unknown/);
});

test('a computed on-inconclusive is a doubt, and the rows are still judged', async (t) => {
	const contents = { ...CONTENTS, [WORKFLOW]: workflowText({ 'on-inconclusive': of('vars.strict') }) };
	const { double } = await report(t, { artifacts: [await artifactOf(GREEN)], state: { contents } });
	assert.deepEqual(conclusions(double), ['neutral']);
	assert.match(textOf(double), /The effect of an undecided row is unknown: .*bench\.yml computes on-inconclusive/);
	const without = rawOf({ config: configText(['home', 'search']) });
	const red = await report(t, { artifacts: [await artifactOf(GREEN, {}, without)], state: { contents } });
	assert.deepEqual(conclusions(red.double), ['failure']);
	const inputs = { 'on-inconclusive': 'fail' };
	const verified = await report(t, { artifacts: [await artifactOf(GREEN)], state: { contents }, inputs });
	assert.deepEqual(conclusions(verified.double), ['success']);
});

test('an unreadable config of the base branch makes a report that blocks nothing and is not green', async (t) => {
	for (const broken of [{ 'benchgate.yml': 'threshold: [' }, { 'benchgate.yaml': configText() }]) {
		const contents = { ...CONTENTS, ...broken };
		for (const publication of [GREEN, RED]) {
			const { double } = await report(t, { artifacts: [await artifactOf(publication)], state: { contents } });
			assert.deepEqual(conclusions(double), ['neutral']);
			assert.match(textOf(double), /The config on main cannot be read, so the one of this change applied/);
		}
	}
	const contents = { ...CONTENTS, 'benchgate.yml': 'threshold: [' };
	const artifacts = [await artifactOf(RED)];
	const enforced = await report(t, { artifacts, state: { contents }, inputs: { gate: 'enforce' } });
	assert.deepEqual(conclusions(enforced.double), ['failure']);
});

test('a row that both sides lack because the branch is behind needs a rebase, as in the measuring job', async (t) => {
	const fault = (side: 'base' | 'head') => ({ code: 'wrong-status', side, message: 'It answered 404.' }) as const;
	const behind = (newer: boolean) => {
		const raw = rawOf({
			given: { refused: [{ cell: 'app/checkout', fault: fault('head'), others: [fault('base')] }] },
		});
		const mark = (id: string) => (newer && id === 'app/checkout' ? { newerThanBase: true as const } : {});
		const cells = raw.plan.cells.map((cell) => ({ ...cell, ...mark(cell.id) }));
		const rounds = raw.rounds.map((round) => ({
			...round,
			cells: round.cells.filter(({ cell }) => cell !== 'app/checkout'),
		}));
		return { ...raw, plan: { ...raw.plan, cells }, rounds };
	};
	const { double } = await report(t, { artifacts: [await artifactOf(GREEN, {}, behind(true))] });
	assert.deepEqual(conclusions(double), ['success'], textOf(double));
	assert.match(textOf(double), /rebase/);
	const other = await report(t, { artifacts: [await artifactOf(GREEN, {}, behind(false))] });
	assert.deepEqual(conclusions(other.double), ['neutral']);
});

test('a changed job named like the check, and a workflow called by its path, are doubts', async (t) => {
	const other = '.github/workflows/other.yml';
	const artifacts = [await artifactOf(GREEN)];
	const forged = { [other]: 'jobs: { benchgate: { runs-on: x } }' };
	const { double } = await report(t, { artifacts, state: stateOf({ files: [other], head: forged }, false) });
	assert.deepEqual(conclusions(double), ['neutral']);
	assert.match(textOf(double), /A job in \.github\/workflows\/other\.yml may write a check named benchgate/);
	const base = { [WORKFLOW]: 'jobs: { measure: { uses: ./.github/workflows/measure.yml } }' };
	const state = stateOf({ files: ['.github/workflows/measure.yml'], base }, false);
	// With inputs of the reporting job no other doubt remains.
	const called = await report(t, { artifacts, inputs: { threshold: '5%' }, state });
	assert.deepEqual(conclusions(called.double), ['neutral']);
	assert.match(textOf(called.double), /changes how it is measured \(\.github\/workflows\/measure\.yml\)/);
});
