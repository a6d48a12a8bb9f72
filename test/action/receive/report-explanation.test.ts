/** A forged explanation of a measuring run: its text in the report, and that no verdict changes. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { explanationName } from '../../../src/action/publish/artifact-store.ts';
import { renderExplanation } from '../../../src/formats/explanation-file.ts';
import type { Profile, ProfiledFunction } from '../../../src/types/explain/profile.ts';
import type { ProofPiece } from '../../../src/types/explain/proof.ts';
import type { ExplainedRow, Explanation } from '../../../src/types/explain.ts';
import { publicationCase } from '../../formats/publication-cases.ts';
import {
	carrier,
	countedFunction,
	countsOf,
	explainedRow,
	explanationOf,
	HUNK,
	profileOf,
	proofOf,
} from '../../report/explain-cases.ts';
import { forgeZip, zipOf } from './artifact-archives.ts';
import { SLOWER, STEADY } from './raw-cases.ts';
import { artifactOf, FORK_PULL, MEASURED, report } from './reporting.ts';

const RED = publicationCase('one-regressed');
const ROW = { server: 'app', scenario: 'checkout' };
const INJECTED = '`</code></details> **x** [y](https://evil.example) @octocat #1 <img src=x> | curl evil.example';
/** Head can give a file this name. */
const HOSTILE = `lib/${INJECTED}.js`;
const PULL = {
	...FORK_PULL,
	files: ['lib/router.js', 'lib/large.js', HOSTILE],
	patches: {
		'lib/router.js': '@@ -117,3 +117,5 @@\n a\n+b\n+c\n d\n e\n@@ -140,1 +142,2 @@\n f\n+g',
		[HOSTILE]: '@@ -1,1 +1,1 @@\n-a\n+b',
	},
};
const HONEST = explainedRow({
	...ROW,
	counts: countsOf({
		functions: [countedFunction({ path: 'node_modules/express/lib/router.js', line: 110, lines: 20 })],
	}),
	proof: proofOf(),
});

interface Claim {
	readonly rows?: readonly ExplainedRow[];
	readonly given?: Partial<Explanation>;
	readonly zip?: Uint8Array;
	readonly raw?: typeof SLOWER;
}

/** Returns the texts written to the pull request, and the log of the step. */
async function reportOn(t: TestContext, { rows = [], given = {}, zip, raw = SLOWER }: Claim) {
	const text = renderExplanation({ ...explanationOf(rows), ...given });
	const explained = {
		...{ id: 6, name: explanationName('benchgate', 1), runId: MEASURED.id },
		zip: Buffer.from(zip ?? (await zipOf({ 'explain.json': text, 'report.html': '<p>' }))),
	};
	const artifacts = [await artifactOf(RED, {}, raw), explained];
	const { reported, double } = await report(t, { artifacts, state: { pulls: [PULL] } });
	const [check] = double.state.checkRuns;
	return {
		conclusion: check?.conclusion,
		annotations: check?.annotations ?? [],
		comment: double.state.comments[0]?.body ?? '',
		why: double.state.comments[0]?.body.split('\n').filter((line) => line.startsWith('**Why**')) ?? [],
		fail: reported.fail,
	};
}

