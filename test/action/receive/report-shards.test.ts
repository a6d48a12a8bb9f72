/** The report on a run in shards: every file is hostile input, and all rows are decided again. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { renderPlan } from '../../../src/formats/plan-file.ts';
import { renderPublication } from '../../../src/formats/publication/publication-file.ts';
import { renderRaw } from '../../../src/formats/raw/raw-file.ts';
import { planName, shardName } from '../../../src/report/shard-words.ts';
import type { Raw } from '../../../src/types/result.ts';
import { publicationCase, publicationOf } from '../../formats/publication-cases.ts';
import type { Double, StoredArtifact } from '../../support/github/types.ts';
import { zipOf } from './artifact-archives.ts';
import { configText, rawOf, SLOWER, STEADY, workspaceText } from './raw-cases.ts';
import { artifactOf, CONTENTS, FORK_PULL, MEASURED, report } from './reporting.ts';
import { planOf, RUN, shardOf } from './shard-cases.ts';

const GREEN = publicationCase('unchanged');
const PLAN = planOf();

async function fileOf(name: string, files: Readonly<Record<string, string>>, id: number): Promise<StoredArtifact> {
	return { id, name, runId: MEASURED.id, zip: await zipOf(files) };
}

const ofPlan = (plan = PLAN, attempt = 1) => fileOf(planName(attempt), { 'plan.json': renderPlan(plan) }, 10 + attempt);
const ofShardNamed = (raw: Raw, shard: number, attempt = 1) =>
	fileOf(shardName({ shard, of: 3, attempt }), { 'raw.json': renderRaw(raw) }, 20 + 10 * attempt + shard);

/** Returns the artifacts of a run of three shards, without the `lost` ones. */
async function leftBy(whole: Raw, lost: readonly number[] = []): Promise<StoredArtifact[]> {
	const there = [1, 2, 3].filter((shard) => !lost.includes(shard));
	const shards = await Promise.all(there.map((shard) => ofShardNamed(shardOf(whole, shard), shard)));
	return [await artifactOf(GREEN), await ofPlan(), ...shards];
}

function conclusionsOf({ state }: Double): string[] {
	return state.checkRuns.map(({ conclusion }) => `${conclusion}`);
}

const bodyOf = ({ state }: Double) => state.comments.map(({ body }) => body).join('\n');

test("a run in shards is decided again from the shards' files, whatever the run concluded", async (t) => {
	const red = await report(t, { artifacts: await leftBy(SLOWER) });
	assert.deepEqual(conclusionsOf(red.double), ['failure']);
	assert.match(bodyOf(red.double), /app\/checkout/);
	assert.match(bodyOf(red.double), /Shard 3/);
	assert.deepEqual(red.reported.fail, []);
	const green = await report(t, { artifacts: await leftBy(STEADY) });
	assert.deepEqual(conclusionsOf(green.double), ['success']);
	assert.doesNotMatch(bodyOf(green.double), /Not verified/);
});

test('rows of a lost shard are inconclusive; if that ended the run nothing is green, and red rows stay red', async (t) => {
	const slow = PLAN.shards.findIndex(({ cells }) => cells.includes('app/checkout')) + 1;
	const other = (slow % 3) + 1;
	const red = await report(t, { artifacts: await leftBy(SLOWER, [other]), measured: { conclusion: 'failure' } });
	assert.deepEqual(conclusionsOf(red.double), ['failure']);
	const lost = await report(t, { artifacts: await leftBy(STEADY, [other]), measured: { conclusion: 'failure' } });
	assert.deepEqual(conclusionsOf(lost.double), ['neutral']);
	assert.match(bodyOf(lost.double), new RegExp(`Shard ${other} of 3 was lost`));
	// A shard that could not measure reports that and stays green, and so does the run.
	const quiet = await report(t, { artifacts: await leftBy(SLOWER, [slow]) });
	assert.deepEqual(conclusionsOf(quiet.double), ['neutral'], 'nobody has seen the slower row');
	const policy = await report(t, { artifacts: await leftBy(STEADY, [other]), inputs: { 'on-inconclusive': 'fail' } });
	assert.deepEqual(conclusionsOf(policy.double), ['failure']);
});

test('the runtime of one shard is held to the base branch, like that of all', async (t) => {
	const raw = shardOf(STEADY, 2);
	const runtimes = { base: { name: 'node', version: '20.1.0' }, head: { name: 'node', version: '24.1.0' } } as const;
	const other = { ...raw, context: { ...raw.context, environment: { ...raw.context.environment, runtimes } } };
	const { double } = await report(t, { artifacts: [...(await leftBy(STEADY, [2])), await ofShardNamed(other, 2)] });
	assert.deepEqual(conclusionsOf(double), ['neutral']);
	assert.match(bodyOf(double), /ran base on Node 20\.1\.0 and head on Node 24\.1\.0/);
});

