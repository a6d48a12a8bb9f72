/** Conclusions from shards that could not measure: docs/shards.md, "When something goes wrong". */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { concludeShards, type LeftShards, type ShardsEnd } from '../../../src/action/shards/conclude-shards.ts';
import { consequenceOf } from '../../../src/judge/consequence.ts';
import { summarise } from '../../../src/judge/summarise.ts';
import type { Conclusion, Failure } from '../../../src/types/action-run.ts';
import type { PlannedRun } from '../../../src/types/shards.ts';
import { shardFilesOf, shardPlanOf, shardRawOf } from '../../support/shards.ts';

const IDS = ['express/ping', 'koa/ping', 'hono/ping'];
const RUN: PlannedRun = { id: '70', attempt: 2, adopting: false, mayBeUnchanged: true, warnings: [] };
const PLAN = shardPlanOf(IDS, 3, { run: RUN });
const UNCHANGED: Conclusion = { kind: 'unchanged', base: { label: 'main' }, head: { label: 'topic' } };

function failure(given: Partial<Failure> = {}): Conclusion {
	const plain = { code: 'build-failed', side: null, message: 'npm ran out of luck', where: null, remedy: null };
	return { kind: 'failed', failure: { ...plain, details: null, usage: false, ...given } };
}

function conclude(given: Partial<LeftShards>): ShardsEnd {
	return concludeShards({ plan: PLAN, files: [], unread: [], said: [], ...given });
}

const ofTwo = shardFilesOf(PLAN, { 2: null });
const says = (conclusion: Conclusion, shard = 2, attempt = 2) => ({ shard, attempt, conclusion });

function warningsOf(end: ShardsEnd): string[] {
	assert.ok('raw' in end, JSON.stringify(end));
	return end.raw.context.warnings.map(({ message }) => message);
}

test('a head that does not build ends the run, as on one machine, though only one shard saw it', () => {
	const broken = failure({ side: 'head', where: 'head (topic)' });
	assert.deepEqual(conclude({ files: ofTwo, said: [says(broken)] }), { conclusion: broken });
	const usage = failure({ usage: true });
	assert.deepEqual(conclude({ files: ofTwo, said: [says(usage)] }), { conclusion: usage });
});

test('any other obstacle to a shard leaves its rows open, and is reported', () => {
	const end = conclude({ files: ofTwo, said: [says(failure({ code: 'network', side: 'head' }))] });
	assert.deepEqual(warningsOf(end), ['Shard 2 could not measure: npm ran out of luck.']);
	assert.ok('raw' in end);
	const verdicts = summarise(end.raw).cells.map(({ verdict }) => verdict);
	assert.deepEqual(verdicts.toSorted(), ['inconclusive', 'unchanged', 'unchanged']);
});

test('a head that makes its shard fail where it is slower is not green by the other rows', () => {
	const plan = shardPlanOf(IDS, 3, { run: RUN });
	const files = shardFilesOf(plan, { 2: { effects: Object.fromEntries(IDS.map((id) => [id, -0.2])) } });
	const others = files.filter(({ raw }) => raw.shard?.shard !== 2);
	for (const code of ['disk-full', 'network', 'npm-failed', 'generator-died']) {
		const end = conclude({ plan, files: others, said: [says(failure({ code }))] });
		assert.ok('raw' in end);
		const conclusion: Conclusion = { kind: 'compared', result: summarise(end.raw) };
		assert.equal(
			consequenceOf(conclusion, { gate: 'enforce', onInconclusive: 'pass' }).checkConclusion,
			'neutral',
			code,
		);
		assert.equal(
			consequenceOf(conclusion, { gate: 'enforce', onInconclusive: 'fail' }).checkConclusion,
			'failure',
			code,
		);
	}
});

test('a failure no longer counts once the shard was measured, nor one from before the plan', () => {
	const broken = failure({ side: 'head' });
	assert.deepEqual(warningsOf(conclude({ files: shardFilesOf(PLAN), said: [says(broken)] })), []);
	assert.deepEqual(warningsOf(conclude({ files: ofTwo, said: [says(broken, 2, 1)] })), []);
	assert.deepEqual(warningsOf(conclude({ files: ofTwo, said: [says(broken, 9)] })), []);
});

test('files of the attempt before a new plan are ignored silently; those of a foreign plan are reported', () => {
	const older = { ...PLAN, planHash: 'f'.repeat(64) };
	const of = (runId: string, attempt: number) => ({
		name: `${runId}-${attempt}`,
		raw: shardRawOf(older, 1, { runId, attempt }),
	});
	const end = conclude({ files: [...shardFilesOf(PLAN), of('70', 1), of('69', 1), of('70', 2)] });
	assert.deepEqual(warningsOf(end), [
		'The file 69-1 does not count: it is of another plan.',
		'The file 70-2 does not count: it is of another plan.',
	]);
});

test('if all files found the same code, nothing has changed; beside rounds it counts as missing', () => {
	assert.deepEqual(conclude({ said: [says(UNCHANGED, 1), says(UNCHANGED, 3)] }), { conclusion: UNCHANGED });
	const mixed = conclude({ files: ofTwo, said: [says(UNCHANGED)] });
	assert.ok('raw' in mixed && mixed.raw.shards?.[1]?.state === 'missing');
	// Servers in the checkout cannot be compared by their packed code.
	const plan = shardPlanOf(IDS, 3, { run: { ...RUN, mayBeUnchanged: false } });
	const end = conclude({ plan, said: [says(UNCHANGED, 1)] });
	assert.ok('conclusion' in end && end.conclusion.kind === 'failed' && end.conclusion.failure.code === 'no-shards');
});

test('without any rounds the first failure is reported, and so is an unreadable file', () => {
	const end = conclude({ said: [says(failure({ message: 'second' }), 2), says(failure({ message: 'first' }), 1)] });
	assert.ok('conclusion' in end && end.conclusion.kind === 'failed');
	assert.equal(end.conclusion.failure.message, 'first');
	const unread = [{ name: 'x/raw.json', why: 'it was cut off.' }];
	assert.deepEqual(warningsOf(conclude({ files: shardFilesOf(PLAN), unread })), [
		'The file x/raw.json does not count: it was cut off.',
	]);
});
