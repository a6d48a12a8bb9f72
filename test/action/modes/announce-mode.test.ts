/** A new run of a pull request marks the report of an earlier commit, and a run without a result removes the mark. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { runAnnounceMode } from '../../../src/action/modes/announce-mode.ts';
import { parseInputs } from '../../../src/action/request/inputs.ts';
import { formatMarker } from '../../../src/github/comment-marker.ts';
import type { Warning } from '../../../src/types/units.ts';
import { HEAD, publicationCase } from '../../formats/publication-cases.ts';
import { connect, runOf } from '../../github/support.ts';
import type { Double, DoubleState, StoredComment } from '../../support/github/types.ts';
import { artifactOf, FORK_PULL, measuredRun, report } from '../receive/reporting.ts';
import { runnerOf } from '../request/example-events.ts';

const OLD = 'b'.repeat(40);
const BOT = { login: 'github-actions[bot]', type: 'Bot' } as const;

interface Told {
	readonly key?: string;
	readonly headSha?: string;
	readonly run?: number;
	readonly state?: 'measuring' | 'final';
	readonly user?: StoredComment['user'];
}

let id = 0;
function comment({ key = 'default', headSha = OLD, run = 60, state = 'final', user = BOT }: Told = {}): StoredComment {
	const marker = formatMarker({ key, run: runOf(run), headSha, state });
	return { id: ++id, issue: 1, body: `${marker}\n### ❌ Fail of ${key}`, user };
}

async function announce(
	t: TestContext,
	comments: readonly StoredComment[],
	{ state = {}, inputs = {} }: { state?: Partial<DoubleState>; inputs?: Readonly<Record<string, string>> } = {},
) {
	const { github, double } = await connect(t, { pulls: [FORK_PULL], comments: [...comments], ...state });
	const warnings: Warning[] = [];
	const runner = runnerOf('workflow_run', {}, { repository: { owner: 'o', repo: 'r' }, run: runOf(71) });
	const session = { github, runner, inputs: parseInputs(inputs), warnings };
	const outcome = await runAnnounceMode(session, { kind: 'announce', measured: measuredRun({ conclusion: null }) });
	return { outcome, double, warnings };
}

const bodies = ({ state }: Double) => state.comments.map(({ body }) => body);

test('the report of an earlier commit at once marks the new one as not measured yet, and stays readable', async (t) => {
	const { outcome, double } = await announce(t, [comment(), comment({ key: 'node-22' })]);
	for (const [at, key] of ['default', 'node-22'].entries()) {
		const body = bodies(double)[at] ?? '';
		assert.match(body, new RegExp(`^<!-- benchgate:${key} run=70 attempt=1 sha=${HEAD} state=measuring -->\n### ⏳ `));
		assert.match(
			body,
			/waiting to be measured.*actions\/runs\/70\).*<details>.*Report of an earlier commit.*❌ Fail of/s,
		);
	}
	assert.match(outcome.log ?? '', /^Marked as being measured again: http.*, http/);
	assert.deepEqual(double.state.checkRuns, []);
});

test('other comments are left alone', async (t) => {
	const others = [
		comment({ headSha: HEAD }),
		comment({ key: 'a', run: 80 }),
		comment({ key: 'b', state: 'measuring' }),
		comment({ key: 'command' }),
		comment({ key: 'c', user: { login: 'stranger', type: 'User' } }),
	];
	const { double, outcome } = await announce(t, others);
	assert.deepEqual(
		bodies(double),
		others.map(({ body }) => body),
	);
	assert.match(outcome.log ?? '', /no report of an earlier commit/);
});

test('nothing is written for another head, or without comments', async (t) => {
	const moved = await announce(t, [comment()], { state: { pulls: [{ ...FORK_PULL, headSha: 'c'.repeat(40) }] } });
	assert.match(moved.outcome.log ?? '', /has moved on/);
	const never = await announce(t, [comment()], { inputs: { comment: 'never' } });
	for (const { double } of [moved, never]) assert.match(bodies(double)[0] ?? '', /state=final/);
});

test('the report replaces the mark; a run without a report says so and keeps the earlier one', async (t) => {
	const { double: marked } = await announce(t, [comment()]);
	const comments = () => structuredClone(marked.state.comments);
	const reported = await report(t, {
		artifacts: [await artifactOf(publicationCase('unchanged'))],
		state: { comments: comments() },
	});
	assert.match(bodies(reported.double)[0] ?? '', /state=final -->\n### ✅/);
	const silent = await report(t, { state: { comments: comments() } });
	assert.match(
		bodies(silent.double)[0] ?? '',
		/state=final -->\n### ⏹️ `a{10}` was not measured.*without a result\..*<details>.*❌ Fail of default/s,
	);
	assert.deepEqual(silent.double.state.checkRuns, []);
});
