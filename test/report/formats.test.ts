/** Files that the table of formats cannot generate: action.yml, the reusable workflow and the pages agree with it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { FILE_LIMITS } from '../../src/action/receive/artifact-budget.ts';
import { ARTIFACT_FILES, MOST_ENTRIES } from '../../src/action/receive/artifact-zip.ts';
import { PLAN_FILE } from '../../src/action/shards/part-files.ts';
import { consequenceOf } from '../../src/judge/consequence.ts';
import { FORMATS, type Format, fileFlags, SELFTEST_FORMATS } from '../../src/report/formats.ts';
import { outputsOf } from '../../src/report/github/conclusion-outputs.ts';
import type { Conclusion } from '../../src/types/action-run.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const FILES: readonly (readonly [string, Format])[] = Object.entries(FORMATS);
const OUTPUTS = FILES.flatMap(([, { output }]) => output ?? []);

const NOTHING: Conclusion = { kind: 'cancelled' };
const OUTCOMES = Object.keys(outputsOf(NOTHING, consequenceOf(NOTHING, { gate: 'enforce', onInconclusive: 'pass' })));

/** Outputs of the two jobs around baselines. */
const OF_BASELINES = ['records', 'stored', 'site'];
/** Outputs of the job that divides a comparison. */
const OF_SHARDS = ['matrix', 'shards', 'plan'];

test('action.yml has the outputs of the outcome and of every format, and no others', () => {
	const { outputs } = parse(read('action.yml')) as { outputs: Readonly<Record<string, unknown>> };
	assert.deepEqual(
		Object.keys(outputs).sort(),
		[...OUTCOMES, ...OUTPUTS, ...OF_BASELINES, ...OF_SHARDS, 'comment-url'].sort(),
	);
});

test('the page on reports lists every format with its flag, file and output, and no others', () => {
	const rows = read('docs/report.md')
		.split('\n')
		.map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
		.filter(([, flag = '', file = '']) => /^--[a-z]/.test(flag) || file.endsWith('.json'));
	assert.deepEqual(
		rows.map(([, flag, file, output]) => [flag, file, output]),
		FILES.map(([name, { flag, file, output }]) => [flag === null ? '' : `--${name}`, file, output ?? '']),
	);
});

test('flags, files and outputs are each used once', () => {
	const [files, flags] = [FILES.map(([, { file }]) => file), fileFlags('compare').map(({ flag }) => flag)];
	for (const names of [files, flags, OUTPUTS]) assert.equal(new Set(names).size, names.length);
	for (const { output } of Object.values(SELFTEST_FORMATS)) assert.ok(OUTPUTS.includes(output));
});

test('judge writes the formats of compare, except for those it reads', () => {
	const flags = fileFlags('judge').map(({ flag }) => flag);
	const others = fileFlags('compare').flatMap(({ flag }) => (flags.includes(flag) ? [] : [flag]));
	assert.deepEqual(others, ['--raw <file>', '--explanation <file>']);
});

test('the hostile reader knows every file of an artifact, and unpacks only those that the table marks as read', () => {
	assert.deepEqual(ARTIFACT_FILES, [...FILES.map(([, { file }]) => file), PLAN_FILE]);
	const reads = FILES.flatMap(([, { file, reporter }]) => (reporter === 'reads' ? [file] : []));
	assert.deepEqual(Object.keys(FILE_LIMITS).sort(), [...reads, PLAN_FILE].sort());
	assert.ok(ARTIFACT_FILES.length <= MOST_ENTRIES);
});
