/** Runtimes of the servers, compared with those of the base branch. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Raw } from '../../../src/types/result.ts';
import type { RuntimeInfo } from '../../../src/types/runtime.ts';
import type { Sides } from '../../../src/types/units.ts';
import { publicationCase } from '../../formats/publication-cases.ts';
import type { Double } from '../../support/github/types.ts';
import { STEADY } from './raw-cases.ts';
import { artifactOf, CONTENTS, report, WORKFLOW, workflowText } from './reporting.ts';

const GREEN = publicationCase('unchanged');

const conclusions = ({ state }: Double) => state.checkRuns.map(({ name, conclusion }) => `${name}: ${conclusion}`);
const words = ({ state }: Double) => state.comments.map(({ body }) => body).join('\n');

/** Raw data of servers on these runtimes; `node` is the version of Node. */
function ranOn(node: string, runtimes?: Sides<RuntimeInfo>): Raw {
	const { context } = STEADY;
	const environment = { ...context.environment, node, ...(runtimes && { runtimes }) };
	return { ...STEADY, context: { ...context, environment } };
}

const NODE22 = { name: 'node', version: '22.12.0' } as const;
const NODE24 = { name: 'node', version: '24.1.0' } as const;

for (const [what, inputs, raw, doubt] of [
	['the runtimes that are asked for', { runtime: 'node@22' }, ranOn('24.1.0', { base: NODE22, head: NODE22 }), null],
	[
		'two runtimes that are asked for',
		{ 'base-runtime': 'node@22', 'head-runtime': 'node@24.1' },
		ranOn('20.0.0', { base: NODE22, head: NODE24 }),
		null,
	],
	['the Node at hand', {}, ranOn('24.1.0'), null],
	[
		'a head on a newer Node than expected',
		{ runtime: 'node@22' },
		ranOn('24.1.0', { base: NODE22, head: NODE24 }),
		/head on Node 24\.1\.0 instead of Node 22, against /,
	],
	[
		'no runtime instead of the expected one',
		{ runtime: 'node@22' },
		ranOn('24.1.0'),
		/base on Node 24\.1\.0 instead of/,
	],
	[
		'unrequested runtimes',
		{},
		ranOn('24.1.0', { base: NODE22, head: NODE24 }),
		/base on Node 22\.12\.0 and head on Node 24\.1\.0, and .* names no runtime/,
	],
	[
		'two versions of the expected runtime',
		{ runtime: 'node@22' },
		ranOn('24.1.0', { base: NODE22, head: { ...NODE22, version: '22.1.0' } }),
		/base on Node 22\.12\.0 and head on Node 22\.1\.0, and .* names one runtime/,
	],
	[
		'another Node in place of the one at hand',
		{ 'head-runtime': 'bun' },
		ranOn('24.1.0', { base: NODE22, head: { name: 'bun', version: '1.3.0' } }),
		/base on Node 22\.12\.0 instead of the Node at hand,/,
	],
	// A longer number with the same first digits is another version.
	[
		'node@2 for node@22',
		{ runtime: 'node@2' },
		ranOn('22.12.0', { base: NODE22, head: NODE22 }),
		/instead of Node 2 and head on Node 22\.12\.0 instead of Node 2,/,
	],
] as const) {
	test(`a result of ${what} is ${doubt === null ? 'believed' : 'no success, and names the runtimes'}`, async (t) => {
		const contents = { ...CONTENTS, [WORKFLOW]: workflowText(inputs) };
		const { double } = await report(t, { artifacts: [await artifactOf(GREEN, {}, raw)], state: { contents } });
		assert.deepEqual(conclusions(double), [`benchgate: ${doubt === null ? 'success' : 'neutral'}`]);
		if (doubt !== null) assert.match(words(double), doubt);
		else assert.doesNotMatch(words(double), /Not verified/);
	});
}

test('the reporting job can set the expected runtime, and a workflow that computes it is a doubt', async (t) => {
	const of24 = await artifactOf(GREEN, {}, ranOn('24.1.0', { base: NODE24, head: NODE24 }));
	const contents = { ...CONTENTS, [WORKFLOW]: workflowText({ runtime: '${{ matrix.runtime }}' }) };
	const open = await report(t, { artifacts: [of24], state: { contents } });
	assert.deepEqual(conclusions(open.double), ['benchgate: neutral']);
	assert.match(words(open.double), /computes runtime/);
	const wished = await report(t, { artifacts: [of24], state: { contents }, inputs: { runtime: 'node@24' } });
	assert.deepEqual(conclusions(wished.double), ['benchgate: success']);
});