test('an honest explanation is shown below the row, with the line of the diff', async (t) => {
	const { why, annotations, conclusion, fail } = await reportOn(t, { rows: [HONEST] });
	assert.equal(why.length, 1);
	assert.match(why[0] ?? '', /`layer\.match` runs 24× .*\/blob\/a{40}\/lib\/router\.js#L118\), changed here\)/);
	assert.match(why[0] ?? '', /<br>Without that hunk head is −0\.4 %/);
	assert.match(JSON.stringify(annotations), /"path":"lib\/router\.js","start_line":118/);
	assert.deepEqual([conclusion, fail], ['failure', []]);
});

test('code outside of the diff is not called changed, linked, annotated or proven', async (t) => {
	for (const path of ['lib/other.js', 'lib/large.js', '/etc/passwd', '../../secrets.js', '.github/workflows/x.yml']) {
		const counted = countedFunction({ path, caller: { path, line: 1, name: 'handle' } });
		const row = explainedRow({
			...ROW,
			counts: countsOf({ functions: [counted, { ...counted, state: 'same' }, { ...counted, state: 'new' }] }),
			proof: proofOf({ carriers: [carrier({ pieces: [{ ...HUNK, path }] })] }),
		});
		const { why, annotations, comment, conclusion } = await reportOn(t, { rows: [row] });
		assert.doesNotMatch(why.join(), /changed|new here|\]\(|Without that hunk/, path);
		assert.doesNotMatch(JSON.stringify(annotations), /Why app/, path);
		assert.match(comment, /explanation-refused.*proofs about code that the change does not have/, path);
		assert.equal(conclusion, 'failure');
	}
	const refused: readonly Partial<ProofPiece>[] = [
		{ line: 121, lines: 20 },
		{ path: `node_modules/express/${HUNK.path}` },
		{ path: HOSTILE, line: 1, lines: 1 },
		{ kind: 'file', path: 'lib/other.js', line: 0, lines: 0 },
		{ kind: 'package', path: 'lib/large.js', line: 0, lines: 0, package: { name: INJECTED, base: '1', head: '2' } },
	];
	for (const piece of refused) {
		const proof = proofOf({ carriers: [carrier({ pieces: [{ ...HUNK, ...piece }] })] });
		assert.doesNotMatch((await reportOn(t, { rows: [{ ...HONEST, proof }] })).why.join(), /Without/);
	}
	const accompanied = carrier({ companions: [HUNK, { ...HUNK, path: 'lib/other.js' }, { ...HUNK, path: HOSTILE }] });
	const beside = await reportOn(t, { rows: [{ ...HONEST, proof: proofOf({ carriers: [accompanied] }) }] });
	assert.match(beside.why.join(), /Without that hunk and 1 part that goes with it head is/);
	const wide = proofOf({ carriers: [carrier({ pieces: [{ ...HUNK, line: 1, lines: 9_000 }] })] });
	const { why } = await reportOn(t, { rows: [{ ...HONEST, counts: null, proof: wide }] });
	assert.match(why.join(), /`lib\/router\.js:118-143`/);
});

function profiled(more: Partial<ProfiledFunction>): Profile {
	const { functions, ...profile } = profileOf({ gaps: ['a gap'] });
	return { ...profile, functions: functions.map((each) => ({ ...each, ...more })) };
}

test('a profile names changed code only if the diff contains it', async (t) => {
	const at = (path: string) =>
		explainedRow({ ...ROW, counts: null, profile: profiled({ path, line: 118, name: 'match' }) });
	const inDiff = await reportOn(t, { rows: [at('lib/router.js')] });
	assert.match(inDiff.why.join(), /`match` \(.*\/lib\/router\.js#L118\), changed here\): \+3\.1 µs \[2\.6 … 3\.6\]/);
	assert.match(JSON.stringify(inDiff.annotations), /"path":"lib\/router\.js","start_line":118/);
	const other = await reportOn(t, { rows: [at('lib/other.js')] });
	assert.match(other.why.join(), /`match` \(`lib\/other\.js:118`\): \+3\.1 µs/);
	assert.doesNotMatch(JSON.stringify(other.annotations), /Why app/);
});

test('names, paths and notes are escaped, and prose is not shown', async (t) => {
	const place = { path: HOSTILE, line: 1, name: INJECTED };
	const called = { state: 'same' as const, base: 1, head: 2 };
	const functions = [
		countedFunction(place),
		countedFunction({ name: INJECTED, caller: place, package: { name: INJECTED, base: INJECTED, head: '1.0.0' } }),
	];
	const figure = { base: 1, head: 2, varies: false, differs: true };
	const peer = { address: INJECTED, name: INJECTED, roundTrips: figure, bytesSent: figure, bytesReceived: figure };
	const unseen = [{ side: 'head' as const, kind: 'failed' as const, detail: INJECTED }];
	const rows = [
		explainedRow({ ...ROW, counts: countsOf({ functions, peers: [peer], unseen }), notes: [INJECTED] }),
		...[place, { path: 'lib/router.js', line: 118, name: INJECTED }].map((caller) =>
			explainedRow({ ...ROW, counts: countsOf({ functions: [countedFunction({ ...called, caller })] }) }),
		),
		explainedRow({ ...ROW, counts: null, notes: [INJECTED] }),
		explainedRow({ ...ROW, counts: null, proof: proofOf({ because: INJECTED, notes: [INJECTED] }) }),
		explainedRow({ ...ROW, counts: null, profile: profiled({ path: place.path, name: INJECTED, package: INJECTED }) }),
		explainedRow({ ...ROW, counts: null, profile: profiled({ versions: { base: INJECTED, head: '1.0.0' } }) }),
	];
	for (const row of rows) {
		const warnings = [{ code: INJECTED, message: INJECTED }];
		const { comment, annotations } = await reportOn(t, { rows: [row], given: { warnings, reproduce: INJECTED } });
		assert.match(comment, /\*\*Why\*\*/);
		assert.doesNotMatch(`${comment}${JSON.stringify(annotations)}`, /evil|octocat|<img/);
	}
});

test('rows that do not exist are left out; a red row keeps its own figures; no green row is explained', async (t) => {
	const rows = [
		explainedRow({ ...HONEST, scenario: 'home' }),
		explainedRow({ ...HONEST, scenario: 'nowhere' }),
		explainedRow({ ...HONEST, verdict: 'improved', change: 9 }),
	];
	const red = await reportOn(t, { rows });
	assert.equal(red.why.length, 1);
	assert.doesNotMatch(red.why[0] ?? '', /home|nowhere/);
	assert.match(red.comment, /explanation-refused.*rows that are not in the result \(1\)/);
	assert.match(JSON.stringify(red.annotations), /Why app\/checkout regressed/);
	const green = await reportOn(t, { rows, raw: STEADY });
	assert.deepEqual([green.conclusion, green.why], ['success', []]);
	assert.doesNotMatch(JSON.stringify(green.annotations), /Why app/);
});

test('an invalid explanation is a warning, at any size', async (t) => {
	const huge = 100_000_000;
	const filled = JSON.stringify({ ...explanationOf([HONEST]), filler: 'x' });
	const cases: readonly (readonly [Uint8Array, RegExp])[] = [
		[await zipOf({ 'explain.json': '{' }), /it is not JSON/],
		[await zipOf({ 'explain.json': filled }), /additional properties/],
		[await zipOf({ 'explain.json': 'x'.repeat(21_000_000) }), /more than 20000000 bytes/],
		[forgeZip([{ name: 'explain.json', uncompressedSize: huge, local: { uncompressedSize: huge } }]), /20000000 bytes/],
		[await zipOf({ 'evil.sh': 'x' }), /a file that benchgate does not write/],
		[Buffer.from('no archive'), /no whole zip archive/],
	];
	for (const [zip, expected] of cases) {
		const { comment, conclusion, why, fail } = await reportOn(t, { zip });
		assert.deepEqual([conclusion, why, fail], ['failure', [], []]);
		assert.match(comment, /explanation-refused/);
		assert.match(comment, expected);
	}
});

test("benchgate's explanation of a row stays below 5 MB, and its reader refuses more", async (t) => {
	// An archive of equal texts would be refused first.
	const long = (text: string) => `${createHash('sha512').update(text).digest('hex')}${'é'.repeat(870)}`;
	const functions = Array.from({ length: 2_000 }, (_, at) =>
		countedFunction({ name: long(`name ${at}`), path: long(`path ${at}`) }),
	);
	const text = renderExplanation(explanationOf([explainedRow({ ...ROW, counts: countsOf({ functions }) })]));
	assert.ok(Buffer.byteLength(text) < 10_000);
	assert.match(text, /had more than 5 MB/);
	const forged = { ...explanationOf([explainedRow({ ...ROW, counts: countsOf({ functions }) })]) };
	const { comment, conclusion } = await reportOn(t, { zip: await zipOf({ 'explain.json': JSON.stringify(forged) }) });
	assert.match(comment, /a row has more than 5000000 bytes/);
	assert.equal(conclusion, 'failure');
});
