/**
 * Rows that the measuring run skipped as unaffected: the reporting job derives them itself, and a forged artifact gains
 * nothing.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { parseConfig } from '../../../src/config/file/parse-config.ts';
import { loadCatalogue } from '../../../src/config/load-catalogue.ts';
import { resolveConfig } from '../../../src/config/resolve-config.ts';
import { baselinePath, renderBaseline } from '../../../src/formats/baseline/baseline-file.ts';
import { renderRaw } from '../../../src/formats/raw/raw-file.ts';
import { holdSpare, withSpare } from '../../../src/plan/hold-spare.ts';
import { planCells } from '../../../src/plan/plan-cells.ts';
import { planRun } from '../../../src/plan/plan-run.ts';
import { TOOL_ROOT } from '../../../src/process/entries.ts';
import { allCells, derivableCells } from '../../../src/runs/derive-impact.ts';
import type { BaselineRecord } from '../../../src/types/baseline.ts';
import type { Config } from '../../../src/types/config.ts';
import type { Raw } from '../../../src/types/result.ts';
import { HEAD } from '../../formats/publication-cases.ts';
import type { Double } from '../../support/github/types.ts';
import { changing, coverageOf, type Files, PACKAGE, recordOf } from '../../support/impact-cases.ts';
import { scriptRound } from '../../support/rounds.ts';
import { MERGE_BASE, STEADY } from './raw-cases.ts';
import { FORK_PULL, WORKFLOW, workflowText } from './reporting.ts';
import { storeOf } from './with-store.ts';

const CATALOGUE = await loadCatalogue(TOOL_ROOT);
const configOf = (text: string) =>
	resolveConfig(parseConfig(text, 'benchgate.yml', CATALOGUE), { subjectName: 'express' }, CATALOGUE, () => 1);

const TEXT = 'servers: [express]\nscenarios: [ping, json-nested, param-text]\nthreshold: 5%\n';
const CONFIG = configOf(TEXT);
const AT = { sha: MERGE_BASE, environment: STEADY.context.environment };
const NAMES = (scenario: string) => (scenario === 'json-nested' ? ['json'] : ['send']);

/** Returns the raw data of a run that skipped these rows, and measured the others as equally fast except `slower`. */
function rawOf(config: Config, unaffected: readonly string[], slower: readonly string[] = []): Raw {
	const { cells, oneSided } = planCells(config, { servers: { base: ['express'], head: ['express'] }, unaffected });
	const turns = Object.fromEntries(
		cells.map(({ scenario }) => [scenario, { d: slower.includes(scenario) ? -0.2 : 0 }]),
	);
	const { threshold, tolerance } = config;
	return {
		...STEADY,
		context: { ...STEADY.context, threshold, tolerance },
		plan: planRun(config, cells, oneSided),
		rounds: Array.from({ length: 20 }, (_, index) => {
			const round = scriptRound(index + 1, turns);
			const builtIn = round.cells.map((cell) => ({ ...cell, cell: cell.cell.replace('app/', 'express/') }));
			return { ...round, cells: builtIn };
		}),
	};
}

const conclusions = ({ state }: Double) => state.checkRuns.map(({ conclusion }) => conclusion).join();
const words = ({ state }: Double) => state.comments.map(({ body }) => body).join('\n');

/** Reports on `raw`; main keeps `record` and head has these files. */
async function reportOn(
	t: TestContext,
	{
		raw,
		head,
		record = recordOf(CONFIG, AT, NAMES),
		text = TEXT,
		older = {},
	}: {
		readonly raw: Raw | string;
		readonly head: Files;
		/** Files of other commits. */
		readonly older?: Readonly<Record<string, Files>>;
		readonly record?: BaselineRecord | null;
		readonly text?: string;
	},
): Promise<Double> {
	const files =
		record === null ? { 'baselines/notes.txt': '' } : { [`baselines/${baselinePath(record)}`]: renderBaseline(record) };
	const contents = { 'benchgate.yml': text, [WORKFLOW]: workflowText(), ...PACKAGE };
	const removed = Object.keys(PACKAGE).map((path) => [path, head[path] ?? null]);
	const pulls = [{ ...FORK_PULL, files: ['lib/response.js'] }];
	const state = { pulls, contentsAt: { ...older, [HEAD]: { ...Object.fromEntries(removed), ...head } } };
	const report = await storeOf(t, files);
	return (await report(raw, { contents, state })).double;
}

const UNTOUCHED = ['express/ping', 'express/param-text'];

test('rows that main’s coverage and the texts of both commits show to be unaffected are green', async (t) => {
	const some = await reportOn(t, { raw: rawOf(CONFIG, UNTOUCHED), head: changing('json') });
	assert.equal(conclusions(some), 'success');
	assert.match(
		words(some),
		/`express\/ping`, `express\/param-text` run none of the changed code and were not measured/,
	);
	assert.doesNotMatch(words(some), /Not verified/);
	const all = allCells(CONFIG).map(({ id }) => id);
	const none = await reportOn(t, { raw: rawOf(CONFIG, all), head: changing('sendFile') });
	assert.equal(conclusions(none), 'success');
	assert.match(
		words(none),
		/No scenario runs changed code, so nothing was measured\. Changed but not exercised .*sendFile/,
	);
});

