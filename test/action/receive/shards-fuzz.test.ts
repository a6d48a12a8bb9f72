/**
 * Manipulated plans and files of shards: the reporting job decides and renders them, or refuses them with a message of
 * its own.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openBudget } from '../../../src/action/receive/artifact-budget.ts';
import { type Concluded, concludeReceived } from '../../../src/action/receive/conclude-received.ts';
import { receiveEnd } from '../../../src/action/receive/receive-artifact.ts';
import { type PartArtifact, receiveShards } from '../../../src/action/receive/receive-shards.ts';
import type { Rules } from '../../../src/action/rules/base-rules.ts';
import { concludeShards } from '../../../src/action/shards/conclude-shards.ts';
import { renderPlan, sealPlan } from '../../../src/formats/plan-file.ts';
import { renderRaw } from '../../../src/formats/raw/raw-file.ts';
import { consequenceOf } from '../../../src/judge/consequence.ts';
import { buildCheck } from '../../../src/report/github/check.ts';
import { renderComment, renderSummary } from '../../../src/report/github/comment.ts';
import { planName, readPartName, shardName } from '../../../src/report/shard-words.ts';
import { isUserError } from '../../../src/types/errors.ts';
import { CANARY, hostileJson } from '../../formats/hostile-json.ts';
import { CONTEXT, HEAD, publicationCase } from '../../formats/publication-cases.ts';
import { runOf } from '../../github/support.ts';
import { configOf, configText, rawOf } from './raw-cases.ts';
import { planOf, shardOf } from './shard-cases.ts';

const CASES = 100;
const SEED = 20261123;

const CONFIG = configText(['home', 'search', 'checkout']);
const RULES: Rules = {
	gate: 'enforce',
	onInconclusive: 'pass',
	config: configOf(CONFIG),
	source: 'benchgate.yml on main',
	notes: [],
	doubts: [],
};
const MEASURED = { run: runOf(70), headSha: HEAD };
const PLAN = planOf();
const WHOLE = rawOf({ rounds: 6, turns: { checkout: -0.2 } });
const TEXTS = [renderPlan(PLAN), ...[1, 2, 3].map((shard) => renderRaw(shardOf(WHOLE, shard)))];

const partNamed = (name: string, id: number): PartArtifact => {
	const read = readPartName(name);
	assert.ok(read);
	return { name: read, artifact: { id, name, sizeBytes: 1, expired: false, createdAt: null } };
};
const PARTS = [
	partNamed(planName(1), 0),
	...[1, 2, 3].map((shard) => partNamed(shardName({ shard, of: 3, attempt: 1 }), shard)),
];

/** The reporting job's conclusion from these texts; null if it refuses them with a message of ours. */
async function conclude(texts: readonly string[]): Promise<Concluded | null> {
	try {
		const files = await receiveShards(PARTS, MEASURED, async ({ id }) => {
			return new Map([[id === 0 ? 'plan.json' : 'raw.json', texts[id] ?? '']]);
		});
		const received = receiveEnd(publicationCase('unchanged'), concludeShards(files), openBudget());
		return concludeReceived(received, RULES, { conclusion: 'success' }, null, []);
	} catch (error) {
		if (!isUserError(error)) throw error;
		assert.ok(['bad-artifact', 'artifact-version', 'artifact-too-large'].includes(error.code), error.code);
		const text = `${error.message} ${error.where} ${error.remedy}`;
		assert.doesNotMatch(text, new RegExp(CANARY));
		assert.match(text, /^[\x20-\x7e]+$/);
		return null;
	}
}

/** The author of a plan can seal it, and write its hash into every file. */
function sealAgain(texts: readonly string[]): readonly string[] {
	try {
		const { planHash: _, ...plan } = JSON.parse(texts[0] ?? '');
		const sealed = sealPlan(plan);
		return [JSON.stringify(sealed), ...texts.slice(1).map((text) => text.replaceAll(PLAN.planHash, sealed.planHash))];
	} catch {
		return texts;
	}
}

test('manipulated shards are decided, and can be rendered, or are refused with a message of ours', {
	timeout: 600_000,
}, async () => {
	let accepted = 0;
	const meddled = fc
		.nat({ max: TEXTS.length - 1 })
		.chain((at) =>
			hostileJson([TEXTS[at] ?? '']).map((text) =>
				sealAgain(TEXTS.map((original, index) => (index === at ? text : original))),
			),
		);
	const property = fc.asyncProperty(meddled, async (texts) => {
		const concluded = await conclude(texts);
		if (concluded === null) return;
		const { conclusion, doubts } = concluded;
		accepted++;
		assert.ok(renderComment(conclusion, CONTEXT).length <= 65_000);
		assert.ok(renderSummary(conclusion, CONTEXT).length <= 1_000_000);
		assert.ok(buildCheck(conclusion, { ...CONTEXT, lineOf: () => null }).summary.length <= 65_535);
		// The slower row is still there, or unknown.
		assert.notEqual(consequenceOf(conclusion, { ...RULES, doubts }).checkConclusion, 'success');
	});
	await fc.assert(property, { numRuns: CASES, seed: SEED });
	assert.ok(accepted > CASES / 50, `only ${accepted} were accepted`);
	assert.ok(accepted < CASES, `${accepted} were accepted`);
});
