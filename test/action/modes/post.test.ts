import assert from 'node:assert/strict';
import { test } from 'node:test';
import { concludeCutOff, type Remembered } from '../../../src/action/modes/post.ts';
import { parseInputs } from '../../../src/action/request/inputs.ts';
import { formatMarker } from '../../../src/github/comment-marker.ts';
import { connect, HEAD, runOf } from '../../github/support.ts';
import type { StoredComment } from '../../support/github/types.ts';
import { runnerOf } from '../request/example-events.ts';

const RUN = runOf(70, 2);
const REMEMBERED: Remembered = { check: '', comment: '1', headSha: HEAD, title: 'command', key: '', concluded: '' };

function comment(id: number, key: string, run: typeof RUN, state: 'measuring' | 'final'): StoredComment {
	const body = `${formatMarker({ key, run, headSha: HEAD, state })}\nwords`;
	return { id, issue: 1, body, user: { login: 'github-actions[bot]', type: 'Bot' } };
}

test('an answer to a command that is cut off concludes its own comment, and leaves the report of the gate', async (t) => {
	const gate = comment(1, 'default', runOf(70, 1), 'final');
	const { github, double } = await connect(t, {
		comments: [structuredClone(gate), comment(2, 'command', RUN, 'measuring')],
	});
	const runner = runnerOf('pull_request', {}, { repository: { owner: 'o', repo: 'r' }, run: RUN });
	const session = { inputs: parseInputs({}), runner, github, warnings: [] };
	await concludeCutOff(session, { ...REMEMBERED, key: 'command' });
	const [first, second, ...others] = double.state.comments;
	assert.deepEqual([first?.body, others.length], [gate.body, 0]);
	assert.match(second?.body ?? '', /^<!-- benchgate:command run=70 attempt=2 .*state=final -->\n### ⏹️ Cancelled/);
});
