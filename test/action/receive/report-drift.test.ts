/** Drift in a trusted report comes from the store that the reporting job reads, never from the artifact. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { baselinePath, renderBaseline } from '../../../src/formats/baseline/baseline-file.ts';
import { withBaselines } from '../../../src/judge/row-drift.ts';
import type { MainRow } from '../../../src/types/main-baselines.ts';
import type { Raw } from '../../../src/types/result.ts';
import { publicationCase } from '../../formats/publication-cases.ts';
import { syntheticRecords } from '../../support/baselines/records.ts';
import type { Double } from '../../support/github/types.ts';
import { configText, rawOf, SCENARIOS, STEADY } from './raw-cases.ts';
import { artifactOf, CONTENTS, report, TIP } from './reporting.ts';
import { storeOf } from './with-store.ts';

const GREEN = publicationCase('unchanged');
const conclusions = ({ state }: Double) => state.checkRuns.map(({ name, conclusion }) => `${name}: ${conclusion}`);
const words = ({ state }: Double) => state.comments.map(({ body }) => body).join('\n');
/** Lines about rows, and the table of baselines: all statements about drift. */
const driftIn = (double: Double) =>
	words(double)
		.split('\n')
		.filter((line) => /: main is |▁|█/.test(line));

/** Main has lost 12 % in one row, and nothing in another; the third was never measured. */
const RECORDS = syntheticRecords({
	seed: 3,
	commits: 24,
	cells: ['app/checkout', 'app/home'],
	steps: [{ commit: 12, size: -0.128, cell: 'app/checkout' }],
});
const FILES = Object.fromEntries(
	RECORDS.map((record) => [`baselines/${baselinePath(record)}`, renderBaseline(record)]),
);
/** Surely slower by 2 %, which its threshold allows. */
const SLIGHTLY = rawOf({ turns: { checkout: -0.02 } });
const ENFORCED = { ...CONTENTS, 'benchgate.yml': configText(undefined, 'threshold: 5%\ngate: { drift: enforce }') };

/** A favourable level of main under a favourable rule, as a hostile measuring job would claim. */
function forge(raw: Raw, theta: number, policy: 'advisory' | 'enforce'): Raw {
	const rows = SCENARIOS.map(
		(scenario): MainRow => ({
			...{ server: 'app', scenario, metric: 'throughput', anchor: 'v9.9.9', measured: 'evil@1a2b3c4' },
			...{ theta, low: theta, high: theta, history: [theta] },
		}),
	);
	return withBaselines(raw, rows, { drift: policy, driftThreshold: 0.9 });
}

test("the reporting job reports main's level, and a forged artifact cannot change a word of it", async (t) => {
	const reportOn = await storeOf(t, FILES);
	const { double, reported } = await reportOn(SLIGHTLY);
	assert.deepEqual(conclusions(double), ['benchgate: success'], 'advisory unless the base branch says otherwise');
	const lines = driftIn(double);
	assert.match(lines[0] ?? '', /^- `app\/checkout`: main is \*\*1[12]\.\d % slower\*\* \[.*\] than `v1\.0\.0` /);
	assert.match(lines[0] ?? '', / This pull request: −2\.0 %, together .* \(not enforced\)\.$/);
	assert.equal(lines.length, 3, 'one line, and two rows of the table');
	assert.match(reported.summary ?? '', /Baselines of main: 2 rows/);
	for (const [theta, policy] of [
		[0.5, 'advisory'],
		[-0.9, 'enforce'],
	] as const) {
		const forged = await reportOn(forge(SLIGHTLY, theta, policy));
		assert.deepEqual(driftIn(forged.double), lines);
		assert.deepEqual(conclusions(forged.double), ['benchgate: success']);
		assert.doesNotMatch(words(forged.double), /v9\.9\.9|evil/);
	}
});

test('enforced drift is red only for a change that adds to it', async (t) => {
	const reportOn = await storeOf(t, FILES);
	const red = await reportOn(forge(SLIGHTLY, 0.5, 'advisory'), { contents: ENFORCED });
	assert.deepEqual(conclusions(red.double), ['benchgate: failure']);
	assert.match(words(red.double), /Merging head would leave `checkout` \*\*1\d\.\d % slower\*\* than/);
	const steady = await reportOn(STEADY, { contents: ENFORCED });
	assert.deepEqual(conclusions(steady.double), ['benchgate: success']);
	assert.match(words(steady.double), /than `v[^`]*` \(limit 10 %\)/);
	const enforced = await reportOn(SLIGHTLY, { inputs: { drift: 'enforce', 'drift-threshold': '5%' } });
	assert.deepEqual(conclusions(enforced.double), ['benchgate: failure']);
});

test('without a store there is no drift in the report, even if the artifact claims one', async (t) => {
	for (const raw of [STEADY, forge(STEADY, -0.9, 'enforce')]) {
		const { double, reported } = await report(t, { artifacts: [await artifactOf(GREEN, {}, raw)] });
		assert.deepEqual(conclusions(double), ['benchgate: success']);
		assert.doesNotMatch(words(double), /main is|Baselines|baselines-unread/);
		assert.deepEqual(reported.fail, []);
	}
});

test('an unreadable store is a warning, and an unreadable file hides no other', async (t) => {
	const broken = await storeOf(t, { ...FILES, 'baselines/2026/11/broken.json': '{' });
	const { double } = await broken(SLIGHTLY);
	assert.match(words(double), /baselines-unread.*1 file left out, such as 2026\/11\/broken\.json/);
	assert.equal(driftIn(double).length, 3);
	const gone = await broken(SLIGHTLY, {
		inputs: { store: 'branch:gone' },
		state: { refs: { 'heads/main': TIP, 'heads/gone': TIP } },
	});
	assert.deepEqual(conclusions(gone.double), ['benchgate: success']);
	const nowhere = await broken(SLIGHTLY, { runner: { tempFolder: '/dev/null' } });
	assert.deepEqual(conclusions(nowhere.double), ['benchgate: success']);
	assert.match(words(nowhere.double), /baselines-unread/);
});