test('a forged list of unaffected rows is red, with the function that affects them', async (t) => {
	for (const raw of [rawOf(CONFIG, UNTOUCHED), rawOf(CONFIG, UNTOUCHED, ['json-nested'])]) {
		const double = await reportOn(t, { raw, head: changing('send') });
		assert.equal(conclusions(double), 'failure');
		assert.match(
			words(double),
			/skipped it as unaffected, although it is affected because exports\.send changed \(express\/lib\/response\.js:1,/,
		);
	}
});

test('an artifact that claims another changed file gains nothing', async (t) => {
	const change = {
		kind: 'function',
		name: 'sendFile',
		path: 'lib/response.js',
		line: 3,
		side: 'head',
		cells: [],
	} as const;
	const changed = { changes: [change], omitted: 0, notExercised: 1 };
	const raw = rawOf(CONFIG, UNTOUCHED);
	const forged = { ...raw, context: { ...raw.context, changed, because: {} } };
	const double = await reportOn(t, { raw: forged, head: changing('send') });
	assert.equal(conclusions(double), 'failure');
	assert.doesNotMatch(words(double), /sendFile/);
});

test('coverage in an artifact is not read', async (t) => {
	const raw = rawOf(CONFIG, UNTOUCHED);
	const cells = Object.fromEntries(UNTOUCHED.map((id) => [id, coverageOf(['json'])]));
	const forged = JSON.stringify({ ...JSON.parse(renderRaw(raw)), coverage: cells });
	const double = await reportOn(t, { raw: forged, head: changing('send'), record: null });
	assert.equal(conclusions(double), 'failure');
	assert.match(
		words(double),
		/skipped it as unaffected, which was not verified: main keeps no coverage of commit 7777777/,
	);
});

test('a claim without other evidence is red, and so is any claim if the base branch measures all rows', async (t) => {
	const raw = rawOf(CONFIG, UNTOUCHED);
	const manifest = { ...changing('json'), 'package.json': '{ "name": "express" }' };
	const built = await reportOn(t, { raw, head: manifest });
	assert.equal(conclusions(built), 'failure');
	assert.match(words(built), /was not verified: package\.json changed, which decides what is installed/);
	const strict = await reportOn(t, { raw, head: changing('json'), text: `${TEXT}skip-unaffected: false\n` });
	assert.equal(conclusions(strict), 'failure');
	assert.match(words(strict), /although skip-unaffected is false/);
});

test('a slower row beside unaffected ones is red', async (t) => {
	const double = await reportOn(t, { raw: rawOf(CONFIG, UNTOUCHED, ['json-nested']), head: changing('json') });
	assert.equal(conclusions(double), 'failure');
	assert.match(words(double), /json-nested/);
});

test('with scenarios: auto, affected scenarios replace others, and none may be dropped', async (t) => {
	const text = 'servers: [express]\nscenarios: [auto]\nbudget: 2m\nthreshold: 5%\n';
	const auto = configOf(text);
	const all = withSpare(auto);
	const last = auto.spare?.others
		.map(({ name }) => name)
		.findLast((name) => derivableCells(all).some(({ scenario }) => scenario === name));
	assert.ok(last !== undefined && auto.spare !== undefined);
	const record = recordOf(all, AT, (scenario) => (scenario === last ? ['json'] : ['send']));
	const unaffected = derivableCells(all).flatMap(({ id, scenario }) => (scenario === last ? [] : [id]));
	const affected = allCells(all).flatMap(({ id }) => (unaffected.includes(id) ? [] : [id]));
	const { config } = holdSpare(all, affected);
	const head = changing('json');
	const honest = await reportOn(t, { raw: rawOf(config, unaffected), head, record, text });
	assert.equal(conclusions(honest), 'success', words(honest));
	assert.doesNotMatch(words(honest), /only in head/);
	const slow = await reportOn(t, { raw: rawOf(config, unaffected, [last]), head, record, text });
	assert.equal(conclusions(slow), 'failure', 'a spare row counts');
	const without = { ...config, scenarios: config.scenarios.filter(({ name }) => name !== last) };
	const dropped = await reportOn(t, { raw: rawOf(without, unaffected), head, record, text });
	assert.equal(conclusions(dropped), 'failure');
	assert.match(words(dropped), new RegExp(`has express/${last}; the measuring run did not measure it`));
});

test('main’s coverage of an older commit counts if only documents changed since', async (t) => {
	const older = '1'.repeat(40);
	const record = recordOf(CONFIG, { ...AT, sha: older }, NAMES);
	const raw = rawOf(CONFIG, UNTOUCHED);
	const since = (files: Files) => reportOn(t, { raw, head: changing('json'), record, older: { [older]: files } });
	assert.equal(conclusions(await since({ 'docs/old.md': 'old' })), 'success');
	assert.equal(conclusions(await since(changing('send'))), 'failure');
});