test('a shard that was measured again until it was green is not believed', async (t) => {
	const again = await Promise.all(
		[1, 2, 3].map((shard) => ofShardNamed(shardOf(STEADY, shard, PLAN, { attempt: 2 }), shard, 2)),
	);
	const publication = { ...GREEN, run: { id: MEASURED.id, attempt: 2 } };
	const { double } = await report(t, {
		artifacts: [...(await leftBy(SLOWER)).slice(1), ...again, await artifactOf(publication)],
		measured: { run: { ...MEASURED, attempt: 2 } },
	});
	assert.deepEqual(conclusionsOf(double), ['failure']);
	assert.match(bodyOf(double), /Attempt 1 counts/);
});

test('a shard that was lost and then measured by a second attempt counts with the first of the others', async (t) => {
	const again = await ofShardNamed(shardOf(STEADY, 2, PLAN, { attempt: 2 }), 2, 2);
	const publication = { ...GREEN, run: { id: MEASURED.id, attempt: 2 } };
	const { double } = await report(t, {
		artifacts: [...(await leftBy(STEADY, [2])).slice(1), again, await artifactOf(publication)],
		measured: { run: { ...MEASURED, attempt: 2 } },
	});
	assert.deepEqual(conclusionsOf(double), ['success']);
	assert.match(bodyOf(double), /Shard 2: .*, attempt 2;/);
});

test('a run with a new plan is decided by it, without a word about earlier files', async (t) => {
	const plan = planOf({ run: { ...RUN, attempt: 2 } });
	const files = await Promise.all(
		[1, 2, 3].map((shard) => ofShardNamed(shardOf(STEADY, shard, plan, { attempt: 2 }), shard, 2)),
	);
	const publication = { ...GREEN, run: { id: MEASURED.id, attempt: 2 } };
	const { double } = await report(t, {
		artifacts: [...(await leftBy(SLOWER)).slice(1), await ofPlan(plan, 2), ...files, await artifactOf(publication)],
		measured: { run: { ...MEASURED, attempt: 2 } },
	});
	assert.deepEqual(conclusionsOf(double), ['success']);
	assert.doesNotMatch(bodyOf(double), /does not count/);
});

test('a head that one shard could not build is red, though the run claims to have compared', async (t) => {
	const failed = publicationCase('failed');
	const name = shardName({ shard: 2, of: 3, attempt: 1 });
	const broken = await fileOf(name, { 'publication.json': renderPublication(failed) }, 99);
	const { double } = await report(t, { artifacts: [...(await leftBy(STEADY, [2])), broken] });
	assert.deepEqual(conclusionsOf(double), ['failure']);
	assert.match(bodyOf(double), /npm run build failed/);
});

test('the conclusion of a run without a comparison is kept', async (t) => {
	const cancelled = publicationOf({ kind: 'cancelled' });
	const { double } = await report(t, { artifacts: [await artifactOf(cancelled), await ofPlan()] });
	assert.deepEqual(conclusionsOf(double), ['cancelled']);
});

test('a plan that leaves out rows, or has more of them, changes neither family nor rows', async (t) => {
	const fewer = planOf({}, configText(['home', 'search']));
	const whole = { ...STEADY, plan: { ...STEADY.plan, cells: STEADY.plan.cells.slice(0, 2) } };
	const shards = await Promise.all(
		fewer.shards.map(({ index }) => {
			const raw = shardOf(whole, index, fewer, { of: fewer.shards.length });
			const name = shardName({ shard: index, of: fewer.shards.length, attempt: 1 });
			return fileOf(name, { 'raw.json': renderRaw(raw) }, 40 + index);
		}),
	);
	const { double } = await report(t, { artifacts: [await artifactOf(GREEN), await ofPlan(fewer), ...shards] });
	assert.deepEqual(conclusionsOf(double), ['failure']);
	assert.match(bodyOf(double), /has app\/checkout; the measuring run did not measure it/);
});

