/** Gate and limits come from the base branch of a pull request, never from its head. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { HEAD, publicationCase } from '../../formats/publication-cases.ts';
import { configText, rawOf } from './raw-cases.ts';
import { artifactOf, CONTENTS, FORK_PULL, report, WORKFLOW, workflowText } from './reporting.ts';

const CONFIG = 'benchgate.yml';
/** Head's replacements of the 5 % threshold and the enforced gate. */
const LOOSE: Readonly<Record<string, string>> = {
	[CONFIG]: configText(undefined, 'threshold: 95%'),
	[WORKFLOW]: workflowText({ gate: 'advisory', 'config-from': 'head' }),
};
/** One row 20 % slower, which the limits of the head allow: the measuring run concludes green. */
const SLOW = await artifactOf(
	publicationCase('unchanged'),
	{},
	rawOf({ config: configText(undefined, 'threshold: 95%'), turns: { checkout: Math.log(0.8) } }),
);

/** Returns the conclusion of a report when only the pull request's commit has loose versions of these files. */
async function loosen(t: TestContext, files: readonly string[], base: Readonly<Record<string, string>> = {}) {
	const state = {
		contents: { ...CONTENTS, ...base },
		contentsAt: { [HEAD]: Object.fromEntries(files.map((file) => [file, LOOSE[file] ?? null])) },
		pulls: [{ ...FORK_PULL, files: ['lib/a.js', ...files] }],
	};
	const { double } = await report(t, { artifacts: [SLOW], state });
	const { checkRuns, comments } = double.state;
	return { ends: checkRuns.map(({ conclusion }) => conclusion), text: comments.map(({ body }) => body).join('\n') };
}

for (const files of [[CONFIG], [WORKFLOW], [CONFIG, WORKFLOW]]) {
	test(`a pull request that loosens ${files.join(' and ')} is held to the version of its base branch`, async (t) => {
		const { ends, text } = await loosen(t, files);
		assert.deepEqual(ends, ['failure']);
		assert.match(text, /`app\/checkout` \*\*−20\.0 %\*\* requests\/s \(limit −5 %/);
		assert.match(text, /other limits than benchgate\.yml on main: .*app\/checkout \(95%, .* instead of 5%, /);
		assert.equal(text.includes(`changes how it is measured (${WORKFLOW})`), files.includes(WORKFLOW));
		assert.equal(text.includes('It was judged by benchgate.yml on main'), files.includes(CONFIG));
	});
}

test('the config of a pull request counts if the workflow of the base branch allows it', async (t) => {
	const { ends, text } = await loosen(t, [CONFIG], { [WORKFLOW]: workflowText({ 'config-from': 'head' }) });
	assert.deepEqual(ends, ['success']);
	assert.doesNotMatch(text, /other limits|−5 %/);
});