/** Each is refused as a whole: an error for maintainers and a failure on the pull request. */
const HOSTILE: Readonly<Record<string, () => Promise<readonly StoredArtifact[]>>> = {
	'no plan': async () => (await leftBy(STEADY)).filter(({ name }) => !name.includes('-plan-')),
	'a plan of another run': async () => [
		await artifactOf(GREEN),
		await ofPlan(planOf({ run: { ...RUN, id: '69' } })),
		await ofShardNamed(shardOf(STEADY, 1), 1),
	],
	'a plan that is none': async () => [
		await artifactOf(GREEN),
		await fileOf(planName(1), { 'plan.json': '{"kind":"benchgate-plan","@maintainers":"<script>"}' }, 11),
	],
	'a plan that was changed': async () => [
		await artifactOf(GREEN),
		await fileOf(planName(1), { 'plan.json': renderPlan({ ...PLAN, m: 999 }) }, 11),
	],
	'a shard under the name of another': async () => [
		...(await leftBy(STEADY, [1])),
		await ofShardNamed(shardOf(STEADY, 2), 1),
	],
	'an attempt under the name of an earlier one': async () => [
		...(await leftBy(STEADY, [1])),
		await ofShardNamed(shardOf(STEADY, 1, PLAN, { attempt: 2 }), 1),
	],
	'a shard that is no JSON': async () => [
		...(await leftBy(STEADY, [1])),
		await fileOf(shardName({ shard: 1, of: 3, attempt: 1 }), { 'raw.json': '@maintainers <script>' }, 31),
	],
	'a file that climbs': async () => [
		...(await leftBy(STEADY, [1])),
		await fileOf(shardName({ shard: 1, of: 3, attempt: 1 }), { 'evil.sh': 'rm' }, 31),
	],
};

for (const [name, make] of Object.entries(HOSTILE)) {
	test(`${name} is refused, and quoted nowhere`, async (t: TestContext) => {
		const { reported, double } = await report(t, { artifacts: await make() });
		assert.deepEqual(conclusionsOf(double), ['failure']);
		assert.match(reported.fail.join(), /the artifact of the measuring run was refused/);
		assert.doesNotMatch(bodyOf(double), /script|@maintainers|evil/);
	});
}

test('more files than any run of ours has are not even read', async (t) => {
	const zip = await zipOf({ 'raw.json': '{}' });
	const many = Array.from({ length: 1001 }, (_, index) => ({
		id: 1000 + index,
		name: shardName({ shard: (index % 256) + 1, of: 256, attempt: Math.floor(index / 256) + 1 }),
		runId: MEASURED.id,
		zip,
	}));
	const { reported, double } = await report(t, { artifacts: [await artifactOf(GREEN), ...many] });
	assert.match(reported.fail.join(), /it uploaded more than/);
	assert.deepEqual(conclusionsOf(double), ['failure']);
	assert.ok(!double.calls.some(({ path }) => path.includes('/zip')), 'nothing is downloaded');
});

test('a row without a shard in the plan stays skipped only if the changed paths confirm it', async (t) => {
	const config = workspaceText();
	const plan = planOf({}, config, ['web']);
	const whole = rawOf({ config, sameCode: ['web'] });
	const files = await Promise.all([1, 2, 3].map((shard) => ofShardNamed(shardOf(whole, shard, plan), shard)));
	const artifacts = [await artifactOf(GREEN), await ofPlan(plan), ...files];
	for (const [changed, conclusion] of [
		['packages/app/lib.js', 'success'],
		['packages/web/lib.js', 'failure'],
	] as const) {
		const state = { contents: { ...CONTENTS, 'benchgate.yml': config }, pulls: [{ ...FORK_PULL, files: [changed] }] };
		const { double } = await report(t, { artifacts, state });
		assert.deepEqual(conclusionsOf(double), [conclusion], changed);
	}
});

test('a row that a shard skipped for its packed code is in doubt, and the shards match our plan', async (t) => {
	const config = `${workspaceText(() => '')}harness: [packages/app, packages/web]\n`;
	const plan = planOf({ skipUnchanged: true }, config);
	const whole = rawOf({ config, sameCode: ['web'] });
	const files = await Promise.all(
		[1, 2, 3].map((shard) => {
			const file = shardOf(whole, shard, plan);
			return ofShardNamed(file.plan.cells.length === 0 ? { ...file, rounds: [] } : file, shard);
		}),
	);
	const artifacts = [await artifactOf(GREEN), await ofPlan(plan), ...files];
	const pulls = [{ ...FORK_PULL, files: ['packages/app/lib.js'] }];
	const { double } = await report(t, {
		artifacts,
		state: { contents: { ...CONTENTS, 'benchgate.yml': config }, pulls },
	});
	assert.deepEqual(conclusionsOf(double), ['neutral']);
	assert.match(bodyOf(double), /skipped web as the same code\. That could not be verified/);
	assert.doesNotMatch(bodyOf(double), /another version|lost/);
});
